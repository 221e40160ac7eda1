import NIOCore
import NIOSSL

/// The certificate chain of a server with its private key.
package struct ServerIdentity: Sendable {
  /// The certificates in DER, the server's certificate first.
  var chain: [[UInt8]]
  /// The private key in DER (PKCS #8 or SEC 1).
  var key: [UInt8]

  func context() throws -> NIOSSLContext {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try chain.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) },
      privateKey: .privateKey(try NIOSSLPrivateKey(bytes: key, format: .der)))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    // A client with an idle connection may never respond to the close notification. Waiting for it has no benefit, and must
    // not delay the end of the program.
    configuration.shutdownTimeout = .milliseconds(250)
    return try NIOSSLContext(configuration: configuration)
  }
}
