import Effects
import NIOSSL
import SystemWorld

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The root certificates for TLS, from the system and from `SSL_CERT_FILE` and `SSL_CERT_DIR`.
///
/// As with OpenSSL on Debian, setting one of the variables adds to the system's certificates, and setting both replaces
/// them. Verification cannot be turned off.
enum TrustedRoots {
  /// - Throws: `.tls` if a variable does not refer to a certificate, or if there are no root certificates.
  static func set(_ tls: inout TLSConfiguration, from environment: Environment) throws(TransportFailure) {
    let file = environment["SSL_CERT_FILE"]
    let folders = environment["SSL_CERT_DIR"]
    var certificates: [NIOSSLCertificate] = []
    if let file {
      do {
        certificates += try NIOSSLCertificate.fromPEMFile(file)
      } catch {
        throw .tls("SSL_CERT_FILE refers to \(file), which \(Self.fault(of: file)) (PEM is required)")
      }
    }
    if let folders {
      for folder in folders.split(separator: ":") { certificates += Self.certificates(in: String(folder)) }
    }
    let system = systemBundle
    if file != nil && folders != nil || system == .none && !certificates.isEmpty {
      tls.trustRoots = .certificates(certificates)
      return
    }
    switch system {
    case .found: break
    case .elsewhere(let path): tls.trustRoots = .file(path)
    case .none:
      throw .tls(
        "this system has no root certificates; install ca-certificates, or set SSL_CERT_FILE to a PEM file")
    }
    if !certificates.isEmpty { tls.additionalTrustRoots = [.certificates(certificates)] }
  }

  private enum SystemBundle: Equatable {
    /// The bundle is at a location that NIOSSL finds.
    case found
    case elsewhere(String)
    case none
  }

  /// The locations of the root certificates in various Linux distributions.
  private static var systemBundle: SystemBundle {
    #if os(Linux)
      func isThere(_ path: String) -> Bool { access(path, R_OK) == 0 }
      if ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"].contains(where: isThere) {
        return .found
      }
      return [
        "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
      ].first(where: isThere).map { .elsewhere($0) } ?? .none
    #else
      .found
    #endif
  }

  /// Returns all certificates in a folder. As in OpenSSL, other files are ignored.
  private static func certificates(in folder: String) -> [NIOSSLCertificate] {
    let names = (try? LiveFileSystem().list(folder)) ?? []
    return names.sorted().flatMap { (try? NIOSSLCertificate.fromPEMFile(folder + "/" + $0)) ?? [] }
  }

  private static func fault(of file: String) -> String {
    switch LiveFileSystem().kind(of: file) {
    case nil: "does not exist"
    case .directory: "is a folder"
    case .file, .other: access(file, R_OK) == 0 ? "contains no certificate" : "is not readable"
    }
  }
}
