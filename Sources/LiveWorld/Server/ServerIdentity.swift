import NIOCore
import NIOSSL

/// A server's certificate chain and private key.
package struct ServerIdentity: Sendable {
  /// The certificates in DER format, starting with the server's certificate.
  var chain: [[UInt8]]
  /// The private key in DER format (PKCS #8 or SEC 1).
  var key: [UInt8]

  func context() throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try chain.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) },
      privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key, format: .der)))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    // A client with an idle connection may never respond to the close notification. Waiting for it has no benefit and
    // would delay the program's exit.
    configuration.shutdownTimeout = .milliseconds(250)
    return try NIOSSLContext(configuration: configuration)
  }
}
