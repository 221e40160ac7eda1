import Effects

extension Authority {
  /// The instance discovery URL for this authority, or nil if instance discovery does not support the authority's kind.
  /// The URL uses the authority's host if that host is trusted, and the public cloud's host otherwise.
  package var instanceDiscoveryURL: String? {
    guard kind == .aad else { return nil }
    let host = TrustedHosts.contains(environment) ? environment : Cloud.public.preferredNetwork
    let endpoint = PercentEncoding.encode("\(url)/oauth2/v2.0/authorize", keeping: Self.queryCharacters)
    return "https://\(host)/common/discovery/instance?api-version=1.1&authorization_endpoint=\(endpoint)"
  }

  /// The URL of the provider metadata (OpenID Connect Discovery 1.0 §4).
  package var openIDConfigurationURL: String {
    switch kind {
    case .aad, .b2c, .ciam: "\(url)/v2.0/.well-known/openid-configuration"
    case .adfs, .oidc: "\(url)/.well-known/openid-configuration"
    }
  }

  /// The unreserved characters, and `:` and `/`, which RFC 3986 §3.4 allows in a query.
  private static let queryCharacters = PercentEncoding.Characters(adding: ":/")
}
