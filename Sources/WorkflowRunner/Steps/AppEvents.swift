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

// Events in the app. They affect its cache, its device, or its sign-ins in another process.

extension StepPerformer {
  /// Returns the app that an event specifies, or the app in the context.
  func app(_ subject: Directory.SimulatedEvent.Subject, _ context: EventContext) throws(EventError) -> AppClient {
    guard let name = subject.client else { return context.app }
    if let app = apps[name] ?? apps.values.first(where: { $0.settings.clientID.lowercased() == name.lowercased() }) {
      return app
    }
    throw .impossible(
      "unknown client `\(name)`", help: "the clients are \(apps.keys.joined(separator: ", "))")
  }

  /// Returns the default user of an event: the user of the app's account, or the simulated user.
  func user(_ context: EventContext) -> String? {
    context.app.account?.username ?? (try? context.userBehavior(interactions))?.username
  }

  /// Signs the user in to the app in another process, which updates the cache, the browser, and the platform. The user
  /// completes all pages.
  func signIn(_ subject: Directory.SimulatedEvent.Subject, _ context: EventContext) async throws(EventError) {
    let app = try app(subject, context)
    var user = ResolvedUserBehavior()
    user.username = subject.user ?? self.user(context)
    let seated = user
    var parameters = InteractiveParameters(PublicClient.TokenParameters(scopes: subject.scopes ?? app.settings.scopes))
    parameters.promptType = .login
    parameters.loginHint = user.username
    let request = parameters
    do throws(MSALError) {
      let application = try app.inAnotherProcess()
      let userBehavior = UserBehaviorProvider(counted: false) { _ in seated }
      let outcome = await RunBrowser.$userBehavior.withValue(userBehavior) { () async -> Result<Void, MSALError> in
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
        "\(user.username ?? "the user") cannot sign in: \(error.message) [\(code)\(error.outcomeName)]",
        help: "move the event that prevents this sign-in to a later position")
    }
  }

  /// Signs the user out of the app in another process, which removes the account from the cache.
  func signOut(_ subject: Directory.SimulatedEvent.Subject, _ context: EventContext) async throws(EventError) {
    let app = try app(subject, context)
    do throws(MSALError) {
      let application = try app.inAnotherProcess()
      let accounts = try application.accounts()
        .filter { account in subject.user.map { $0.lowercased() == account.username.lowercased() } ?? true }
      for account in accounts { try await application.signOut(SignOutParameters(account: account)) }
    } catch {
      throw .impossible(error.message, help: nil)
    }
  }

  /// Switches the device to shared device mode and restarts all apps.
  func share() throws(EventError) {
    do throws(MSALError) {
      let process = ClientProcess()
      for app in apps.values { try app.restart(on: .shared, process) }
    } catch {
      throw .impossible("cannot restart an app: \(error.message)", help: nil)
    }
  }

  /// Advances the clock until all cached access tokens have expired.
  /// - Returns: Whether the cache contains an access token.
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

  /// Truncates the caches, as if the disk had been full.
  func corruptCaches() throws(EventError) {
    try change { bytes in
      guard let bytes, bytes.count > 1 else { return Array(#"{"AccessToken": {"#.utf8) }
      return Array(bytes.prefix(bytes.count / 2))
    }
  }

  /// Replaces the cache with the contents of a file.
  /// - Parameter place: The location of the file name in a document. The file name is relative to this document.
  func loadCache(_ file: String, namedAt place: FileSpan) throws(EventError) {
    let path = SettingsLoader.path(file, relativeTo: place.source.name)
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
      throw .impossible("\(path): \(failure.explanation)", help: "pass a cache in MSAL's unified schema (JSON)")
    } catch {
      throw .impossible("cannot read \(path)", help: nil)
    }
  }

  private func change(_ bytes: ([UInt8]?) -> [UInt8]) throws(EventError) {
    guard setup.ownsCache else {
      throw .impossible("the token cache is saved for later runs", help: "use `--fresh` or a scenario")
    }
    do {
      for app in apps.values {
        try app.store.exclusively { blob in _ = try blob.replace(with: bytes(try blob.read().bytes)) }
      }
    } catch {
      throw .impossible("cannot write the token cache", help: nil)
    }
  }
}
