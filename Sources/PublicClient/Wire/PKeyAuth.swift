import Effects
import HTTPTypes
import OAuth

/// The server's question whether a registered device asks: `WWW-Authenticate: PKeyAuth …` at the token endpoint.
///
/// Which device registration there is only Apple's keychain knows, so the answer is that of a device without one: the
/// challenge's context and version, and no token.
enum PKeyAuth {
  /// The `Authorization` header to send the request again with; nil where nothing of the kind was asked.
  static func answer(to response: ResponseMessage) -> String? {
    guard [400, 401].contains(response.head.status.code), let value = response.head.headerFields[.wwwAuthenticate],
      let challenge = AuthenticationChallenge.parse(value).first(where: { $0.scheme.lowercased() == "pkeyauth" }),
      let context = challenge.parameters["context"], let version = challenge.parameters["version"]
    else { return nil }
    return AuthenticationChallenge(scheme: "PKeyAuth", parameters: ["Context": context, "Version": version]).text
  }
}
