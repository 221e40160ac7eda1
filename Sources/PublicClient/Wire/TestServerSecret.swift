import Documents
import HTTPTypes
import IdentityPlatform
import OAuth

extension TokenEndpoint.Request {
  /// Adds the client secret that public test servers want, in the way that the provider's metadata names: in the header
  /// unless it takes only the form (RFC 6749 §2.3.1; the header is what a silent provider takes, RFC 8414 §2). Microsoft
  /// never gets it.
  mutating func authenticate(
    _ configuration: PublicClientConfiguration, _ authority: Authority, _ json: ProviderMetadata
  ) {
    guard let secret = configuration.testServerClientSecret, authority.kind == .oidc, !authority.isMicrosofts else {
      return
    }
    let methods = json.json["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string) ?? []
    if methods.contains("client_secret_post"), !methods.contains("client_secret_basic") {
      form.append("client_secret", secret)
    } else {
      let pair = "\(FormCoding.encode(configuration.clientID)):\(FormCoding.encode(secret))"
      headers[.authorization] = "Basic \(Base64.encode(Array(pair.utf8)))"
    }
  }
}
