import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

typealias TraceFacts = OrderedDictionary<String, TraceValue>

/// The external services of a client.
package struct ClientEnvironment: Sendable {
  package var world: World
  package var http: any HTTPTransport
  package var browser: any Browser
  /// The store of the token cache.
  package var store: any BlobStore
  package var trace: TraceRecorder
  /// The state that the client shares with other clients in the same process.
  package var process: ClientProcess

  package init(
    world: World, http: any HTTPTransport, browser: any Browser, store: any BlobStore, trace: TraceRecorder,
    process: ClientProcess = ClientProcess()
  ) {
    self.world = world
    self.http = http
    self.browser = browser
    self.store = store
    self.trace = trace
    self.process = process
  }
}

/// The dependencies of a client's requests.
struct RequestDependencies: Sendable {
  let configuration: PublicClientConfiguration
  /// The redirect URI, determined by MSAL's rules. Nil only on iOS, if validation is bypassed, the app does not set a
  /// redirect URI, and the scheme of the default URI is not registered.
  let redirectURI: String?
  let world: World
  let browser: any Browser
  let cache: UnifiedTokenCache
  let storeIdentity: StoreIdentity
  let trace: TraceRecorder
  let client: EndpointClient
  let resolver: AuthorityResolver
  let providers: ProviderMetadataCache
  let process: ClientProcess
  let telemetry: Telemetry
  let authorities = AuthorityCache()

  init(configuration: PublicClientConfiguration, redirectURI: String?, environment: ClientEnvironment) {
    self.configuration = configuration
    self.redirectURI = redirectURI
    world = environment.world
    browser = environment.browser
    trace = environment.trace
    process = environment.process
    telemetry = process.telemetry(of: configuration.clientID)
    cache = UnifiedTokenCache(store: environment.store)
    storeIdentity = StoreIdentity(environment.store)
    client = EndpointClient(http: environment.http, clock: world.clock, trace: trace)
    resolver = AuthorityResolver(
      configuration: configuration, client: client, clouds: process.clouds, trace: trace)
    providers = ProviderMetadataCache(client: client, trace: trace)
  }

  var throttling: Throttling { process.throttling }
  var tokenEndpoint: TokenEndpoint { TokenEndpoint(client: client, configuration: configuration) }
  var verification: IDTokenVerification { IDTokenVerification(providers: providers, trace: trace) }
  var responseProcessor: TokenResponseProcessor {
    TokenResponseProcessor(configuration: configuration, cache: cache, clock: world.clock, trace: trace)
  }

  /// Returns the headers for a request.
  /// - Parameter call: The API and the refresh reason to send as telemetry in a token request, or nil for other
  ///   requests.
  func headers(
    correlationID: String, account: Account? = nil, clientInfo: ClientInfo? = nil, loginHint: String? = nil,
    telemetry call: (Telemetry.API, Telemetry.RefreshReason)? = nil
  ) -> HTTPFields {
    let telemetryHeaders = configuration.telemetryEnabled ? call.map { telemetry.headers($0, $1) } : nil
    return ClientIdentity(configuration: configuration).headers(
      correlationID: correlationID,
      anchorMailbox: ClientIdentity.anchorMailbox(account: account, clientInfo: clientInfo, loginHint: loginHint),
      telemetry: telemetryHeaders ?? [:])
  }

  /// Returns `authority`, or the client's authority if the request does not set one.
  /// - Throws: An error if the two authorities have different kinds.
  func requestAuthority(_ authority: Authority?) throws(MSALError) -> Authority {
    guard let authority else { return configuration.authority }
    guard authority.kind == configuration.authority.kind else {
      throw MSALError(
        .invalidDeveloperParameter,
        "the request's authority has the type `\(authority.kind.rawValue)`, but the client's authority has the type `\(configuration.authority.kind.rawValue)`"
      )
    }
    return authority
  }

  func contents() throws(MSALError) -> CacheContents {
    do {
      return try cache.contents()
    } catch {
      throw MSALError(error)
    }
  }

  func updateCache(reason: String, _ change: (inout CacheContents) -> Void) throws(MSALError) {
    do {
      let changes = try cache.update(change).changes
      trace.recordCacheWritten(changes, reason: reason)
    } catch let failure as TokenCacheFailure {
      throw MSALError(failure)
    } catch {
      throw MSALError(.internal, "\(error)")
    }
  }

  /// Changes the cache, for example to remove unusable tokens. Records a write error without failing the request.
  func tidyCache(reason: String, _ change: (inout CacheContents) -> Void) {
    do {
      try updateCache(reason: reason, change)
    } catch {
      trace.recordDecision("cache", "not written", reason: "\(error.message); intended change: \(reason)")
    }
  }

  /// Returns the parameters that MSAL adds to the query of the authorization and token endpoints.
  func endpointQuery(_ context: RequestContext) -> Parameters {
    var query = configuration.sliceConfig.parameters
    query.appendMissing(context.extraQueryParameters)
    return query
  }

  /// Returns the parameters that every token request contains, regardless of the grant type.
  func grantForm(_ grant: String, _ context: RequestContext, scope: String) -> Parameters {
    var form: Parameters = ["client_id": configuration.clientID, "scope": scope, "grant_type": grant]
    if context.authority.kind != .oidc { form.append("client_info", "1") }
    form.append("claims", ifPresent: context.claims)
    return form
  }

  /// Creates a token request.
  func tokenRequest(
    _ metadata: ProviderMetadata, _ context: RequestContext, form: Parameters, headers: HTTPFields,
    endpoint: String? = nil
  ) -> TokenEndpoint.Request {
    var request = TokenEndpoint.Request(
      endpoint: endpoint ?? metadata.tokenEndpoint, query: endpointQuery(context), form: form, headers: headers)
    request.authenticate(configuration, context.authority, metadata)
    return request
  }

  /// Returns the claims from the userinfo endpoint, or nil if the request does not require them.
  func userInfo(
    _ context: RequestContext, _ metadata: ProviderMetadata, subject: String?, accessToken: Secret?
  ) async throws(MSALError) -> JSON? {
    guard context.checksUserInfo else { return nil }
    return try await UserInfoRequest(client: client, metadata: metadata).claims(for: subject, accessToken: accessToken)
  }
}

extension Authority {
  /// The tenant in cache entries.
  var realm: String { tenant?.segment ?? "oidc" }
}
