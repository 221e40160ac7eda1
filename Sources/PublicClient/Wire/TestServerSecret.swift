import Documents
import HTTPTypes
import IdentityPlatform
import OAuth

extension TokenEndpoint.Request {
  /// Adds the client secret that public test servers require. Sends the secret in the `Authorization` header, unless
  /// the provider's metadata lists `client_secret_post` but not `client_secret_basic` (RFC 6749 §2.3.1). Without this
  /// metadata, the header is the default (RFC 8414 §2). Never sends the secret to Microsoft.
  mutating func authenticate(
    _ configuration: PublicClientConfiguration, _ authority: Authority, _ metadata: ProviderMetadata
  ) {
    guard let secret = configuration.testServerClientSecret, authority.kind == .oidc, !authority.isMicrosofts else {
      return
    }
    let methods = metadata.json["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string) ?? []
    if methods.contains("client_secret_post"), !methods.contains("client_secret_basic") {
      form.append("client_secret", secret)
    } else {
      let pair = "\(FormCoding.encode(configuration.clientID)):\(FormCoding.encode(secret))"
      headers[.authorization] = "Basic \(Base64.encode(Array(pair.utf8)))"
    }
  }
}
