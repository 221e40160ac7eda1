import AppRegistration
import Diagnostics
import Documents
import Effects
import Foundation
import IdentityEmulator
import IdentityPlatform
import OAuth
import OrderedCollections
import PublicClient
import RunTrace
import Scenarios
import SimulatedWorld
import WorkflowRunner

/// A public client for an emulated platform that behaves like `MSALPublicClientApplication`.
///
/// Accounts, the token cache, silent requests, refresh tokens, claims, throttling, and errors behave as in MSAL.
/// Sign-in pages open in a browser with the simulated ``user``. If your app requests tokens through its own protocol,
/// conform this class to the protocol in tests, and conform MSAL's class to it in the app. See <doc:AppTests>.
///
/// ```swift
/// let client = try EmulatedPublicClient(on: platform)
/// let first = try await client.acquireToken(scopes: ["User.Read"])
/// let again = try await client.acquireTokenSilent(scopes: ["User.Read"], account: first.account)
/// #expect(again.source == .cache && client.interactions == 1)
/// ```
public final class EmulatedPublicClient: Sendable {
  /// The client ID of the app in Microsoft's tutorial. You can also use any other ID.
  public static let tutorialClientID = "6731de76-14a6-49ae-97bc-6eba6914391e"

  /// The platform that the client signs in to.
  public let platform: EmulatedPlatform
  private let settings: ResolvedSettings
  private let userBrowser: EmulatedUserBrowser
  private let store: MemoryBlobStore
  private let application: PublicClientApplication

  /// - Parameters:
  ///   - platform: The platform that the client signs in to. The client registers with it and keeps it alive.
  ///   - clientID: The client ID, which can be any GUID.
  ///   - authority: The authority, as in `MSALPublicClientApplicationConfig`.
  ///   - clientApplicationCapabilities: The capabilities of the app, such as `CP1` for claims challenges.
  /// - Throws: `AuthflowError` if MSAL would reject the configuration.
  public convenience init(
    on platform: EmulatedPlatform, clientID: String = EmulatedPublicClient.tutorialClientID,
    authority: String = "https://login.microsoftonline.com/common", clientApplicationCapabilities: [String] = []
  ) throws(AuthflowError) {
    var settings: JSON = [
      "AppId": .string(clientID), "Authority": .string(authority), "BundleId": "com.contoso.app",
      "GraphScopes": ["User.Read"],
    ]
    if !clientApplicationCapabilities.isEmpty {
      settings["ClientCapabilities"] = .array(clientApplicationCapabilities.map { .string($0) })
    }
    let loader = SettingsLoader(load: ProjectFiles.load(in: ProjectFiles.world))
    try self.init(on: platform, loader.load(Document.of(settings, name: "settings").root))
  }

  /// Creates a client from a settings file, such as `AuthSettings.plist`.
  /// - Parameters:
  ///   - platform: The platform that the client signs in to.
  ///   - path: The file path, which is resolved as in ``WorkflowSuite``.
  ///   - definitions: The values of references such as `$(NAME)` in the settings.
  ///   - sourceFile: The calling source file, for resolving relative paths.
  /// - Throws: `AuthflowError` with all errors in the settings.
  public convenience init(
    on platform: EmulatedPlatform, settings path: String, definitions: [String: String] = [:],
    sourceFile: String = #filePath
  ) throws(AuthflowError) {
    let world = ProjectFiles.world
    let loader = SettingsLoader(
      definitions: Definitions { definitions[$0] }, load: ProjectFiles.load(in: world))
    try self.init(on: platform, loader.load(ProjectFiles.path(path, calledFrom: sourceFile, in: world)))
  }

  /// Creates a client from a settings file, for example a resource of the test bundle.
  /// - Parameters:
  ///   - platform: The platform that the client signs in to.
  ///   - url: A file URL.
  ///   - definitions: The values of references such as `$(NAME)` in the settings.
  /// - Throws: `AuthflowError` with all errors in the settings.
  public convenience init(
    on platform: EmulatedPlatform, settings url: URL, definitions: [String: String] = [:]
  ) throws(AuthflowError) {
    try self.init(on: platform, settings: ProjectFiles.path(of: url), definitions: definitions, sourceFile: "")
  }

