/// The default signing keys of the emulator: two RSA key pairs and a P-256 key for ES256.
///
/// The private keys are publicly known, so tokens signed with them are valid only in tests. Built-in keys avoid key
/// generation at startup and make traces reproducible.
enum BuiltInTestKeys {
  /// An RSA key pair.
  struct Pair: Sendable {
    /// The private key in PKCS #8 format.
    let privateKeyPEM: String
    /// The self-signed certificate (`x5c`), as base64-encoded DER.
    let certificate: String
    /// The key ID: the base64url-encoded SHA-1 thumbprint of the certificate, as in the live service.
    let keyID: String
  }

  static let pairs = [pair("1", keyID: "DMiNwsV3hPcvbHADYkbhNWtV4jo"), pair("2", keyID: "VDsh5gF-1t9cuJa7euGpsbgleQM")]

  private static func pair(_ name: String, keyID: String) -> Pair {
    let certificate = (EmbeddedData.text("keys/\(name).crt") ?? "").split(separator: "\n").dropFirst().dropLast()
    return Pair(
      privateKeyPEM: EmbeddedData.text("keys/\(name).pem") ?? "", certificate: certificate.joined(), keyID: keyID)
  }

  /// The private P-256 key. Its bytes are readable text, to show that the key is not secret.
  static let elliptic = Array("worthless P-256 key: authflow em".utf8)
}
