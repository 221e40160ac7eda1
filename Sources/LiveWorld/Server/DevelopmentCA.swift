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

/// An authority of this machine's own, for servers of a developer: whoever trusts it trusts no other host name's
/// certificates, because it may vouch for its names only (RFC 5280 §4.2.1.10), and for servers only; addresses cannot be
/// bounded so.
///
/// It is made once and kept: the certificate in `development-ca.pem`, certificate and key in `development-ca.key`, which
/// only the owner may read. Other names than the usual ones make another authority, kept beside it.
package struct DevelopmentCA: Sendable {
  /// The file with the certificate alone, PEM: what clients are told to trust.
  package let path: String
  /// The certificate, PEM.
  package let pem: String
  /// What people should be told: that a new one has taken the place of an old one, which has to be trusted anew.
  package private(set) var note: String?
  private let certificate: Certificate
  private let key: P256.Signing.PrivateKey
  private let names: CertificateNames

  package struct Failure: Error, Hashable {
    /// One sentence for people.
    package var explanation: String
  }

  /// Days.
  private static let life = 1_825.0
  /// Days before its end from which on a new one is made.
  private static let reserve = 60.0

  /// Opens the authority that is kept in a folder, or makes it. Of several processes that come at once, one makes it.
  /// - Parameter names: all that its servers are known by.
  package static func open(
    folder: String, names: CertificateNames, files: any FileSystem, now: Instant
  ) throws(Failure) -> DevelopmentCA {
    if let fault = names.fault { throw Failure(explanation: "the development CA cannot be made: \(fault)") }
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
                  "others could read or replace the development CA's key, which is private again now; unless you know "
                  + "them all, remove \(secretPath) and trust the new CA instead"
              }
              return found
            }
            note =
              "the development CA \(reason); a new one was made, which has to be trusted anew: remove the old one "
              + "wherever you trusted it"
          } else {
            let aside = try files.moveAside(secretPath)
            note =
              "the development CA was damaged and is now \(aside); a new one was made, which has to be trusted anew"
          }
        }
        let made = try DevelopmentCA(path: path + ".pem", names: names, now: now, note: note)
        let secret = made.pem + made.key.pemRepresentation + "\n"
        try files.replace(secretPath, with: Array(secret.utf8), privately: true)
        try files.replace(made.path, with: Array(made.pem.utf8), privately: false)
        return made
      }
    } catch let failure as FileFailure {
      throw Failure(explanation: "the development CA cannot be kept: \(failure.explanation)")
    } catch {
      throw Failure(explanation: "the development CA cannot be made: \(error)")
    }
  }

  /// Makes the key and its folder the owner's alone again.
  /// - Returns: whether others could read or replace the key.
  private static func closeToOthers(_ folder: String, _ key: String, _ files: any FileSystem) throws -> Bool {
    // Only real files have rights.
    guard let files = files as? LiveFileSystem else { return false }
    let wasFolderOpen = try files.takeRights(0o022, from: folder)
    return try files.takeRights(0o177, from: key) || wasFolderOpen
  }

  /// A certificate for a server of these names, with a fresh key. It ends within 397 days, as browsers demand.
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
      throw Failure(explanation: "the server's certificate cannot be made: \(error)")
    }
  }

  // MARK: Making and reading

  private init(path: String, names: CertificateNames, now: Instant, note: String?) throws {
    key = P256.Signing.PrivateKey()
    self.path = path
    self.names = names
    self.note = note
    let publicKey = Certificate.PublicKey(key.publicKey)
    // A name of its own: programs that keep several of them tell them apart by it.
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
      throw Failure(explanation: "key and certificate do not belong together")
    }
    self.path = path
    self.names = names
    note = nil
    pem = first.pemString + "\n"
  }

  /// Why it cannot be used any more.
  private func fault(at now: Instant) -> String? {
    if certificate.notValidAfter < Self.date(now, days: Self.reserve) { return "comes to its end" }
    if certificate.notValidBefore > Self.date(now, days: 0) { return "is not valid yet" }
    guard let constraints = try? certificate.extensions.nameConstraints,
      constraints.permittedDNSDomains.elementsEqual(names.domains)
    else { return "was made for other names" }
    // Older versions made it without these limits.
    guard constraints.permittedSubtrees == names.permittedTrees,
      (try? certificate.extensions.extendedKeyUsage) == (try? ExtendedKeyUsage([.serverAuth]))
    else { return "can sign more than certificates of servers" }
    return nil
  }

  private static func bytes(_ certificate: Certificate) throws -> [UInt8] {
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return serializer.serializedBytes
  }

  private static func date(_ now: Instant, days: Double) -> Date {
    // Certificates know whole seconds.
    Date(timeIntervalSince1970: Double(now.secondsSince1970) + (days * 86_400).rounded())
  }

  /// The usual names have the plain file; others one that is named for them.
  private static func fileName(_ names: CertificateNames) -> String {
    guard let others = names.others else { return "development-ca" }
    let mark = SHA256.hash(data: Array(others.utf8)).prefix(4).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    return "development-ca-" + mark.joined()
  }
}
