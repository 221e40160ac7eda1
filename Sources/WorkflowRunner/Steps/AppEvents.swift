import AppRegistration
import Diagnostics
import Directory
import Documents
import Effects
import OrderedCollections
import PublicClient
import RunTrace
import TokenCache
import Trust
import WorkflowModel

// What happens on the app's own side: sign-ins in another process of it, its cache, its device.

extension StepPerformer {
  /// The app that an event names by its name in the workflow, else the occasion's.
  func app(_ subject: Directory.SimulatedEvent.Subject, _ occasion: EventContext) throws(EventError) -> AppClient {
    guard let name = subject.client else { return occasion.app }
    if let app = apps[name] ?? apps.values.first(where: { $0.settings.clientID.lowercased() == name.lowercased() }) {
      return app
    }
    throw .impossible(
      "there is no client called \"\(name)\"", help: "the clients are \(apps.keys.joined(separator: ", "))")
  }

  /// Whom an event is about where it does not say: whose account the app is at, else who sits there.
  func user(_ occasion: EventContext) -> String? {
    occasion.app.account?.username ?? (try? occasion.seat(interactions))?.username
  }

  /// The user has signed in with the app, for real and in another process of it: the cache, the browser and the platform
  /// hold what that leaves. The user does whatever the sign-in asks for.
  func signIn(_ subject: Directory.SimulatedEvent.Subject, _ occasion: EventContext) async throws(EventError) {
    let app = try app(subject, occasion)
    var user = ResolvedUserBehavior()
    user.username = subject.user ?? self.user(occasion)
    let seated = user
    var parameters = InteractiveParameters(PublicClient.TokenParameters(scopes: subject.scopes ?? app.settings.scopes))
    parameters.promptType = .login
    parameters.loginHint = user.username
    let request = parameters
    do throws(MSALError) {
      let application = try app.inAnotherProcess()
      let seat = UserBehaviorProvider(counted: false) { _ in seated }
      let outcome = await RunBrowser.$seat.withValue(seat) { () async -> Result<Void, MSALError> in
        do throws(MSALError) {
          _ = try await application.acquireToken(request)
          return .success(())
        } catch {
          return .failure(error)
        }
      }
      try outcome.get()
    } catch {
      let code = error.serverCode.map { "\($0), " } ?? ""
      throw .impossible(
        "\(user.username ?? "the user") could not sign in: \(error.message) [\(code)\(error.outcomeName)]",
        help: "what stands in the way must happen after the sign-in")
    }
  }

  /// The user has signed out in another process of the app: what this one finds in the cache is gone.
  func signOut(_ subject: Directory.SimulatedEvent.Subject, _ occasion: EventContext) async throws(EventError) {
    let app = try app(subject, occasion)
    do throws(MSALError) {
      let application = try app.inAnotherProcess()
      let accounts = try application.accounts()
        .filter { account in subject.user.map { $0.lowercased() == account.username.lowercased() } ?? true }
      for account in accounts { try await application.signOut(SignOutParameters(account: account)) }
    } catch {
      throw .impossible(error.message, help: nil)
    }
  }

  /// The device is whoever's turn it is from now on: every app is started again on it.
  func share() throws(EventError) {
    do throws(MSALError) {
      let process = ClientProcess()
      for app in apps.values { try app.restart(on: .shared, process) }
    } catch {
      throw .impossible("an app cannot be started again: \(error.message)", help: nil)
    }
  }

  /// Time passes until every access token in the caches of the apps has expired.
  /// - Returns: whether there is one.
  func passUntilAccessTokensExpire() async throws(EventError) -> Bool {
    let now = setup.world.clock.now
    var last: Instant?
    for app in apps.values {
      guard let contents = try? UnifiedTokenCache(store: app.store).contents() else { continue }
      contents.forEachEntry(.accessToken) { _, entry in
        guard let expires = AccessTokenRecord(fields: entry.object ?? [:]).expiresOn else { return }
        last = max(last ?? expires, expires)
      }
    }
    guard let last else { return false }
    if last >= now { try await pass(last - now + .seconds(1)) }
    return true
  }

  /// The cache breaks off in the middle, as after a full disk.
  func corruptCaches() throws(EventError) {
    try change { bytes in
      guard let bytes, bytes.count > 1 else { return Array(#"{"AccessToken": {"#.utf8) }
      return Array(bytes.prefix(bytes.count / 2))
    }
  }

  /// Replaces the cache by the one in a file.
  /// - Parameter place: where the file is named; its path is relative to that document.
  func loadCache(_ file: String, namedAt place: FileSpan) throws(EventError) {
    let path = SettingsLoader.path(file, besides: place.source.name)
    if let violation = projectRoots.violation(reading: path) {
      throw .impossible(violation.message, help: violation.help)
    }
    do {
      let bytes = try setup.world.files.read(path, limit: 16 << 20)
      _ = try CacheContents(bytes: bytes)
      try change { _ in bytes }
    } catch let failure as FileFailure {
      throw .impossible("\(path): \(failure.explanation)", help: nil)
    } catch let failure as TokenCacheFailure {
      throw .impossible("\(path): \(failure.explanation)", help: "it must hold MSAL's unified schema as JSON")
    } catch {
      throw .impossible("\(path) cannot be read", help: nil)
    }
  }

  private func change(_ bytes: ([UInt8]?) -> [UInt8]) throws(EventError) {
    guard setup.ownsCache else {
      throw .impossible("the token cache is kept for later runs", help: "run it with --fresh, or as a scenario")
    }
    do {
      for app in apps.values {
        try app.store.exclusively { blob in _ = try blob.replace(with: bytes(try blob.read().bytes)) }
      }
    } catch {
      throw .impossible("the token cache cannot be written", help: nil)
    }
  }
}
