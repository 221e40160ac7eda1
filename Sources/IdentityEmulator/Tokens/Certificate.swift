import Crypto
import Documents
import OAuth

/// The encoding, public key, and thumbprint of an X.509 certificate (RFC 5280).
struct Certificate: Hashable, Sendable {
  let der: [UInt8]
  /// The SubjectPublicKeyInfo.
  let publicKey: [UInt8]

  /// The base64url-encoded SHA-1 thumbprint (`x5t`).
  var thumbprint: String { Base64URL.encode(Insecure.SHA1.hash(data: der)) }

  /// Parses the first certificate in a PEM string. Returns nil if there is no certificate.
  init?(pem: String) {
    let start = "-----BEGIN CERTIFICATE-----"
    guard let head = pem.firstRange(of: start),
      let tail = pem[head.upperBound...].firstRange(of: "-----END CERTIFICATE-----"),
      let der = try? Base64.decode(pem[head.upperBound..<tail.lowerBound].filter { !$0.isWhitespace })
    else { return nil }
    self.init(der: der)
  }

  init?(der: [UInt8]) {
    guard let outer = DER.read(der[...])?.first, let parts = DER.read(outer.content), let signed = parts.first,
      var fields = DER.read(signed.content)
    else { return nil }
    // The fields are an optional version, serial number, signature, issuer, validity, subject, and key (RFC 5280 §4.1).
    if fields.first?.tag == DER.Tag.version.rawValue { fields.removeFirst() }
    guard fields.count >= 6 else { return nil }
    self.der = der
    publicKey = Array(fields[5].encoding)
  }

  /// Creates a self-signed certificate for an RSA key. The certificate is valid for 100 years from 2025 and depends
  /// only on the key.
  init?(selfSigned key: SigningKey) {
    guard case .rsa(let modulus, let exponent) = key.publicKey.material else { return nil }
    let numbers = DER.write(.sequence, [DER.number(modulus), DER.number(exponent)])
    let publicKey = DER.write(
      .sequence, [DER.write(.sequence, [Self.rsaEncryption, DER.write(.null, [UInt8]())]), Self.bits(numbers)])
    let algorithm = DER.write(.sequence, [Self.sha256WithRSA, DER.write(.null, [UInt8]())])
    let name = DER.write(
      .sequence,
      [
        DER.write(
          .set,
          [
            DER.write(
              .sequence, [Self.commonName, DER.write(.utf8String, Array("authflow emulator signing key".utf8))])
          ])
      ])
    let validity = DER.write(
      .sequence,
      [
        DER.write(.utcTime, Array("250101000000Z".utf8)), DER.write(.generalizedTime, Array("21250101000000Z".utf8)),
      ])
    let serial = DER.number([1] + SHA256.hash(data: modulus).prefix(15))
    let signed = DER.write(
      .sequence,
      [DER.write(.version, [DER.number([2])]), serial, algorithm, name, validity, name, publicKey])
    guard let signature = try? key.signature(over: signed) else { return nil }
    der = DER.write(.sequence, [signed, algorithm, Self.bits(signature)])
    self.publicKey = publicKey
  }

  private static func bits(_ bytes: [UInt8]) -> [UInt8] { DER.write(.bitString, [0] + bytes) }

  /// The object identifiers are 1.2.840.113549.1.1.1 and 1.2.840.113549.1.1.11 (RFC 4055 §1.2, §5) and 2.5.4.3 (RFC
  /// 4519 §2.3).
  private static let rsaEncryption = DER.write(
    .identifier, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01])
  private static let sha256WithRSA = DER.write(
    .identifier, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B])
  private static let commonName = DER.write(.identifier, [0x55, 0x04, 0x03])
}
