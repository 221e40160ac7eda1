import HTTPTypes
import IdentityPlatform
import OAuth

/// The values that all steps of a token request share.
struct RequestContext: Sendable {
  var scopes: ScopeSet
  /// The `claims` parameter, including client capabilities, or nil if there are none.
  var claims: String?
  /// Whether the app requested claims. A claims request bypasses cached tokens, but client capabilities alone do not.
  var hasRequestedClaims: Bool
  var authority: Authority
  /// The requested account, or nil if any user can sign in.
  var account: Account?
  var extraQueryParameters: Parameters
  var correlationID: String
  /// Whether to call the userinfo endpoint.
  var checksUserInfo: Bool

  /// Validates the parameters of the request in MSAL's order.
  init(
    _ parameters: TokenParameters, authority: Authority, configuration: PublicClientConfiguration, correlationID: String
  ) throws(MSALError) {
    let set = ScopeSet(parameters.scopes)
    let scopes = set.scopes
    if let reserved = scopes.first(where: { ScopeRules.isReserved($0) }) {
      throw MSALError(
        .invalidDeveloperParameter, "the scope `\(reserved)` is reserved; MSAL adds it to every request")
    }
    if ScopeRules.rejectsClientID(authority.kind),
      scopes.contains(where: { $0.lowercased() == configuration.clientID.lowercased() })
    {
      throw MSALError(
        .invalidDeveloperParameter,
        "the client ID is not a valid scope; request `<client id>/.default` or an API scope")
    }
    guard !set.isEmpty else { throw MSALError(.invalidDeveloperParameter, "the request has no scopes") }
    let requested = parameters.claimsRequest ?? ClaimsRequest()
    let extra = configuration.extraQueryParameters.merging(parameters.extraQueryParameters)
    if requested.hasClaims, extra["claims"] != nil {
      throw MSALError(
        .invalidDeveloperParameter, "`claims` cannot be both a claims request and an extra query parameter")
    }
    self.scopes = set
    claims = requested.declaring(capabilities: configuration.clientApplicationCapabilities).parameter
    hasRequestedClaims = requested.hasClaims
    self.authority = authority
    account = parameters.account
    extraQueryParameters = extra
    self.correlationID = correlationID
    checksUserInfo = parameters.checksUserInfo
  }

  /// The resource that the scopes belong to, or nil for short Microsoft Graph scope names.
  var resource: String? { scopes.scopes.lazy.compactMap { ScopeName($0).resource }.first }

  /// The scopes of a token request, including the OpenID Connect scopes.
  var tokenScope: String { scopes.union(.openIDConnect).text }
}

extension Parameters {
  /// Returns these parameters merged with `others`, which take precedence.
  func merging(_ others: Parameters) -> Parameters {
    var merged = self
    for entry in others.entries { merged.set(entry.name, entry.value) }
    return merged
  }
}
