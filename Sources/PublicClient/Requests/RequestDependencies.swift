import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

typealias TraceFacts = OrderedDictionary<String, TraceValue>

/// What every request of one application works with.
struct RequestDependencies: Sendable {
  let configuration: PublicClientConfiguration
  /// The redirect URI after MSAL's rules; nil only if validation is bypassed, none is set, and the scheme of the default
  /// is not registered (iOS).
  let redirectURI: String?
  let world: World
  let browser: any Browser
  let cache: UnifiedTokenCache
  /// Which store the cache is kept in.
  let storeIdentity: StoreIdentity
  let trace: TraceRecorder
  let client: EndpointClient
  let resolver: AuthorityResolver
  let providers: ProviderMetadataCache
  let process: ClientProcess
  let telemetry: Telemetry
  let authorityMemo = AuthorityCache()

  init(
    configuration: PublicClientConfiguration, redirectURI: String?, world: World, http: any HTTPTransport,
    browser: any Browser, store: any BlobStore, trace: TraceRecorder, process: ClientProcess
  ) {
    self.configuration = configuration
    self.redirectURI = redirectURI
    self.world = world
    self.browser = browser
    self.trace = trace
    self.process = process
    telemetry = process.telemetry(of: configuration.clientID)
    cache = UnifiedTokenCache(store: store)
    storeIdentity = StoreIdentity(store)
    client = EndpointClient(http: http, clock: world.clock, trace: trace)
    resolver = AuthorityResolver(
      configuration: configuration, client: client, clouds: process.clouds, trace: trace)
    providers = ProviderMetadataCache(client: client, trace: trace)
  }

  var throttling: Throttling { process.throttling }
  var tokenEndpoint: TokenEndpoint { TokenEndpoint(client: client, configuration: configuration) }
  var verification: IDTokenVerification { IDTokenVerification(providers: providers, trace: trace) }
  var intake: TokenResponseProcessor {
    TokenResponseProcessor(configuration: configuration, cache: cache, clock: world.clock, trace: trace)
  }

  /// - Parameter telemetry: the call and the reason that are told with a token request; nil tells nothing.
  func headers(
    correlationID: String, account: Account? = nil, clientInfo: ClientInfo? = nil, loginHint: String? = nil,
    telemetry told: (Telemetry.API, Telemetry.RefreshReason)? = nil
  ) -> HTTPFields {
    let history = configuration.telemetryEnabled ? told.map { telemetry.headers($0, $1) } : nil
    return ClientIdentity(configuration: configuration).headers(
      correlationID: correlationID,
      anchorMailbox: ClientIdentity.anchorMailbox(account: account, clientInfo: clientInfo, loginHint: loginHint),
      telemetry: history ?? [:])
  }

  /// The authority of a request: its own, of the application's class, else the application's.
  func requestAuthority(_ own: Authority?) throws(MSALError) -> Authority {
    guard let own else { return configuration.authority }
    guard own.kind == configuration.authority.kind else {
      throw MSALError(
        .invalidDeveloperParameter,
        "the request's authority is of kind \(own.kind.rawValue), the application's of \(configuration.authority.kind.rawValue)"
      )
    }
    return own
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

  /// Removes what is of no use any more. A cache that cannot be written does not fail the call that noticed.
  func tidyCache(reason: String, _ change: (inout CacheContents) -> Void) {
    do {
      try updateCache(reason: reason, change)
    } catch {
      trace.recordDecision("cache", "not written", reason: "\(error.message); wanted: \(reason)")
    }
  }

  /// The parameters that MSAL puts into the query of both endpoints.
  func endpointQuery(_ context: RequestContext) -> Parameters {
    var query = configuration.sliceConfig.parameters
    query.appendMissing(context.extraQueryParameters)
    return query
  }

  /// What every token request carries beside its grant.
  func grantForm(_ grant: String, _ context: RequestContext, scope: String) -> Parameters {
    var form: Parameters = ["client_id": configuration.clientID, "scope": scope, "grant_type": grant]
    if context.authority.kind != .oidc { form.append("client_info", "1") }
    form.append("claims", ifPresent: context.claims)
    return form
  }

  /// A token request to a provider.
  func tokenRequest(
    _ metadata: ProviderMetadata, _ context: RequestContext, form: Parameters, headers: HTTPFields,
    endpoint: String? = nil
  ) -> TokenEndpoint.Request {
    var request = TokenEndpoint.Request(
      endpoint: endpoint ?? metadata.tokenEndpoint, query: endpointQuery(context), form: form, headers: headers)
    request.authenticate(configuration, context.authority, metadata)
    return request
  }

  /// The claims of the userinfo endpoint, where the call asks for them.
  func userInfo(
    _ context: RequestContext, _ metadata: ProviderMetadata, subject: String?, accessToken: Secret?
  ) async throws(MSALError) -> JSON? {
    guard context.checksUserInfo else { return nil }
    return try await UserInfoRequest(client: client, metadata: metadata).claims(for: subject, accessToken: accessToken)
  }
}

extension Authority {
  /// The tenant as the cache files it.
  var realm: String { tenant?.segment ?? "oidc" }
}
