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

@Suite("Shared devices")
struct SharedDeviceTests {
  /// Returns two apps on one device, with a shared cache.
  func apps(_ mode: DeviceMode) async throws -> (mail: TestClient, calendar: TestClient) {
    let store = MemoryBlobStore()
    let mail = try TestClient(store: store) { $0.deviceMode = mode }
    let calendar = try TestClient(store: store) {
      $0.clientID = "calendar"
      $0.deviceMode = mode
    }
    calendar.server.state.withLock { state in state.claims = { $0["aud"] = "calendar" } }
    return (mail, calendar)
  }

  @Test("the user of one app is the current account in all apps on a shared device")
  func sharedSignIn() async throws {
    let (mail, calendar) = try await apps(.shared)
    #expect(try mail.application.deviceInformation().deviceMode == .shared)
    _ = try await mail.signIn()
    #expect(try calendar.application.currentAccount().account?.username == "megan@contoso.com")
    #expect(try calendar.application.accounts().isEmpty)
    #expect(await calendar.silentFailure()?.code == .interactionRequired)
  }

  @Test("each app has a separate current account on a personal device", arguments: [DeviceMode.default])
  func personalDevice(mode: DeviceMode) async throws {
    let (mail, calendar) = try await apps(mode)
    _ = try await mail.signIn()
    #expect(try calendar.application.currentAccount().account == nil)
    _ = try await calendar.signIn()
    _ = try await mail.application.signOut(SignOutParameters(account: TestClient.megan))
    #expect(mail.server.state.withLock { $0.visits.count } == 1)
    #expect(try calendar.application.currentAccount().account?.username == "megan@contoso.com")
    #expect(try await calendar.silent().source == .cache)
  }

  @Test("signing out of one app signs the user out of every app and the browser")
  func sharedSignOut() async throws {
    let (mail, calendar) = try await apps(.shared)
    _ = try await mail.signIn()
    _ = try await calendar.signIn()
    _ = try calendar.application.currentAccount()
    _ = try await mail.simulation.run {
      try await mail.application.signOut(SignOutParameters(account: TestClient.megan))
    }
    #expect(mail.server.state.withLock { $0.visits.last?.purpose } == .signOut)
    let (current, previous) = try calendar.application.currentAccount()
    #expect(current == nil)
    #expect(previous?.username == "megan@contoso.com")
    #expect(calendar.events.decisions.contains("account changed"))
    #expect(await calendar.silentFailure()?.code == .interactionRequired)
    let contents = try UnifiedTokenCache(store: mail.store).contents()
    #expect(
      [CacheSectionName.accessToken, .refreshToken, .idToken, .account].map { contents.count($0) } == [0, 0, 0, 0])
    // The next user must enter a password.
    #expect(try await calendar.signIn { $0.token.account = TestClient.megan }.sent?.prompt == "login")
  }

  @Test("removing an account from one app does not affect other apps")
  func removed() async throws {
    let (mail, calendar) = try await apps(.shared)
    _ = try await mail.signIn()
    _ = try await calendar.signIn()
    try mail.application.remove(TestClient.megan)
    #expect(try mail.application.accounts().isEmpty)
    #expect(try await calendar.silent().source == .cache)
  }

  @Test("signs out without a sign-out page unless the app requires a browser sign-out", arguments: [true, false])
  func missingSignOutPage(isRequired: Bool) async throws {
    let (mail, _) = try await apps(.shared)
    _ = try await mail.signIn()
    mail.server.state.withLock { state in state.metadata = { $0["end_session_endpoint"] = nil } }
    let restarted = try TestClient(store: mail.store, server: mail.server) { $0.deviceMode = .shared }
    var parameters = SignOutParameters(account: TestClient.megan)
    parameters.signoutFromBrowser = isRequired
    let prepared = parameters
    let outcome = await Result {
      try await restarted.simulation.run { try await restarted.application.signOut(prepared) }
    }
    if case .failure(let error as MSALError) = outcome {
      #expect(isRequired && error.outcomeName == "unexpected")
    } else {
      #expect(!isRequired)
      #expect(restarted.events.decisions.contains("browser still signed in"))
    }
    #expect(try restarted.application.accounts().isEmpty)
  }
}

extension Result where Failure == any Error {
  /// Creates a result from an asynchronous throwing closure.
  init(_ body: () async throws -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
