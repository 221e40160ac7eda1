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

/// A public client with MSAL's semantics on an emulated platform: `MSALPublicClientApplication` for tests.
///
/// Accounts, the token cache, silent calls, refresh tokens, claims, throttling and errors behave as MSAL's do. The sign-in
/// page opens in a browser where ``user`` sits. An app that asks for tokens through a protocol of its own, as it must to
/// be testable at all, conforms this class to it in its tests and MSAL in the app; the README shows both.
///
/// ```swift
/// let client = try EmulatedPublicClient(on: platform)
/// let first = try await client.acquireToken(scopes: ["User.Read"])
/// let again = try await client.acquireTokenSilent(scopes: ["User.Read"], account: first.account)
/// #expect(again.source == .cache && client.interactions == 1)
/// ```
public final class EmulatedPublicClient: Sendable {
  /// The client id of the tutorial's app; any other works as well.
  public static let tutorialClientID = "6731de76-14a6-49ae-97bc-6eba6914391e"

  /// Where it signs in.
  public let platform: EmulatedPlatform
  private let settings: ResolvedSettings
  private let seat: EmulatedUserBrowser
  private let store: MemoryBlobStore
  private let application: PublicClientApplication

  /// - Parameters:
  ///   - platform: where it signs in. The client is registered there, and keeps the platform alive.
  ///   - clientID: any GUID.
  ///   - authority: as `MSALPublicClientApplicationConfig` takes it.
  ///   - clientApplicationCapabilities: what the app can do, such as `CP1` for claims challenges.
  /// - Throws: `AuthflowError` where MSAL could not make an application object of this.
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

  /// The app as its settings file describes it: `AuthSettings.plist` and its kin, in any syntax.
  /// - Parameters:
  ///   - platform: The emulator that the client signs in to.
  ///   - path: as ``WorkflowSuite`` takes it.
  ///   - definitions: values for `$(NAME)`.
  ///   - sourceFile: The file of the call, for relative paths.
  /// - Throws: `AuthflowError` with everything that is wrong with the settings.
  public convenience init(
    on platform: EmulatedPlatform, settings path: String, definitions: [String: String] = [:],
    sourceFile: String = #filePath
  ) throws(AuthflowError) {
    let world = ProjectFiles.world
    let loader = SettingsLoader(
      definitions: Definitions { definitions[$0] }, load: ProjectFiles.load(in: world))
    try self.init(on: platform, loader.load(ProjectFiles.path(path, calledFrom: sourceFile, in: world)))
  }

  private convenience init(on platform: EmulatedPlatform, _ loaded: LoadedSettings) throws(AuthflowError) {
    let told = loaded.diagnostics + [loaded.failure?.diagnostic].compactMap { $0 }
    guard let settings = loaded.resolved, !told.hasErrors else { throw AuthflowError(told) }
    platform.emulator.register(settings)
    try self.init(on: platform, settings, seat: EmulatedUserBrowser(on: platform), store: MemoryBlobStore())
  }

  private init(
    on platform: EmulatedPlatform, _ settings: ResolvedSettings, seat: EmulatedUserBrowser, store: MemoryBlobStore
  ) throws(AuthflowError) {
    self.platform = platform
    self.settings = settings
    self.seat = seat
    self.store = store
    let transport = platform.emulator.transport
    do {
      application = try PublicClientApplication(
        configuration: PublicClientConfiguration(settings), world: platform.time.world(http: transport),
        http: transport, browser: seat, store: store, trace: TraceRecorder(clock: platform.time.clock))
    } catch {
      throw AuthflowError(error.message, rule: error.outcomeName, about: "settings")
    }
  }

  // MARK: The user

  /// Who sits there when the next sign-in page opens; the directory's first user, who does everything right, by default.
  public var user: EmulatedUser {
    get { seat.user }
    set { seat.user = newValue }
  }

  /// How often the user was shown a page to sign in.
  public var interactions: Int { seat.interactions }

  /// The pages of the last visit: `username`, `password`, `mfa`, `consent` and so on.
  public var screens: [String] { seat.screens }

  // MARK: Accounts

  /// `allAccounts`: those that are signed in.
  public func accounts() throws -> [EmulatedAccount] {
    try translating { () throws(MSALError) in try application.accounts() }.map(EmulatedAccount.init)
  }

  /// `account(forIdentifier:)`; nil where there is none.
  public func account(forIdentifier identifier: String) throws -> EmulatedAccount? {
    try translating { () throws(MSALError) in try application.account(identifier: identifier) }.map(
      EmulatedAccount.init)
  }

  /// `getCurrentAccount`; nil where nobody is signed in.
  /// - Throws: `ambiguousAccount` (internal code -42102) where several are.
  public func currentAccount() throws -> EmulatedAccount? {
    try translating { () throws(MSALError) in try application.currentAccount().account }.map(EmulatedAccount.init)
  }

  // MARK: Tokens

  /// `acquireTokenSilent(with:)`: from the cache, else by the refresh token; never with the user.
  /// - Parameters:
  ///   - scopes: as an app asks for them, such as `User.Read`.
  ///   - account: The account that the token is for.
  ///   - forceRefresh: leaves cached access tokens alone.
  ///   - claims: A claims request, as JSON text. A malformed one fails with the internal code -42000.
  ///   - authority: The authority of this request, of the same kind as the client's own; by default, the client's own.
  /// - Throws: ``EmulatedMSALError``, `interactionRequired` above all, or `URLError` where the network fails.
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

  /// What the user is asked again although they are signed in: `MSALPromptType`.
  public enum Prompt: String, Hashable, Sendable {
    case selectAccount, login, consent, create, promptIfNecessary
  }

  /// `acquireToken(with:)`: with the user, in the browser.
  /// - Parameters:
  ///   - scopes: The permissions to request, such as `User.Read`.
  ///   - account: who is meant, where somebody is.
  ///   - loginHint: The username to enter on the sign-in page.
  ///   - prompt: The interaction that the sign-in page requires.
  ///   - claims: what a policy demands, from the error of a silent call.
  ///   - authority: The authority of this request; by default, the client's own.
  /// - Throws: ``EmulatedMSALError``, `userCanceled` and `serverDeclinedScopes` among them, or `URLError`.
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

  // MARK: Signing out, starting again

  /// `signout(with:signoutParameters:)`: the account's tokens leave the cache.
  /// - Parameters:
  ///   - account: The account to sign out.
  ///   - fromBrowser: whether the browser's session ends too.
  public func signOut(_ account: EmulatedAccount, fromBrowser: Bool = false) async throws {
    var parameters = SignOutParameters(account: account.account)
    parameters.signoutFromBrowser = fromBrowser
    let request = parameters
    let application = self.application
    try await outcome { () throws(MSALError) in _ = try await application.signOut(request) }
  }

  /// The same app after it was started again: it has the same cache and the same browser, and remembers nothing else.
  public func relaunched() throws(AuthflowError) -> EmulatedPublicClient {
    try EmulatedPublicClient(on: platform, settings, seat: seat, store: store)
  }

  // MARK: Translating

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
      throw Self.invalidParameter("the authority is malformed: \(error.words)")
    }
    return parameters
  }

  /// MSAL's error for a parameter that the app got wrong, -50000 with the internal code -42000.
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
