import Documents
import Effects
import HTTPTypes

extension RequestMessage {
  /// Creates the request for the metadata of an authority (OpenID Connect Discovery 1.0 §4), or returns nil if the
  /// authority is not a URL.
  static func providerMetadata(of authority: String) -> RequestMessage? {
    RequestMessage(url: "\(authority)/v2.0/.well-known/openid-configuration")
  }
}

extension ResponseMessage {
  /// The issuer in a metadata response, or nil if the response contains no metadata.
  var providerIssuer: String? {
    guard head.status.code == 200 else { return nil }
    return (try? JSON(parsing: body))?["issuer"]?.string
  }
}