  private convenience init(on platform: EmulatedPlatform, _ loaded: LoadedSettings) throws(AuthflowError) {
    let findings = loaded.diagnostics + [loaded.failure?.diagnostic].compactMap { $0 }
    guard let settings = loaded.resolved, !findings.hasErrors else { throw AuthflowError(findings) }
    platform.emulator.register(settings)
    try self.init(on: platform, settings, userBrowser: EmulatedUserBrowser(on: platform), store: MemoryBlobStore())
  }

  private init(
    on platform: EmulatedPlatform, _ settings: ResolvedSettings, userBrowser: EmulatedUserBrowser,
    store: MemoryBlobStore
  ) throws(AuthflowError) {
    self.platform = platform
    self.settings = settings
    self.userBrowser = userBrowser
    self.store = store
    let transport = platform.emulator.transport
    do {
      application = try PublicClientApplication(
        configuration: PublicClientConfiguration(settings),
        environment: ClientEnvironment(
          world: platform.time.world(http: transport), http: transport, browser: userBrowser, store: store,
          trace: TraceRecorder(clock: platform.time.clock)))
    } catch {
      throw AuthflowError(error.message, rule: error.outcomeName, about: "settings")
    }
  }

  // MARK: The user

  /// The behavior of the simulated user. By default, the simulated user is the directory's first user and completes all
  /// pages.
  public var user: EmulatedUser {
    get { userBrowser.user }
    set { userBrowser.user = newValue }
  }

  /// The number of visits to a sign-in page.
  public var interactions: Int { userBrowser.interactions }

  /// The types of the pages that the last visit showed, such as `username`, `password`, `mfa`, and `consent`.
  public var screens: [String] { userBrowser.screens }

  // MARK: Accounts

  /// Returns all signed-in accounts, like `allAccounts`.
  public func accounts() throws -> [EmulatedAccount] {
    try translating { () throws(MSALError) in try application.accounts() }.map(EmulatedAccount.init)
  }

  /// Returns the account with this identifier, or nil if there is none. Corresponds to MSAL's
  /// `account(forIdentifier:)`.
  public func account(forIdentifier identifier: String) throws -> EmulatedAccount? {
    try translating { () throws(MSALError) in try application.account(identifier: identifier) }.map(
      EmulatedAccount.init)
  }

  /// Returns the signed-in account, or nil if no account is signed in. Corresponds to MSAL's `getCurrentAccount`.
  /// - Throws: `ambiguousAccount` (internal code -42102) if several accounts are signed in.
  public func currentAccount() throws -> EmulatedAccount? {
    try translating { () throws(MSALError) in try application.currentAccount().account }.map(EmulatedAccount.init)
  }

  // MARK: Tokens

  /// Returns a token without user interaction, like `acquireTokenSilent(with:)`. The token comes from the cache, or
  /// from the service in exchange for the refresh token.
  /// - Parameters:
  ///   - scopes: The scopes to request, such as `User.Read`.
  ///   - account: The account to request a token for.
  ///   - forceRefresh: Whether to ignore cached access tokens.
  ///   - claims: A claims request as JSON text. If the text is malformed, the call fails with the internal code -42000.
  ///   - authority: The authority for this request. It must have the same type as the client's authority, which is
  ///     the default.
  /// - Throws: ``EmulatedMSALError``, such as `interactionRequired`, or `URLError` if the network fails.
  public func acquireTokenSilent(
    scopes: [String], account: EmulatedAccount, forceRefresh: Bool = false, claims: String? = nil,
    authority: String? = nil
  ) async throws -> EmulatedToken {
    var parameters = SilentParameters(try parameters(scopes, account, claims, authority))
    parameters.forceRefresh = forceRefresh
    let request = parameters
    let application = self.application
    return try await token { () throws(MSALError) in try await application.acquireTokenSilent(request) }
  }

  /// The interaction that the sign-in page requires, like `MSALPromptType`.
  public enum Prompt: String, Hashable, Sendable {
    case selectAccount, login, consent, create, promptIfNecessary
  }

