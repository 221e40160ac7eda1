/// An invalid or unsupported authority. The caller adds the source location.
package enum AuthorityError: Error, Hashable, Sendable {
  case blank
  case whiteSpace
  /// The text is not a URL, for example because it contains an illegal character.
  case malformed(illegal: Character?)
  /// Microsoft authorities must use https. The value is the actual scheme, if any.
  case notHTTPS(scheme: String?)
  /// Other issuers may use http only on a loopback address.
  case httpBeyondLoopback(host: String)
  case missingHost
  /// An AAD authority requires the tenant as its first path segment.
  case missingTenant
  /// `/tfp/<tenant>/<policy>` has fewer than three segments.
  case incompletePolicyPath(segments: Int)
  /// `ciamlogin.com` without the tenant's subdomain.
  case missingSubdomain
  /// The URL has the form of another kind than the declared one.
  case wrongKind(expected: Authority.Kind, found: Authority.Kind)
  case unsupported
  /// A multitenant audience determines the tenant segment, so it conflicts with a tenant ID.
  case tenantNotAllowed(Audience)
  /// `AzureADMyOrg` requires a tenant ID.
  case tenantRequired(Audience)

  /// The diagnostic message.
  package var message: String {
    switch self {
    case .blank: "authority is empty"
    case .whiteSpace: "authority contains whitespace"
    case .malformed(let character?): "authority contains an illegal character: `\(character)`"
    case .malformed(nil): "authority is not a URL"
    case .notHTTPS(let scheme?): "authority uses `\(scheme)` instead of `https`"
    case .notHTTPS(nil): "authority does not start with `https://`"
    case .httpBeyondLoopback(let host): "authority on `\(host)` uses `http`, which is allowed only on localhost"
    case .missingHost: "authority has no host"
    case .missingTenant: "authority has no tenant"
    case .incompletePolicyPath(let segments):
      "authority path lacks the \(segments == 2 ? "policy" : "tenant and policy") after `/tfp/`"
    case .missingSubdomain: "authority on `ciamlogin.com` lacks the tenant's subdomain"
    case .wrongKind(let expected, let found):
      "authority is declared as `\(expected.rawValue)` but has the form of `\(found.rawValue)`"
    case .unsupported: "unsupported authority"
    case .tenantNotAllowed(let audience): "audience `\(audience.rawValue)` cannot be combined with a tenant"
    case .tenantRequired(let audience): "audience `\(audience.rawValue)` requires a tenant ID or domain"
    }
  }

  /// The text after `help:` in a diagnostic.
  package var help: String {
    switch self {
    case .blank, .malformed, .missingHost, .unsupported:
      "use a URL such as `https://login.microsoftonline.com/common`, or remove the key to use this default"
    case .whiteSpace: "remove the whitespace"
    case .notHTTPS: "use `https://`, or set `AuthorityType: oidc` for another issuer on localhost"
    case .httpBeyondLoopback: "use `https`"
    case .missingTenant:
      "add `common`, `organizations`, `consumers`, a tenant ID, or a domain: `https://login.microsoftonline.com/common`"
    case .incompletePolicyPath: "use `https://<tenant>.b2clogin.com/tfp/<tenant>.onmicrosoft.com/<policy>`"
    case .missingSubdomain: "use `https://<tenant>.ciamlogin.com`"
    case .wrongKind(_, let found): "set `AuthorityType: \(found.rawValue)`, or remove the key"
    case .tenantNotAllowed: "remove the tenant, or use the audience `AzureADMyOrg`"
    case .tenantRequired: "add `TenantId`"
    }
  }
}
