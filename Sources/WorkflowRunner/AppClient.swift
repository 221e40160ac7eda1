import AppRegistration
import Effects
import IdentityPlatform
import OAuth
import OrderedCollections
import PublicClient
import RunTrace
import Synchronization
import Trust

/// An app in a workflow, with its public client, its current account, and its tokens.
final class AppClient: Sendable {
  private struct Token {
    /// The resource of the token, or nil for Microsoft Graph.
    var resource: String?
    var secret: Secret
    var scopes: [String]
  }

  private struct State {
    var application: PublicClientApplication
    var deviceMode: DeviceMode
    var account: Account?
    var tokens: [Token] = []
  }

  let settings: ResolvedSettings
  /// The store for the app's token cache.
  let store: any BlobStore
  private let make: @Sendable (DeviceMode, ClientProcess) throws(MSALError) -> PublicClientApplication
  private let state: Mutex<State>

  init(
    _ settings: ResolvedSettings, deviceMode: DeviceMode, world: World, http: any HTTPTransport, browser: any Browser,
    store: any BlobStore, trace: TraceRecorder, process: ClientProcess
  ) throws(MSALError) {
    self.settings = settings
    self.store = store
    make = { mode, process throws(MSALError) in
      var configuration = PublicClientConfiguration(settings)
      configuration.deviceMode = mode
      return try PublicClientApplication(
        configuration: configuration,
        environment: ClientEnvironment(
          world: world, http: http, browser: browser, store: store, trace: trace, process: process))
    }
    state = Mutex(State(application: try make(deviceMode, process), deviceMode: deviceMode))
  }

  private var deviceMode: DeviceMode { state.withLock { $0.deviceMode } }

  var application: PublicClientApplication { state.withLock { $0.application } }

  /// Creates a client for the same app in another process. The two processes share only the token cache.
  func inAnotherProcess() throws(MSALError) -> PublicClientApplication { try make(deviceMode, ClientProcess()) }

  /// Restarts the app with a different device mode. The app's state in memory is lost.
  func restart(on deviceMode: DeviceMode, _ process: ClientProcess) throws(MSALError) {
    let application = try make(deviceMode, process)
    state.withLock { state in
      state.application = application
      state.deviceMode = deviceMode
      state.tokens = []
    }
  }

  /// The account that was last loaded or signed in.
  var account: Account? { state.withLock { $0.account } }

  func select(_ account: Account?) {
    state.withLock { $0.account = account }
  }

  func remember(_ result: TokenResult) {
    state.withLock { state in
      state.account = result.account
      guard !result.accessToken.isEmpty else { return }
      state.tokens.append(
        Token(resource: filed(result.resource), secret: result.accessToken, scopes: result.scopes))
    }
  }

  /// Removes the account and its tokens from memory.
  func removeAccount(_ account: Account) {
    state.withLock { state in
      guard state.account == account else { return }
      state.account = nil
      state.tokens = []
    }
  }

  func removeAllAccounts() {
    state.withLock { state in
      state.account = nil
      state.tokens = []
    }
  }

  /// The most recent token for Microsoft Graph.
  var graphToken: Secret? {
    state.withLock { $0.tokens.last { $0.resource == nil }?.secret }
  }

  /// Returns the scopes that were granted for a token, or nil if the token belongs to another app.
  func scopes(of token: Secret) -> [String]? {
    state.withLock { $0.tokens.last { $0.secret == token }?.scopes }
  }

  /// Returns the hosts that can receive this app's tokens.
  func tokenDestinations(of setup: RunSetup) -> TokenDestinations {
    guard setup.isLive else { return .inProcess }
    return .network(issuer: settings.authority.url, grants: setup.world.environment.grants)
  }

  /// Returns the most recent token for the resource of these scopes. If there are no scopes, the URL determines the
  /// token: the most recent Graph token for a Microsoft Graph URL, and the most recent other token for any other URL. A
  /// Graph token is sent only to the origin of Microsoft Graph.
  func token(
    forScopes scopes: [String]?, at url: String
  ) -> (secret: Secret?, resource: TokenDestinations.Resource) {
    let isAtGraph = Origin(of: url).map { $0 == Origin(of: settings.graphEndpoint) } ?? false
    let token = state.withLock { state in
      if let scope = scopes?.first {
        let resource = filed(ScopeName(scope).resource)
        guard resource != nil || isAtGraph else { return nil as Token? }
        return state.tokens.last { $0.resource == resource }
      }
      return state.tokens.last { ($0.resource == nil) == isAtGraph }
    }
    return (token?.secret, isAtGraph ? .graph : .api)
  }

  /// Returns the key for the tokens of a resource, or nil for Microsoft Graph. Providers other than Microsoft do not
  /// use resources. Their tokens are valid for the provider's own endpoints and for the APIs that a step specifies.
  private func filed(_ resource: String?) -> String? {
    guard settings.authority.kind != .oidc || settings.authority.isMicrosofts else {
      return resource ?? settings.authority.url
    }
    return resource.flatMap { isGraph($0) ? nil : $0 }
  }

  private func isGraph(_ resource: String) -> Bool {
    resource == settings.graphEndpoint || resource + "/" == settings.graphEndpoint
      || resource == settings.graphEndpoint + "/" || resource == WellKnown.graphAppID
  }
}

extension PublicClientConfiguration {
  /// Creates the MSAL configuration from the app's settings.
  package init(_ settings: ResolvedSettings) {
    self.init(
      clientID: settings.clientID, authority: settings.authority, bundleID: settings.bundleID,
      redirectURI: settings.customRedirectURI)
    knownAuthorities = settings.knownAuthorities
    validateAuthority = settings.validatesAuthority
    extendedLifetimeEnabled = settings.extendedLifetimeEnabled
    clientApplicationCapabilities = settings.clientCapabilities.isEmpty ? nil : settings.clientCapabilities
    tokenExpirationBuffer = .milliseconds(Int64(settings.tokenExpirationBuffer * 1000))
    sliceConfig = SliceConfiguration(slice: settings.slice?.slice, dataCenter: settings.slice?.dataCenter)
    keychainSharingGroup = settings.keychainGroup
    multipleCloudsSupported = settings.multipleCloudsSupported
    bypassRedirectURIValidation = settings.bypassRedirectURIValidation
    for (name, value) in settings.extraQueryParameters { extraQueryParameters.append(name, value) }
    nestedAuthBrokerClientID = settings.nestedAuthBrokerClientID
    nestedAuthBrokerRedirectURI = settings.nestedAuthBrokerRedirectURI
    platform = settings.platform
    registeredSchemes = settings.registeredSchemes
    querySchemes = settings.querySchemes
    isAppExtension = settings.isAppExtension
    brokerAvailability = settings.brokerAvailability
    appVersion = settings.appVersion
    telemetryEnabled = settings.telemetryEnabled
    testServerClientSecret = settings.testServerClientSecret?.reveal()
  }
}
