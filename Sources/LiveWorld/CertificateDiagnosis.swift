import Effects
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A diagnosis of why TLS rejected a server's certificate.
///
/// TLS reports only the rejection. This type connects to the server again and inspects the certificate, without
/// trusting it or sending data.
enum CertificateDiagnosis {
  static let help =
    "for a test server, set SSL_CERT_FILE to its certificate, or to that of its CA (a PEM file)"

  /// - Parameters:
  ///   - authority: The server, as `host:port` or `host`.
  ///   - now: The time at which the certificate must be valid.
  static func explain(_ authority: String, now: Instant) async -> String {
    let (host, port) = ProxyAddress.hostAndPort(authority)
    let chain = await certificates(of: host, port: port ?? 443)
    return "the certificate of \(authority) was rejected: \(reason(chain, now: now)); \(help)"
  }

  static func reason(_ chain: [NIOSSLCertificate], now: Instant) -> String {
    let seconds = now.nanosecondsSince1970 / 1_000_000_000
    for certificate in chain {
      let which = certificate === chain.first ? "it" : "a certificate in its chain"
      let last = Instant(secondsSince1970: Int64(certificate.notValidAfter))
      let first = Instant(secondsSince1970: Int64(certificate.notValidBefore))
      if Int64(certificate.notValidAfter) < seconds { return "\(which) expired at \(last.rfc3339())" }
      if Int64(certificate.notValidBefore) > seconds { return "\(which) is not valid before \(first.rfc3339())" }
    }
    return chain.count == 1
      ? "its issuer is not trusted (the server does not send other certificates)"
      : "its chain does not end in a trusted CA"
  }

  private static func certificates(of host: String, port: Int) async -> [NIOSSLCertificate] {
    let seen = Mutex<[NIOSSLCertificate]>([])
    await look(at: host, port: port) { chain in seen.withLock { $0 = chain } }
    return seen.withLock { $0 }
  }

  private static func look(
    at host: String, port: Int, see: @escaping @Sendable ([NIOSSLCertificate]) -> Void
  ) async {
    guard let context = try? NIOSSLContext(configuration: .makeClientConfiguration()) else { return }
    let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
    let channel = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connectTimeout(.seconds(5))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let handler = try NIOSSLClientHandler(
            context: context, serverHostname: isAddress ? nil : host,
            customVerificationCallback: { chain, verdict in
              see(chain)
              verdict.succeed(.failed)
            })
          try channel.pipeline.syncOperations.addHandlers(handler, CloseOnHandshakeError())
        }
      }
      .connect(host: host, port: port).get()
    guard let channel else { return }
    let end = channel.eventLoop.scheduleTask(in: .seconds(5)) { channel.close(promise: nil) }
    try? await channel.closeFuture.get()
    end.cancel()
  }

  /// A channel handler that closes the connection if the handshake fails.
  private final class CloseOnHandshakeError: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