  /// Returns a token with user interaction in the browser, like `acquireToken(with:)`.
  /// - Parameters:
  ///   - scopes: The scopes to request, such as `User.Read`.
  ///   - account: The account that must sign in, or nil for any account.
  ///   - loginHint: The username to enter on the sign-in page.
  ///   - prompt: The interaction that the sign-in page requires.
  ///   - claims: The claims challenge from a failed silent request.
  ///   - authority: The authority for this request. The default is the client's authority.
  /// - Throws: ``EmulatedMSALError``, such as `userCanceled` or `serverDeclinedScopes`, or `URLError` if the network
  ///   fails.
  public func acquireToken(
    scopes: [String], account: EmulatedAccount? = nil, loginHint: String? = nil,
    prompt: Prompt = .promptIfNecessary, claims: String? = nil, authority: String? = nil
  ) async throws -> EmulatedToken {
    var parameters = InteractiveParameters(try parameters(scopes, account, claims, authority))
    parameters.loginHint = loginHint
    parameters.promptType =
      switch prompt {
      case .selectAccount: .selectAccount
      case .login: .login
      case .consent: .consent
      case .create: .create
      case .promptIfNecessary: .promptIfNecessary
      }
    let request = parameters
    let application = self.application
    return try await token { () throws(MSALError) in try await application.acquireToken(request) }
  }

  // MARK: Sign-out and restart

  /// Signs out an account and removes its tokens from the cache, like `signout(with:signoutParameters:)`.
  /// - Parameters:
  ///   - account: The account to sign out.
  ///   - fromBrowser: Whether to also end the browser session.
  public func signOut(_ account: EmulatedAccount, fromBrowser: Bool = false) async throws {
    var parameters = SignOutParameters(account: account.account)
    parameters.signoutFromBrowser = fromBrowser
    let request = parameters
    let application = self.application
    try await outcome { () throws(MSALError) in _ = try await application.signOut(request) }
  }

  /// Returns a new client with the same cache and browser but no other state, as if the app had restarted.
  public func relaunched() throws(AuthflowError) -> EmulatedPublicClient {
    try EmulatedPublicClient(on: platform, settings, userBrowser: userBrowser, store: store)
  }

  // MARK: Conversions

  private func parameters(
    _ scopes: [String], _ account: EmulatedAccount?, _ claims: String?, _ authority: String?
  ) throws -> TokenParameters {
    var parameters = TokenParameters(scopes: scopes, account: account?.account)
    do {
      parameters.claimsRequest = try claims.map { text throws(ClaimsRequestFailure) in try ClaimsRequest(parsing: text)
      }
    } catch {
      throw Self.invalidParameter("the claims request is malformed: \(error.reason)")
    }
    let kind = settings.authority.kind
    do {
      parameters.authority = try authority.map { text throws(AuthorityError) in
        try Authority(parsing: text, forAppOf: kind)
      }
    } catch {
      throw Self.invalidParameter("the authority is malformed: \(error.message)")
    }
    return parameters
  }

  /// Returns MSAL's error for an invalid parameter, which has the code -50000 and the internal code -42000.
  private static func invalidParameter(_ words: String) -> any Error {
    EmulatedMSALError.thrown(MSALError(MSALFailure(.invalidParameter, words)))
  }

  private func token(
    _ request: @escaping @Sendable () async throws(MSALError) -> TokenResult
  ) async throws -> EmulatedToken {
    EmulatedToken(try await outcome(request))
  }

  private func outcome<Value: Sendable>(
    _ request: @escaping @Sendable () async throws(MSALError) -> Value
  ) async throws -> Value {
    let result = await platform.time.run { () async -> Result<Value, MSALError> in
      do throws(MSALError) {
        return .success(try await request())
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): throw EmulatedMSALError.thrown(error)
    }
  }

  private func translating<Value>(_ call: () throws(MSALError) -> Value) throws -> Value {
    do throws(MSALError) {
      return try call()
    } catch {
      throw EmulatedMSALError.thrown(error)
    }
  }
}
