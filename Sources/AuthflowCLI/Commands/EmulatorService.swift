import Effects
import HTTPTypes
import IdentityEmulator
import LiveWorld
import OAuth
import Synchronization

/// The request handler of `authflow emulator`, which protects the control interface, and counts and logs requests.
final class EmulatorService: Sendable {
  let platform: IdentityPlatformEmulator
  private let hosts: ServedHosts
  private let opensControl: Bool
  private let log: (@Sendable (String) -> Void)?
  private let requests = Atomic(0)

  init(
    platform: IdentityPlatformEmulator, hosts: ServedHosts, opensControl: Bool, log: (@Sendable (String) -> Void)?
  ) {
    self.platform = platform
    self.hosts = hosts
    self.opensControl = opensControl
    self.log = log
  }

  /// Returns the configuration of the service's server.
  func configuration(port: Int, identity: ServerIdentity?, plain: Bool) -> HTTPServer.Configuration {
    HTTPServer.Configuration(
      address: hosts.bindAddress, port: port, identity: identity, plain: plain,
      largeBodies: LargeBodies(
        limit: { self.platform.bodyLimit(for: $0) }, refusal: { self.platform.bodyLimitResponse(for: $0) }),
      serves: { self.hosts.serves($0, platform: self.platform) })
  }

  /// The number of requests that the service has received, excluding requests that only read the control interface.
  var count: Int { requests.load(ordering: .relaxed) }

  func respond(to request: RequestMessage, from peer: ServerPeer) async -> ServerOutcome {
    let log = Self.isFromPage(request) ? nil : self.log
    if request.head.method != .get || request.head.path?.hasPrefix("/_authflow/") != true {
      requests.add(1, ordering: .relaxed)
    }
    guard isAllowed(request, peer) else {
      log?(Self.line(request, 403, nil))
      return .response(
        ResponseMessage(
          .forbidden, headers: [.contentType: "text/plain; charset=utf-8"],
          body: Array("The control interface accepts requests from this machine only.\n".utf8)))
    }
    let outcome = await platform.exchange(request)
    if let log { log(Self.line(request, outcome)) }
    switch outcome {
    case .response(let response): return .response(response)
    case .endless(let response, let more): return .endless(response, more: more)
    case .truncated(let response): return .cut(response)
    case .failed: return .broken
    }
  }

  /// Whether a request is permitted. Unless the control interface is open, only local requests can use it.
  private func isAllowed(_ request: RequestMessage, _ peer: ServerPeer) -> Bool {
    guard !opensControl, let path = request.head.path, path.utf8.count > 1 else { return true }
    // Like the emulator, ignore empty segments, and decode each segment.
    guard let first = path.prefix(while: { $0 != "?" && $0 != "#" }).split(separator: "/").first,
      first.utf8.contains(UInt8(ascii: "%")) || first == "_authflow",
      PercentEncoding.decode(first) == "_authflow"
    else { return true }
    let host = URLReference(request.url).host ?? ""
    return peer.isLoopback && (hosts.isLocal(host) || hosts.isLoopback)
  }

  // MARK: Log

  /// Whether a script on one of the emulator's pages sent the request. Pages send requests every second, so these
  /// requests are not logged.
  private static func isFromPage(_ request: RequestMessage) -> Bool {
    guard let name = HTTPField.Name("sec-fetch-mode"), let mode = request.head.headerFields[name] else { return false }
    return mode != "navigate" && request.head.path?.hasPrefix("/_authflow/") == true
  }

  private static func line(_ request: RequestMessage, _ outcome: IdentityPlatformEmulator.Outcome) -> String {
    switch outcome {
    case .failed: line(request, nil, "connection reset")
    case .endless(let response, _): line(request, response.head.status.code, "endless")
    case .truncated(let response): line(request, response.head.status.code, "cut off")
    case .response(let response):
      line(request, response.head.status.code, code(of: response))
    }
  }

  /// Returns a log line without the query, which can contain codes and login hints.
  private static func line(_ request: RequestMessage, _ status: Int?, _ detail: String?) -> String {
    let path = (request.head.path ?? "/").prefix { $0 != "?" }
    let printable = String(
      String.UnicodeScalarView(path.unicodeScalars.map { $0.isASCII && $0.value > 32 ? $0 : "?" }))
    return [request.head.method.rawValue, printable, status.map { "\($0)" }, detail].compactMap { $0 }
      .joined(separator: " ")
  }

  /// Returns the AADSTS code of an error response, or nil for other responses.
  private static func code(of response: ResponseMessage) -> String? {
    guard let name = HTTPField.Name("x-ms-clitelem"), let telemetry = response.head.headerFields[name] else {
      return nil
    }
    let code = telemetry.split(separator: ",", omittingEmptySubsequences: false).dropFirst().first ?? "0"
    return code == "0" || code.isEmpty ? nil : "AADSTS\(code)"
  }
}
