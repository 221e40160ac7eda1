import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import PublicClient
import RunTrace
import SimulatedWorld
import Synchronization
import Testing
import TokenCache

@Suite("A device that people share")
struct SharedDeviceTests {
  /// Two apps on one device, with one cache.
  func apps(_ mode: DeviceMode) async throws -> (mail: Stage, calendar: Stage) {
    let store = MemoryBlobStore()
    let mail = try Stage(store: store) { $0.deviceMode = mode }
    let calendar = try Stage(store: store) {
      $0.clientID = "calendar"
      $0.deviceMode = mode
    }
    calendar.platform.state.withLock { state in state.claims = { $0["aud"] = "calendar" } }
    return (mail, calendar)
  }

  @Test("Who signs in to one app is every app's current account")
  func signedInEverywhere() async throws {
    let (mail, calendar) = try await apps(.shared)
    #expect(try mail.application.deviceInformation().deviceMode == .shared)
    _ = try await mail.signIn()
    #expect(try calendar.application.currentAccount().account?.username == "megan@contoso.com")
    #expect(try calendar.application.accounts().isEmpty)
    #expect(await calendar.silentFailure()?.code == .interactionRequired)
  }

  @Test("On one's own device, each app has its own", arguments: [DeviceMode.default])
  func own(mode: DeviceMode) async throws {
    let (mail, calendar) = try await apps(mode)
    _ = try await mail.signIn()
    #expect(try calendar.application.currentAccount().account == nil)
    _ = try await calendar.signIn()
    _ = try await mail.application.signOut(SignOutParameters(account: Stage.megan))
    #expect(mail.platform.state.withLock { $0.visits.count } == 1)
    #expect(try calendar.application.currentAccount().account?.username == "megan@contoso.com")
    #expect(try await calendar.silent().source == .cache)
  }

  @Test("Signing out of one app signs out of all, and of the browser; the others are told who it was")
  func signedOutEverywhere() async throws {
    let (mail, calendar) = try await apps(.shared)
    _ = try await mail.signIn()
    _ = try await calendar.signIn()
    _ = try calendar.application.currentAccount()
    _ = try await mail.simulation.run { try await mail.application.signOut(SignOutParameters(account: Stage.megan)) }
    #expect(mail.platform.state.withLock { $0.visits.last?.purpose } == .signOut)
    let (current, previous) = try calendar.application.currentAccount()
    #expect(current == nil)
    #expect(previous?.username == "megan@contoso.com")
    #expect(calendar.events.decisions.contains("account changed"))
    #expect(await calendar.silentFailure()?.code == .interactionRequired)
    let contents = try UnifiedTokenCache(store: mail.store).contents()
    #expect(
      [CacheSectionName.accessToken, .refreshToken, .idToken, .account].map { contents.count($0) } == [0, 0, 0, 0])
    // The next one at the device is asked for a password.
    #expect(try await calendar.signIn { $0.token.account = Stage.megan }.sent?.prompt == "login")
  }

  @Test("Removing an account is the app's own affair, also there")
  func removed() async throws {
    let (mail, calendar) = try await apps(.shared)
    _ = try await mail.signIn()
    _ = try await calendar.signIn()
    try mail.application.remove(Stage.megan)
    #expect(try mail.application.accounts().isEmpty)
    #expect(try await calendar.silent().source == .cache)
  }

  @Test("A provider without a sign-out page does not stop it, unless the page was asked for", arguments: [true, false])
  func noPage(isAskedFor: Bool) async throws {
    let (mail, _) = try await apps(.shared)
    _ = try await mail.signIn()
    mail.platform.state.withLock { state in state.metadata = { $0["end_session_endpoint"] = nil } }
    let later = try Stage(store: mail.store, platform: mail.platform) { $0.deviceMode = .shared }
    var parameters = SignOutParameters(account: Stage.megan)
    parameters.signoutFromBrowser = isAskedFor
    let prepared = parameters
    let outcome = await Result { try await later.simulation.run { try await later.application.signOut(prepared) } }
    if case .failure(let error as MSALError) = outcome {
      #expect(isAskedFor && error.outcomeName == "unexpected")
    } else {
      #expect(!isAskedFor)
      #expect(later.events.decisions.contains("browser still signed in"))
    }
    #expect(try later.application.accounts().isEmpty)
  }
}

extension Result where Failure == any Error {
  /// The outcome of work that may throw.
  init(_ work: () async throws -> Success) async {
    do {
      self = .success(try await work())
    } catch {
      self = .failure(error)
    }
  }
}
