import NIOCore
import NIOSSL

/// What a server proves itself with over TLS: its certificate and the key to it.
package struct ServerIdentity: Sendable {
  /// DER, the server's own first.
  var chain: [[UInt8]]
  /// DER (PKCS #8 or SEC 1).
  var key: [UInt8]

  func context() throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try chain.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) },
      privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key, format: .der)))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    // A client that keeps a connection alive and does not look at it never answers the goodbye; nothing is lost by not
    // waiting for that, and the program's end must not.
    configuration.shutdownTimeout = .milliseconds(250)
    return try NIOSSLContext(configuration: configuration)
  }
}
