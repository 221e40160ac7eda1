import IdentityPlatform
import OAuth

/// Whether a discovery document is the authority's own.
enum MetadataCheck {
  /// Endpoints must be protected, and the issuer must be who was asked (OpenID Connect Discovery §4.3).
  static func check(_ metadata: ProviderMetadata, of authority: Authority) throws(MSALError) {
    let endpoints = [
      metadata.authorizationEndpoint, metadata.tokenEndpoint, metadata.jwksURI, metadata.deviceAuthorizationEndpoint,
      metadata.endSessionEndpoint, metadata.userinfoEndpoint,
    ].compactMap { $0 }
    let isPlainIssuer = authority.kind == .oidc && authority.url.hasPrefix("http://")
    for endpoint in endpoints where !isProtected(endpoint, mayBePlain: isPlainIssuer) {
      throw MSALError(.serverNonHttpsRedirect, "the provider's endpoint \(endpoint) does not use https")
    }
    guard isOwn(metadata.issuer, of: authority) else {
      throw MSALError(
        .authorityValidation,
        "\(authority.url) describes another issuer, \(metadata.issuer): the metadata is not its own")
    }
  }

  /// What a provider without TLS sends stays on this machine; it cannot lead elsewhere without.
  private static func isProtected(_ endpoint: String, mayBePlain: Bool) -> Bool {
    switch URLReference(endpoint).scheme?.lowercased() {
    case "https": true
    case "http": mayBePlain && URLParts(endpoint)?.isLoopback == true
    default: false
    }
  }

  /// A plain provider's issuer is its address, letter by letter. Microsoft's issuers name tenants by id where authorities
  /// may name them otherwise, and one host speaks for others, so there the host must be one of the platform's, and a
  /// tenant that is named by id must be the one that was asked.
  private static func isOwn(_ issuer: String, of authority: Authority) -> Bool {
    if authority.kind == .oidc { return issuer.trimmingSlash() == authority.url.trimmingSlash() }
    let reference = URLReference(issuer)
    guard reference.scheme?.lowercased() == "https", let host = reference.host else { return false }
    let isPlatforms =
      host == authority.host || Cloud.containing(host: host) != nil || TrustedHosts.contains(host)
      || Authority.hasB2CHost(host) || Authority.hasCIAMHost(host)
    guard isPlatforms, authority.kind == .aad, case .identifier(let tenant)? = authority.tenant,
      GUIDText.isWellFormed(tenant), let named = reference.pathSegments.first, GUIDText.isWellFormed(named)
    else { return isPlatforms }
    return named.lowercased() == tenant.lowercased()
  }
}

extension String {
  /// Without one slash at the end.
  fileprivate func trimmingSlash() -> String { hasSuffix("/") ? String(dropLast()) : self }
}
