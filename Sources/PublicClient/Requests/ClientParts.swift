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
struct ClientParts: Sendable {
  let configuration: PublicClientConfiguration
  /// The redirect URI after MSAL's rules; nil only where validation is bypassed and none was given.
  let redirectURI: String?
  let world: World
  let browser: any Browser
  let cache: UnifiedTokenCache
  let trace: TraceRecorder
  let client: EndpointClient
  let resolver: AuthorityResolver
  let providers: ProviderKnowledge
  let telemetry = Telemetry()
  let throttling = Throttling()
  let redemptions = SharedRedemptions()
  let session = InteractiveSession()

  init(
    configuration: PublicClientConfiguration, redirectURI: String?, world: World, http: any HTTPTransport,
    browser: any Browser, store: any BlobStore, trace: TraceRecorder
  ) {
    self.configuration = configuration
    self.redirectURI = redirectURI
    self.world = world
    self.browser = browser
    self.trace = trace
    cache = UnifiedTokenCache(store: store)
    client = EndpointClient(http: http, clock: world.clock, trace: trace)
    resolver = AuthorityResolver(configuration: configuration, client: client, trace: trace)
    providers = ProviderKnowledge(client: client, trace: trace)
  }

  var tokenEndpoint: TokenEndpoint { TokenEndpoint(client: client, configuration: configuration) }
  var verification: IDTokenVerification { IDTokenVerification(providers: providers, trace: trace) }
  var intake: TokenIntake {
    TokenIntake(configuration: configuration, cache: cache, clock: world.clock, trace: trace)
  }

  func headers(
    correlationID: String, account: Account? = nil, clientInfo: ClientInfo? = nil, loginHint: String? = nil,
    telemetry headers: HTTPFields = [:]
  ) -> HTTPFields {
    ClientIdentity(configuration: configuration).headers(
      correlationID: correlationID,
      anchorMailbox: ClientIdentity.anchorMailbox(account: account, clientInfo: clientInfo, loginHint: loginHint),
      telemetry: configuration.telemetryEnabled ? headers : [:])
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

  func updateCache(why: String, _ change: (inout CacheContents) -> Void) throws(MSALError) {
    do {
      let changes = try cache.update(change).changes
      trace.recordCacheWritten(changes, why: why)
    } catch let failure as TokenCacheFailure {
      throw MSALError(failure)
    } catch {
      throw MSALError(.internal, "\(error)")
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
    if context.authority.kind == .oidc, !context.authority.isMicrosofts {
      form.append("client_secret", ifPresent: configuration.testServerClientSecret)
    }
    return form
  }
}

extension MSALError {
  init(_ failure: TokenCacheFailure) {
    self.init(.cacheBadFormat, failure.explanation)
  }
}

extension Authority {
  /// The tenant as the cache files it.
  var realm: String { tenant?.segment ?? "oidc" }
}
