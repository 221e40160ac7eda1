/// The two RSA key pairs that the emulator signs with where the directory gives none, and the P-256 key for ES256.
///
/// They are worthless by intent: all private halves stand here for everybody to read, so a token that they sign proves
/// nothing to anybody but a test. In exchange nothing is generated at the start, and every run gives the same trace.
enum BuiltInTestKeys {
  struct Pair: Sendable {
    /// PKCS#8.
    let privateKeyPEM: String
    /// The self-signed certificate that the key set shows as `x5c`, base64 DER.
    let certificate: String
    /// base64url of the certificate's SHA-1, as the platform names its keys.
    let keyID: String
  }

  static let pairs = [pair("1", keyID: "DMiNwsV3hPcvbHADYkbhNWtV4jo"), pair("2", keyID: "VDsh5gF-1t9cuJa7euGpsbgleQM")]

  private static func pair(_ name: String, keyID: String) -> Pair {
    let certificate = (EmbeddedData.text("keys/\(name).crt") ?? "").split(separator: "\n").dropFirst().dropLast()
    return Pair(
      privateKeyPEM: EmbeddedData.text("keys/\(name).pem") ?? "", certificate: certificate.joined(), keyID: keyID)
  }

  /// The secret half of the P-256 key: no number that anybody would choose for a key that matters.
  static let elliptic = Array("worthless P-256 key: authflow em".utf8)
}
