import RunTrace

/// Which fields of forms, queries, JSON answers and headers hold secrets, and of what kind.
package enum SecretParameters {
  /// The kind of secret that a form, query or JSON field of that name holds; nil where it may be shown.
  ///
  /// `code` is a secret in forms, queries and redirects; in an error answer's JSON the same name may be harmless, and
  /// masking it there does no harm.
  package static func kind(of name: String) -> Secret.Kind? { kinds[name.lowercased()] }

  /// The kind of secret that a header of that name holds.
  package static func kind(ofHeader name: String) -> Secret.Kind? {
    switch name.lowercased() {
    case "authorization", "proxy-authorization": .accessToken
    case "cookie", "set-cookie": .cookie
    default: nil
    }
  }

  private static let kinds: [String: Secret.Kind] = [
    "access_token": .accessToken,
    "token": .accessToken,
    "subject_token": .accessToken,
    "refresh_token": .refreshToken,
    "id_token": .idToken,
    "id_token_hint": .idToken,
    "assertion": .idToken,
    "code": .authorizationCode,
    "code_verifier": .codeVerifier,
    "device_code": .deviceCode,
    "password": .password,
    "passwd": .password,
    "newpassword": .password,
    "confirmpassword": .password,
    "otc": .oneTimeCode,
    "totp": .oneTimeCode,
    "client_secret": .clientSecret,
    "client_assertion": .clientSecret,
    "state": .state,
    "flow": .flowToken,
    "flowtoken": .flowToken,
    "ctx": .flowToken,
    "canary": .flowToken,
    "login_hint_token": .named,
  ]
}
