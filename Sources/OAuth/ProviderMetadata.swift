import Documents
import OrderedCollections

/// The metadata of an OpenID provider (OpenID Connect Discovery 1.0 §3, RFC 8414 §2).
package struct ProviderMetadata: Hashable, Sendable {
  /// The `iss` value of tokens from this provider. Multitenant endpoints of Microsoft Entra ID use the placeholder
  /// `{tenantid}`.
  package var issuer: String
  package var authorizationEndpoint: String
  package var tokenEndpoint: String
  package var jwksURI: String?
  package var deviceAuthorizationEndpoint: String?
  package var endSessionEndpoint: String?
  package var userinfoEndpoint: String?
  /// The complete document.
  package var json: JSON

  /// Parses a discovery document.
  package init(_ json: JSON) throws(ProviderMetadataFailure) {
    func required(_ name: String) throws(ProviderMetadataFailure) -> String {
      guard let text = json[name]?.string, !text.isEmpty else { throw ProviderMetadataFailure(missing: name) }
      return text
    }
    func optional(_ name: String) -> String? { json[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
    issuer = try required("issuer")
    authorizationEndpoint = try required("authorization_endpoint")
    tokenEndpoint = try required("token_endpoint")
    jwksURI = optional("jwks_uri")
    deviceAuthorizationEndpoint = optional("device_authorization_endpoint")
    endSessionEndpoint = optional("end_session_endpoint")
    userinfoEndpoint = optional("userinfo_endpoint")
    self.json = json
  }

  /// Returns the issuer for a tenant, or nil if the issuer contains a placeholder and the tenant is nil.
  package func issuer(forTenant tenantID: String?) -> String? {
    guard issuer.contains(Self.tenantPlaceholder) else { return issuer }
    return tenantID.map { issuer.replacing(Self.tenantPlaceholder, with: $0) }
  }

  package static let tenantPlaceholder = "{tenantid}"

  /// Whether authorization responses contain `iss` (RFC 9207 §3).
  package var sendsIssuerInRedirect: Bool {
    json["authorization_response_iss_parameter_supported"]?.bool ?? false
  }
}

/// An invalid discovery document.
package struct ProviderMetadataFailure: Error, Hashable, Sendable {
  /// The name of the required member that is missing or is not a string.
  package var missing: String

  package init(missing: String) {
    self.missing = missing
  }
}
