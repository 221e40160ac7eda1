import Effects
import HTTPTypes
import OAuth

/// The device authentication challenge from the token endpoint: `WWW-Authenticate: PKeyAuth …`.
///
/// authflow does not support device registration, so it responds like an unregistered device. The response contains the
/// challenge's context and version, but no token.
enum PKeyAuth {
  /// Returns the `Authorization` header for the repeated request, or nil if the response is not a challenge.
  static func authorization(for response: ResponseMessage) -> String? {
    guard [400, 401].contains(response.head.status.code), let value = response.head.headerFields[.wwwAuthenticate],
      let challenge = AuthenticationChallenge.parse(value).first(where: { $0.scheme.lowercased() == "pkeyauth" }),
      let context = challenge.parameters["context"], let version = challenge.parameters["version"]
    else { return nil }
    return AuthenticationChallenge(scheme: "PKeyAuth", parameters: ["Context": context, "Version": version]).text
  }
}
