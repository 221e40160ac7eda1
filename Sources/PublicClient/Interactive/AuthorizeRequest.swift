import Effects
import IdentityPlatform
import OAuth
import RunTrace

/// An authorization request (RFC 6749 §4.1.1) and the values that its response must match.
struct AuthorizeRequest: Sendable {
  let url: String
  let redirectURI: String
  let pkce: PKCE
  let state: Secret
  let nonce: String

  /// Builds the URL, with the parameters in the same order as in MSAL. Preserves the parameters that the endpoint's
  /// query already contains.
  init(
    endpoint: String, redirectURI: String, parameters: InteractiveParameters, prompt: PromptType,
    context: RequestContext, parts: RequestDependencies
  ) {
    self.redirectURI = redirectURI
    let randomness = parts.world.randomness
    pkce = PKCE(from: randomness)
    state = StateAndNonce.state(from: randomness)
    nonce = StateAndNonce.nonce(from: randomness)
    var endpoint = URLReference(endpoint)
    var query = endpoint.parameters
    query.appendMissing([
      "client_id": parts.configuration.clientID, "redirect_uri": redirectURI, "response_type": "code",
      "scope": context.scopes.union(.openIDConnect).union(ScopeSet(parameters.extraScopesToConsent)).text,
      "state": state.reveal(), "nonce": nonce, "code_challenge": pkce.challenge,
      "code_challenge_method": pkce.method.rawValue,
    ])
    query.appendMissing(Self.optionalParameters(parameters, prompt, context, parts))
    query.appendMissing(parts.endpointQuery(context))
    endpoint.query = FormCoding.serializeQuery(query)
    url = endpoint.text
  }

  private static func optionalParameters(
    _ parameters: InteractiveParameters, _ prompt: PromptType, _ context: RequestContext, _ parts: RequestDependencies
  ) -> Parameters {
    let configuration = parts.configuration
    let account = parameters.token.account
    let loginHint = account.flatMap { $0.username.isEmpty ? nil : $0.username } ?? parameters.loginHint
    let isMicrosoft = context.authority.kind != .oidc
    var query = Parameters()
    if isMicrosoft {
      query.append("client_info", "1")
      query.append("haschrome", "1")
      query.append("return-client-request-id", "true")
      query.append("client-request-id", context.correlationID)
    }
    query.append("prompt", ifPresent: prompt.parameter)
    query.append("login_hint", ifPresent: loginHint.flatMap { $0.isEmpty ? nil : $0 })
    if isMicrosoft, let account, let tenant = account.homeTenantID {
      query.append("login_req", account.objectID)
      query.append("domain_req", tenant)
    }
    query.append("domain_hint", ifPresent: parameters.domainHint)
    query.append("claims", ifPresent: context.claims)
    query.append("max_age", ifPresent: parameters.maxAge.map { String($0.components.seconds) })
    guard isMicrosoft else { return query }
    if configuration.multipleCloudsSupported { query.append("instance_aware", "true") }
    if parameters.preferredAuthMethod == .qrPIN { query.append("pc", "18") }
    query = query + ClientIdentity(configuration: configuration).parameters
    query.append(
      "X-AnchorMailbox", ifPresent: ClientIdentity.anchorMailbox(account: account, loginHint: loginHint))
    // Nested app authentication requires both values.
    if let broker = configuration.nestedAuthBrokerClientID, let uri = configuration.nestedAuthBrokerRedirectURI {
      query.append("brk_client_id", broker)
      query.append("brk_redirect_uri", uri)
    }
    return query
  }
}
