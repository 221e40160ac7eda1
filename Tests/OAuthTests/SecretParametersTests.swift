import OAuth
import RunTrace
import Testing

@Suite("Secret parameters")
struct SecretParametersTests {
  @Test(
    "identifies secret parameters in requests and responses",
    arguments: [
      ("access_token", Secret.Kind.accessToken), ("Refresh_Token", .refreshToken), ("code", .authorizationCode),
      ("code_verifier", .codeVerifier), ("device_code", .deviceCode), ("state", .state), ("passwd", .password),
      ("scope", nil), ("client_id", nil), ("code_challenge", nil), ("user_code", nil),
    ] as [(String, Secret.Kind?)])
  func fields(name: String, kind: Secret.Kind?) {
    #expect(SecretParameters.kind(of: name) == kind)
  }

  @Test("identifies secret headers")
  func headers() {
    #expect(SecretParameters.kind(ofHeader: "Authorization") == .accessToken)
    #expect(SecretParameters.kind(ofHeader: "Set-Cookie") == .cookie)
    #expect(SecretParameters.kind(ofHeader: "Accept") == nil)
  }
}
