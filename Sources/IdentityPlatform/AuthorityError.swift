/// Why a text is no authority, or none that is accepted; the caller finds the words and points at the place.
package enum AuthorityError: Error, Hashable, Sendable {
  case blank
  case whiteSpace
  /// The text cannot be cut into the parts of a URL, for instance because of a character that no URL may hold.
  case malformed(illegal: Character?)
  /// Microsoft authorities must use https; the scheme that was found, if any.
  case notHTTPS(scheme: String?)
  /// Another issuer may be spoken to without TLS on this machine only.
  case httpBeyondLoopback(host: String)
  case missingHost
  /// An AAD authority needs the tenant as first path segment.
  case missingTenant
  /// `/tfp/<tenant>/<policy>` has fewer than its three segments.
  case incompletePolicyPath(segments: Int)
  /// `ciamlogin.com` without the tenant's own label before it.
  case missingSubdomain
  /// The URL was named as one kind and has the form of another.
  case wrongKind(expected: Authority.Kind, found: Authority.Kind)
  case unsupported
  /// A multi-tenant audience fixes the tenant segment itself, so a tenant id beside it is a contradiction.
  case tenantNotAllowed(Audience)
  /// `AzureADMyOrg` says one organization without saying which.
  case tenantRequired(Audience)

  /// What went wrong in one sentence.
  package var words: String {
    switch self {
    case .blank: "the authority is empty"
    case .whiteSpace: "the authority has white space in or around it"
    case .malformed(let character?): "the authority is not a URL: \"\(character)\" may not stand in one"
    case .malformed(nil): "the authority is not a URL"
    case .notHTTPS(let scheme?): "the authority must use https, not \(scheme)"
    case .notHTTPS(nil): "the authority must begin with https://"
    case .httpBeyondLoopback(let host): "http is for this machine (localhost, 127.0.0.1) only; \(host) must use https"
    case .missingHost: "the authority has no host"
    case .missingTenant: "the authority does not say which tenant"
    case .incompletePolicyPath(let segments):
      "a /tfp/ authority needs tenant and policy after it, there \(segments == 2 ? "is one segment" : "are none")"
    case .missingSubdomain: "a ciamlogin.com authority needs the tenant's name before it"
    case .wrongKind(let expected, let found):
      "the authority is named as \(expected.rawValue) and has the form of \(found.rawValue)"
    case .unsupported: "no kind of authority has this form"
    case .tenantNotAllowed(let audience): "audience \(audience.rawValue) already says whose accounts may sign in"
    case .tenantRequired(let audience): "audience \(audience.rawValue) needs a tenant id or domain"
    }
  }

  /// What to write instead.
  package var help: String {
    switch self {
    case .blank, .malformed, .missingHost, .unsupported:
      "write it like https://login.microsoftonline.com/common, or leave the key out for that default"
    case .whiteSpace: "remove the white space"
    case .notHTTPS: "write https://; for another issuer on this machine say AuthorityType: oidc"
    case .httpBeyondLoopback: "use https"
    case .missingTenant:
      "add common, organizations, consumers, a tenant id or a domain: https://login.microsoftonline.com/common"
    case .incompletePolicyPath: "write https://<tenant>.b2clogin.com/tfp/<tenant>.onmicrosoft.com/<policy>"
    case .missingSubdomain: "write https://<tenant>.ciamlogin.com"
    case .wrongKind(_, let found): "say AuthorityType: \(found.rawValue), or leave that key out"
    case .tenantNotAllowed: "drop the tenant, or say AzureADMyOrg"
    case .tenantRequired: "add TenantId"
    }
  }
}
