import HTTPTypes
import IdentityPlatform
import OAuth

/// What one call has in common from its first step to its last.
struct RequestContext: Sendable {
  var scopes: ScopeSet
  /// The claims to ask for, the app's capabilities included; nil for none.
  var claims: String?
  /// Whether the caller asked for claims, which leaves cached tokens aside. Capabilities alone do not.
  var hasRequestedClaims: Bool
  var authority: Authority
  /// The account that the call is about; nil where anybody may sign in.
  var account: Account?
  var extraQueryParameters: Parameters
  var correlationID: String
  /// Whether the userinfo endpoint is asked as well.
  var checksUserInfo: Bool

  /// Checks what the app asks for, in MSAL's order.
  init(
    _ parameters: TokenParameters, authority: Authority, configuration: PublicClientConfiguration, correlationID: String
  )
    throws(MSALError)
  {
    let set = ScopeSet(parameters.scopes)
    let scopes = set.scopes
    if let reserved = scopes.first(where: { ScopeRules.isReserved($0) }) {
      throw MSALError(
        .invalidDeveloperParameter, "\(reserved) is added by MSAL itself; leave it out of the scopes")
    }
    if ScopeRules.refusesClientID(authority.kind),
      scopes.contains(where: { $0.lowercased() == configuration.clientID.lowercased() })
    {
      throw MSALError(
        .invalidDeveloperParameter, "the client id is no scope; ask for <client id>/.default or an API's scope")
    }
    guard !set.isEmpty else { throw MSALError(.invalidDeveloperParameter, "no scope was asked for") }
    let requested = parameters.claimsRequest ?? ClaimsRequest()
    let extra = configuration.extraQueryParameters.overlaid(with: parameters.extraQueryParameters)
    if requested.hasClaims, extra["claims"] != nil {
      throw MSALError(
        .invalidDeveloperParameter, "claims are given twice: as claims request and as extra query parameter")
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

  /// The resource that the scopes name; nil for Microsoft Graph's short names.
  var resource: String? { scopes.scopes.lazy.compactMap { ScopeName($0).resource }.first }

  /// What the token endpoint is asked for: the scopes and OpenID Connect's.
  var tokenScope: String { scopes.union(.openIDConnect).text }
}

extension Parameters {
  /// These parameters with those of the other list in place of, or beside, them.
  func overlaid(with others: Parameters) -> Parameters {
    var merged = self
    for entry in others.entries { merged.set(entry.name, entry.value) }
    return merged
  }
}
