import Effects
import NIOSSL

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
  /// - Throws: `.tls` where a variable names something without a certificate in it.
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
    if file != nil, folders != nil {
      tls.trustRoots = .certificates(certificates)
    } else if !certificates.isEmpty {
      tls.additionalTrustRoots = [.certificates(certificates)]
    }
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
