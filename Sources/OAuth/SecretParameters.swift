import RunTrace

/// The fields of forms, queries, JSON responses, and headers that contain secrets.
package enum SecretParameters {
  /// Returns the kind of secret in a form, query, or JSON field, or nil if the field is not secret.
  ///
  /// `code` is always secret. In the JSON of an error response, `code` is not always a secret, but masking it is
  /// harmless.
  package static func kind(of name: String) -> Secret.Kind? { kinds[name.lowercased()] }

  /// Returns the kind of secret in a header, or nil if the header is not secret.
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
