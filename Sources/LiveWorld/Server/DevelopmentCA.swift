import Crypto
import Effects
import SwiftASN1
import SystemWorld
import X509

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A local certificate authority for development servers. It can sign server certificates only for its own names (RFC
/// 5280 §4.2.1.10), so trusting it does not affect other host names. It does not constrain IP addresses.
///
/// The CA is created once and saved: the certificate in `development-ca.pem`, and the certificate with its key in
/// `development-ca.key`, which only the owner can read. Every other set of names has a separate CA in the same folder.
package struct DevelopmentCA: Sendable {
  /// The path of the PEM certificate, which clients must trust.
  package let path: String
  /// The certificate in PEM format.
  package let pem: String
  /// A note for the user if a new CA replaced an old CA and clients must trust the new CA.
  package private(set) var note: String?
  private let certificate: Certificate
  private let key: P256.Signing.PrivateKey
  private let names: CertificateNames

  package struct Failure: Error, Hashable {
    /// A message for the user.
    package var explanation: String
  }

  /// The validity period, in days.
  private static let life = 1_825.0
  /// How many days before its expiration the CA is replaced.
  private static let reserve = 60.0

  /// Opens the CA saved in a folder, or creates it. If several processes start at the same time, one of them creates
  /// the CA.
  /// - Parameter names: The names of its servers.
  package static func open(
    folder: String, names: CertificateNames, files: any FileSystem, now: Instant
  ) throws(Failure) -> DevelopmentCA {
    if let fault = names.fault { throw Failure(explanation: "cannot create the development CA: \(fault)") }
    let path = folder + "/" + fileName(names)
    do {
      try files.makeDirectory(folder, privately: true)
      return try files.locked(path + ".lock") {
        let secretPath = path + ".key"
        var note: String?
        if files.kind(of: secretPath) != nil {
          let wasOpen = try closeToOthers(folder, secretPath, files)
          let bytes = try files.read(secretPath, limit: 1 << 16)
          if var found = try? DevelopmentCA(
            String(decoding: bytes, as: UTF8.self), path: path + ".pem", names: names)
          {
            guard let reason = found.fault(at: now) else {
              if (try? files.read(found.path, limit: 1 << 16)) != Array(found.pem.utf8) {
                try files.replace(found.path, with: Array(found.pem.utf8), privately: false)
              }
              if wasOpen {
                found.note =
                  "other users could read or replace the development CA's key; authflow made it private again. If you "
                  + "do not trust these users, remove \(secretPath) and trust the new CA"
              }
              return found
            }
            note =
              "the development CA \(reason); a new one replaces it: remove the old one "
              + "from your trust stores and trust the new one"
          } else {
            let aside = try files.moveAside(secretPath)
            note =
              "the development CA was damaged and is now \(aside); a new one replaces it, and clients must trust it"
          }
        }
        let made = try DevelopmentCA(path: path + ".pem", names: names, now: now, note: note)
        let secret = made.pem + made.key.pemRepresentation + "\n"
        try files.replace(secretPath, with: Array(secret.utf8), privately: true)
        try files.replace(made.path, with: Array(made.pem.utf8), privately: false)
        return made
      }
    } catch let failure as FileFailure {
      throw Failure(explanation: "cannot save the development CA: \(failure.explanation)")
    } catch {
      throw Failure(explanation: "cannot create the development CA: \(error)")
    }
  }

  /// Restores the private permissions of the key and its folder.
  /// - Returns: Whether other users could read or replace the key.
  private static func closeToOthers(_ folder: String, _ key: String, _ files: any FileSystem) throws -> Bool {
    // In-memory files do not have permissions.
    guard let files = files as? LiveFileSystem else { return false }
    let wasFolderOpen = try files.takeRights(0o022, from: folder)
    return try files.takeRights(0o177, from: key) || wasFolderOpen
  }

  /// Creates a server certificate for the names of the CA, with a new key. The certificate is valid for 397 days, which
  /// is the maximum that browsers accept.
  package func identity(now: Instant) throws(Failure) -> ServerIdentity {
    do {
      let leafKey = P256.Signing.PrivateKey()
      let publicKey = Certificate.PublicKey(leafKey.publicKey)
      let end = min(Self.date(now, days: 397), certificate.notValidAfter)
      let leaf = try Certificate(
        version: .v3, serialNumber: .init(), publicKey: publicKey, notValidBefore: Self.date(now, days: -1.0 / 24),
        notValidAfter: end, issuer: certificate.subject,
        subject: DistinguishedName {
          OrganizationName("authflow development")
          CommonName("authflow emulator")
        },
        signatureAlgorithm: .ecdsaWithSHA256,
        extensions: Certificate.Extensions {
          Critical(BasicConstraints.notCertificateAuthority)
          Critical(KeyUsage(digitalSignature: true))
          try ExtendedKeyUsage([.serverAuth])
          SubjectKeyIdentifier(hash: publicKey)
          try AuthorityKeyIdentifier(
            keyIdentifier: certificate.extensions.subjectKeyIdentifier?.keyIdentifier)
          SubjectAlternativeNames(names.alternativeNames)
        },
        issuerPrivateKey: Certificate.PrivateKey(key))
      return ServerIdentity(chain: [try Self.bytes(leaf)], key: Array(leafKey.derRepresentation))
    } catch {
      throw Failure(explanation: "cannot create the server's certificate: \(error)")
    }
  }

  // MARK: Making and reading

  private init(path: String, names: CertificateNames, now: Instant, note: String?) throws {
    key = P256.Signing.PrivateKey()
    self.path = path
    self.names = names
    self.note = note
    let publicKey = Certificate.PublicKey(key.publicKey)
    // The name is unique, because some programs identify CAs by name.
    let mark = SubjectKeyIdentifier(hash: publicKey)
    let shortMark = mark.keyIdentifier.prefix(4).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    let subject = try DistinguishedName {
      OrganizationName("authflow development")
      CommonName("authflow development CA \(shortMark.joined())")
    }
    certificate = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: publicKey, notValidBefore: Self.date(now, days: -1.0 / 24),
      notValidAfter: Self.date(now, days: Self.life), issuer: subject, subject: subject,
      signatureAlgorithm: .ecdsaWithSHA256,
      extensions: Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
        try ExtendedKeyUsage([.serverAuth])
        mark
        Critical(NameConstraints(permittedSubtrees: names.permittedTrees))
      },
      issuerPrivateKey: Certificate.PrivateKey(key))
    pem = try certificate.serializeAsPEM().pemString + "\n"
  }

  private init(_ text: String, path: String, names: CertificateNames) throws {
    let documents = try PEMDocument.parseMultiple(pemString: text)
    guard documents.count == 2, let first = documents.first, let last = documents.last else {
      throw Failure(explanation: "incomplete")
    }
    certificate = try Certificate(pemDocument: first)
    key = try P256.Signing.PrivateKey(pemRepresentation: last.pemString)
    guard certificate.publicKey == Certificate.PublicKey(key.publicKey) else {
      throw Failure(explanation: "the key does not belong to the certificate")
    }
    self.path = path
    self.names = names
    note = nil
    pem = first.pemString + "\n"
  }

  /// Returns the reason why the CA cannot be used, or nil.
  private func fault(at now: Instant) -> String? {
    if certificate.notValidAfter < Self.date(now, days: Self.reserve) { return "expires soon" }
    if certificate.notValidBefore > Self.date(now, days: 0) { return "is not valid yet" }
    guard let constraints = try? certificate.extensions.nameConstraints,
      constraints.permittedDNSDomains.elementsEqual(names.domains)
    else { return "is for different names" }
    // Earlier versions did not set these constraints.
    guard constraints.permittedSubtrees == names.permittedTrees,
      (try? certificate.extensions.extendedKeyUsage) == (try? ExtendedKeyUsage([.serverAuth]))
    else { return "can sign more than server certificates" }
    return nil
  }

  private static func bytes(_ certificate: Certificate) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return serializer.serializedBytes
  }

  private static func date(_ now: Instant, days: Double) -> Date {
    // Times in certificates are whole seconds.
    Date(timeIntervalSince1970: Double(now.secondsSince1970) + (days * 86_400).rounded())
  }

  /// Returns the file name of a CA. For the default names, the file name has no suffix. For other names, the suffix is
  /// derived from the names.
  private static func fileName(_ names: CertificateNames) -> String {
    guard let others = names.others else { return "development-ca" }
    let mark = SHA256.hash(data: Array(others.utf8)).prefix(4).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    return "development-ca-" + mark.joined()
  }
}
