import Effects
import IdentityPlatform
import OAuth
import RunTrace

/// The authorize request: where the browser is sent, and what must come back.
struct AuthorizeRequest: Sendable {
  let url: String
  /// Where the answer comes back.
  let redirectURI: String
  let pkce: PKCE
  let state: Secret
  let nonce: String

  /// Writes the parameters in MSAL's order. What the endpoint's own query holds is never overwritten.
  init(
    endpoint: String, redirectURI: String, parameters: InteractiveParameters, prompt: PromptType,
    context: RequestContext,
    parts: RequestDependencies
  ) {
    self.redirectURI = redirectURI
    let randomness = parts.world.randomness
    pkce = PKCE(from: randomness)
    state = StateAndNonce.state(from: randomness)
    nonce = StateAndNonce.nonce(from: randomness)
    var endpoint = URLReference(endpoint)
    var query = endpoint.parameters
    query.appendMissing(
      Self.query(parameters, prompt, context, parts, redirectURI: redirectURI, pkce: pkce, state: state, nonce: nonce))
    query.appendMissing(parts.endpointQuery(context))
    endpoint.query = FormCoding.serializeQuery(query)
    url = endpoint.text
  }

  private static func query(
    _ parameters: InteractiveParameters, _ prompt: PromptType, _ context: RequestContext, _ parts: RequestDependencies,
    redirectURI: String, pkce: PKCE, state: Secret, nonce: String
  ) -> Parameters {
    let configuration = parts.configuration
    let account = parameters.token.account
    let loginHint = account.flatMap { $0.username.isEmpty ? nil : $0.username } ?? parameters.loginHint
    let scopes = context.scopes.union(.openIDConnect).union(ScopeSet(parameters.extraScopesToConsent))
    let isMicrosofts = context.authority.kind != .oidc
    var query: Parameters = [
      "client_id": configuration.clientID, "redirect_uri": redirectURI, "response_type": "code",
      "scope": scopes.text, "state": state.reveal(), "nonce": nonce, "code_challenge": pkce.challenge,
      "code_challenge_method": pkce.method.rawValue,
    ]
    if isMicrosofts {
      query.append("client_info", "1")
      query.append("haschrome", "1")
      query.append("return-client-request-id", "true")
      query.append("client-request-id", context.correlationID)
    }
    query.append("prompt", ifPresent: prompt.parameter)
    query.append("login_hint", ifPresent: loginHint.flatMap { $0.isEmpty ? nil : $0 })
    if isMicrosofts, let account, let tenant = account.homeTenantID {
      query.append("login_req", account.objectID)
      query.append("domain_req", tenant)
    }
    query.append("domain_hint", ifPresent: parameters.domainHint)
    query.append("claims", ifPresent: context.claims)
    query.append("max_age", ifPresent: parameters.maxAge.map { String($0.components.seconds) })
    guard isMicrosofts else { return query }
    if configuration.multipleCloudsSupported { query.append("instance_aware", "true") }
    if parameters.preferredAuthMethod == .qrPIN { query.append("pc", "18") }
    query = query + ClientIdentity(configuration: configuration).parameters
    query.append(
      "X-AnchorMailbox", ifPresent: ClientIdentity.anchorMailbox(account: account, loginHint: loginHint))
    // Nested app authentication takes both.
    if let broker = configuration.nestedAuthBrokerClientID, let uri = configuration.nestedAuthBrokerRedirectURI {
      query.append("brk_client_id", broker)
      query.append("brk_redirect_uri", uri)
    }
    return query
  }
}
