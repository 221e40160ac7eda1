import Effects
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Why a server's certificate was refused, in words.
///
/// TLS itself only says that it was. The reason is found by greeting the server once more, looking at what it shows, and
/// leaving: nothing is sent, and nothing it shows is trusted.
enum CertificateDiagnosis {
  static let help =
    "if it is a test server of yours, name its certificate, or its authority's, in SSL_CERT_FILE (a PEM file)"

  /// - Parameters:
  ///   - authority: the server, `host:port` or `host`.
  ///   - now: against what the certificate's dates are held.
  static func explain(_ authority: String, now: Instant) async -> String {
    let (host, port) = ProxyAddress.hostAndPort(authority)
    let chain = await certificates(of: host, port: port ?? 443)
    return "the certificate of \(authority) is refused: \(reason(chain, now: now)); \(help)"
  }

  static func reason(_ chain: [NIOSSLCertificate], now: Instant) -> String {
    let seconds = now.nanosecondsSince1970 / 1_000_000_000
    for certificate in chain {
      let which = certificate === chain.first ? "it" : "a certificate above it"
      let last = Instant(secondsSince1970: Int64(certificate.notValidAfter))
      let first = Instant(secondsSince1970: Int64(certificate.notValidBefore))
      if Int64(certificate.notValidAfter) < seconds { return "\(which) expired on \(last.rfc3339())" }
      if Int64(certificate.notValidBefore) > seconds { return "\(which) is valid only from \(first.rfc3339()) on" }
    }
    return chain.count == 1
      ? "nobody whom this machine trusts signed it (the server shows it alone)"
      : "no authority that this machine trusts stands at the end of its chain"
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

  /// Closes when the handshake has been refused.
  private final class CloseOnHandshakeError: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
