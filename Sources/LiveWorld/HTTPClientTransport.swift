import AsyncHTTPClient
import Effects
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization
import SystemWorld

/// HTTP over the network, for `--platform live`. Nothing is made before the first request.
///
/// Redirects are handed back, not followed; a response is at most `ResponseLimit.bytes`, also where it comes compressed; an
/// exchange takes at most 60 seconds, from connecting to the last byte of the body; TLS is 1.2 or newer (RFC 9325 §3.1.1), certificates are always verified, and
/// HTTP/2 is spoken where the server chooses it (RFC 9113 §3.2).
package final class HTTPClientTransport: HTTPTransport {
  private let environment: Environment
  private let clients = Mutex<[ProxyAddress?: HTTPClient]>([:])

  /// How long it waits: for a connection, for the next piece of a response, and for a whole exchange.
  package struct Timeouts: Sendable {
    package var connecting: Duration = .seconds(10)
    package var reading: Duration = .seconds(30)
    package var whole: Duration = .seconds(60)

    package init() {}
  }

  private let patience: Timeouts
  private let agent: String?

  /// - Parameters:
  ///   - environment: where `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, and `SSL_CERT_FILE` and `SSL_CERT_DIR`, are looked up.
  ///   - agent: who asks, for requests that do not say it themselves: `User-Agent` (RFC 9110 §10.1.5).
  ///   - patience: how long it waits.
  package init(environment: Environment, agent: String? = nil, patience: Timeouts = Timeouts()) {
    self.environment = environment
    self.agent = agent
    self.patience = patience
  }

  deinit {
    // A client must be told before it goes; nobody waits for it.
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
    // HTTP types keep each cookie apart; HTTP/1.1 knows one field for all (RFC 6265 §5.4), and servers rely on it.
    if let cookies = request.head.headerFields[.cookie] { message.headers.add(name: "Cookie", value: cookies) }
    if !request.body.isEmpty { message.body = .bytes(request.body) }
    let proxy = try ProxyAddress.find(
      scheme: request.head.scheme ?? "https", authority: request.head.authority ?? "", in: environment)
    let client = try client(through: proxy)
    // The client may send, and have its answer, before it hears of a cancellation that came first.
    if Task.isCancelled { throw .cancelled }
    let host = request.head.authority ?? ""
    let deadline = ExchangeDeadline(after: patience.whole)
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
        timeout: .init(connect: TimeAmount(patience.connecting), read: TimeAmount(patience.reading)))
      // Who waits for a user's answer is told at once; retrying is the caller's decision.
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
      let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
      clients[proxy] = client
      return client
    }
  }
}
