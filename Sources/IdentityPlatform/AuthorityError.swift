/// An invalid or unsupported authority. The caller adds the source location to the diagnostic.
package enum AuthorityError: Error, Hashable, Sendable {
  case blank
  case whiteSpace
  /// The text is not a URL, for example because it contains an illegal character.
  case malformed(illegal: Character?)
  /// A Microsoft authority does not use `https`. The value is the actual scheme, or nil if the text does not contain a
  /// scheme.
  case notHTTPS(scheme: String?)
  /// Another issuer uses `http` with a host that is not a loopback address.
  case httpBeyondLoopback(host: String)
  case missingHost
  /// An AAD authority does not have a tenant as the first path segment.
  case missingTenant
  /// A path in the format `/tfp/<tenant>/<policy>` has fewer than three segments.
  case incompletePolicyPath(segments: Int)
  /// The host is `ciamlogin.com` without the tenant's subdomain.
  case missingSubdomain
  /// The URL appears to belong to an authority of a different kind than the declared kind.
  case wrongKind(expected: Authority.Kind, found: Authority.Kind)
  case unsupported
  /// A tenant ID is set with a multitenant audience, which already determines the tenant segment.
  case tenantNotAllowed(Audience)
  /// `AzureADMyOrg` is set without the tenant ID that it requires.
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
      "authority path does not contain the \(segments == 2 ? "policy" : "tenant and policy") after `/tfp/`"
    case .missingSubdomain: "authority on `ciamlogin.com` does not contain the tenant's subdomain"
    case .wrongKind(let expected, let found):
      "authority is declared as `\(expected.rawValue)` but looks like `\(found.rawValue)`"
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
    case .notHTTPS: "use `https://`, or set `AuthorityType: oidc` for a non-Microsoft issuer on localhost"
    case .httpBeyondLoopback: "use `https`"
    case .missingTenant:
      "add `common`, `organizations`, `consumers`, a tenant ID, or a domain: `https://login.microsoftonline.com/common`"
    case .incompletePolicyPath: "use `https://<tenant>.b2clogin.com/tfp/<tenant>.onmicrosoft.com/<policy>`"
    case .missingSubdomain: "use `https://<tenant>.ciamlogin.com`"
    case .wrongKind(_, let found): "set `AuthorityType: \(found.rawValue)`, or remove the key"
    case .tenantNotAllowed: "remove the tenant, or use the `AzureADMyOrg` audience"
    case .tenantRequired: "add `TenantId`"
    }
  }
}
