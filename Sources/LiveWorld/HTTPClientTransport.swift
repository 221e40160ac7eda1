import AsyncHTTPClient
import Effects
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization
import SystemWorld

/// A transport that sends requests over the network, for `--platform live`. The first request opens a connection.
///
/// Redirects are returned, not followed. `ResponseLimit.bytes` limits the size of a response, before and after
/// decompression. An exchange takes at most 60 seconds, up to the last byte of the body. Connections require TLS 1.2 or
/// later (RFC 9325 §3.1.1), and certificates are always verified. HTTP/2 is used if the server selects it (RFC 9113
/// §3.2).
package final class HTTPClientTransport: HTTPTransport {
  private let environment: Environment
  private let clients = Mutex<[ProxyAddress?: HTTPClient]>([:])

  /// The timeouts for connecting, for the next part of a response, and for a whole exchange.
  package struct Timeouts: Sendable {
    package var connecting: Duration = .seconds(10)
    package var reading: Duration = .seconds(30)
    package var whole: Duration = .seconds(60)

    package init() {}
  }

  private let timeout: Timeouts
  private let agent: String?

  /// - Parameters:
  ///   - environment: The environment variables, such as `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, `SSL_CERT_FILE`, and
  ///     `SSL_CERT_DIR`.
  ///   - agent: The `User-Agent` for requests that do not set one (RFC 9110 §10.1.5).
  ///   - timeout: The timeouts for each exchange.
  package init(environment: Environment, agent: String? = nil, timeout: Timeouts = Timeouts()) {
    self.environment = environment
    self.agent = agent
    self.timeout = timeout
  }

  deinit {
    // An HTTP client must be shut down before it is released. The result of the shutdown is not needed.
    clients.withLock { clients in
      for client in clients.values { client.shutdown { _ in } }
    }
  }

  package func send(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    var message = HTTPClientRequest(url: request.url)
    message.method = HTTPMethod(rawValue: request.head.method.rawValue)
    for field in request.head.headerFields where field.name != .cookie {
      message.headers.add(name: field.name.rawName, value: field.value)
    }
    if let agent, request.head.headerFields[.userAgent] == nil { message.headers.add(name: "User-Agent", value: agent) }
    // HTTPTypes splits cookies into separate fields, but HTTP/1.1 sends all of them in one field (RFC 6265 §5.4), as
    // servers require.
    if let cookies = request.head.headerFields[.cookie] { message.headers.add(name: "Cookie", value: cookies) }
    if !request.body.isEmpty { message.body = .bytes(request.body) }
    let proxy = try ProxyAddress.find(
      scheme: request.head.scheme ?? "https", authority: request.head.authority ?? "", in: environment)
    let client = try client(through: proxy)
    // The HTTP client could send the request before it notices an earlier cancellation.
    if Task.isCancelled { throw .canceled }
    let host = request.head.authority ?? ""
    let deadline = ExchangeDeadline(after: timeout.whole)
    do {
      let response = try await client.execute(message, deadline: deadline.head)
      let body = try await deadline.limit(host: host) { received in
        try await ContentCoding.body(of: response, received: received)
      }
      var fields = HTTPFields()
      for (name, value) in response.headers {
        if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
      }
      try ContentCoding.settle(
        &fields, asked: request.head.headerFields[.acceptEncoding] != nil, host: host)
      let status = HTTPResponse.Status(code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase)
      return ResponseMessage(status, headers: fields, body: body)
    } catch {
      if proxy == nil, TransportFailure.isRefusedCertificate(error), !Task.isCancelled {
        throw .tls(await CertificateDiagnosis.explain(host, now: LiveClock().now))
      }
      throw TransportFailure(error, host: host)
    }
  }

  private func client(through proxy: ProxyAddress?) throws(TransportFailure) -> HTTPClient {
    try clients.withLock { clients throws(TransportFailure) -> HTTPClient in
      if let client = clients[proxy] { return client }
      var configuration = HTTPClient.Configuration(
        redirectConfiguration: .disallow,
        timeout: .init(connect: TimeAmount(timeout.connecting), read: TimeAmount(timeout.reading)))
      // Errors are reported immediately. The caller decides whether to retry.
      configuration.connectionPool.retryConnectionEstablishment = false
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.minimumTLSVersion = .tlsv12
      try TrustedRoots.set(&tls, from: environment)
      configuration.tlsConfiguration = tls
      configuration.decompression = ContentCoding.decompression
      configuration.proxy = proxy.map { proxy in
        .server(
          host: proxy.host, port: proxy.port,
          authorization: proxy.credentials.map { .basic(username: $0.name, password: $0.password) })
      }
      // Not `.singleton`: on Apple platforms, it uses Network.framework, which ignores `additionalTrustRoots` and
      // reports different errors.
      let client = HTTPClient(
        eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton), configuration: configuration)
      clients[proxy] = client
      return client
    }
  }
}
