import Effects
import IdentityPlatform
import OAuth

/// Validation of a discovery document.
enum MetadataCheck {
  /// Validates that all endpoints use TLS and that the issuer matches the authority (OpenID Connect Discovery §4.3).
  static func check(_ metadata: ProviderMetadata, of authority: Authority) throws(MSALError) {
    let endpoints = [
      metadata.authorizationEndpoint, metadata.tokenEndpoint, metadata.jwksURI, metadata.deviceAuthorizationEndpoint,
      metadata.endSessionEndpoint, metadata.userinfoEndpoint,
    ].compactMap { $0 }
    let isPlainIssuer = authority.kind == .oidc && authority.url.hasPrefix("http://")
    for endpoint in endpoints where !isProtected(endpoint, allowsHTTP: isPlainIssuer) {
      throw MSALError(.serverNonHttpsRedirect, "the provider's endpoint \(endpoint) does not use https")
    }
    guard issuerMatches(metadata.issuer, authority) else {
      throw MSALError(
        .authorityValidation, "the metadata of \(authority.url) belongs to another issuer: \(metadata.issuer)")
    }
  }

  /// Whether an endpoint uses TLS. A provider on localhost may use http, but only for endpoints on localhost.
  private static func isProtected(_ endpoint: String, allowsHTTP: Bool) -> Bool {
    switch URLReference(endpoint).scheme?.lowercased() {
    case "https": true
    case "http": allowsHTTP && URLReference(valid: endpoint)?.isLoopback == true
    default: false
    }
  }

  /// Whether the issuer matches the authority. Microsoft's issuers identify the tenant by ID and can use a different
  /// host. The host must therefore belong to the platform, and the tenant IDs must match if both are GUIDs. For other
  /// providers, the issuer must equal the authority.
  private static func issuerMatches(_ issuer: String, _ authority: Authority) -> Bool {
    if authority.kind == .oidc { return issuer.trimmingSlash() == authority.url.trimmingSlash() }
    let reference = URLReference(issuer)
    guard reference.scheme?.lowercased() == "https", let host = reference.host else { return false }
    let isPlatformHost =
      host == authority.host || Cloud.containing(host: host) != nil || TrustedHosts.contains(host)
      || Authority.hasB2CHost(host) || Authority.hasCIAMHost(host)
    guard isPlatformHost, authority.kind == .aad, case .identifier(let tenant)? = authority.tenant,
      GUIDText.isWellFormed(tenant), let issuerTenant = reference.segments.first,
      GUIDText.isWellFormed(issuerTenant)
    else { return isPlatformHost }
    return issuerTenant.lowercased() == tenant.lowercased()
  }
}

extension String {
  /// Returns the text with one trailing slash removed, if there is one.
  fileprivate func trimmingSlash() -> String { hasSuffix("/") ? String(dropLast()) : self }
}
