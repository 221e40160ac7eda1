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

/// Whom TLS trusts: the system's authorities, and those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
///
/// As with OpenSSL on Debian, one of the two adds to the system's, and both together take their place. There is no way
/// to switch verification off.
enum TrustedRoots {
  /// - Throws: `.tls` where a variable names something without a certificate in it, and where there is nobody to trust.
  static func set(_ tls: inout TLSConfiguration, from environment: Environment) throws(TransportFailure) {
    let file = environment["SSL_CERT_FILE"]
    let folders = environment["SSL_CERT_DIR"]
    var certificates: [NIOSSLCertificate] = []
    if let file {
      do {
        certificates += try NIOSSLCertificate.fromPEMFile(file)
      } catch {
        throw .tls("SSL_CERT_FILE names \(file), which \(Self.fault(of: file)) (PEM is needed)")
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
        "this system has no certificates of authorities; install ca-certificates, or name a PEM file in SSL_CERT_FILE")
    }
    if !certificates.isEmpty { tls.additionalTrustRoots = [.certificates(certificates)] }
  }

  private enum SystemBundle: Equatable {
    /// Where NIOSSL looks by itself.
    case found
    case elsewhere(String)
    case none
  }

  /// Where Linux distributions keep the authorities that a system trusts.
  private static var systemBundle: SystemBundle {
    #if os(Linux)
      func isThere(_ path: String) -> Bool { access(path, R_OK) == 0 }
      if ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"].contains(where: isThere) {
        return .found
      }
      return ["/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"].first(where: isThere).map { .elsewhere($0) } ?? .none
    #else
      .found
    #endif
  }

  /// Every certificate in a folder; other files there are passed over, as OpenSSL does.
  private static func certificates(in folder: String) -> [NIOSSLCertificate] {
    let names = (try? LiveFileSystem().list(folder)) ?? []
    return names.sorted().flatMap { (try? NIOSSLCertificate.fromPEMFile(folder + "/" + $0)) ?? [] }
  }

  private static func fault(of file: String) -> String {
    switch LiveFileSystem().kind(of: file) {
    case nil: "does not exist"
    case .directory: "is a folder"
    case .file, .other: access(file, R_OK) == 0 ? "holds no certificate" : "may not be read"
    }
  }
}
