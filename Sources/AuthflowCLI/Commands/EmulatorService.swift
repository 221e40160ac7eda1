import Effects
import HTTPTypes
import IdentityEmulator
import LiveWorld
import OAuth
import Synchronization

/// The emulator as the function of a server: keeps other machines off the control interface, counts, and tells.
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

  /// How many requests have come.
  var count: Int { requests.load(ordering: .relaxed) }

  func answer(_ request: RequestMessage, to peer: ServerPeer) async -> ServerOutcome {
    requests.add(1, ordering: .relaxed)
    guard mayAsk(request, peer) else {
      log?(Self.line(request, 403, nil))
      return .response(
        ResponseMessage(
          .forbidden, headers: [.contentType: "text/plain; charset=utf-8"],
          body: Array("The control interface answers this machine only.\n".utf8)))
    }
    let outcome = await platform.exchange(request)
    if let log { log(Self.line(request, outcome)) }
    switch outcome {
    case .response(let response): return .response(response)
    case .endless(let response, let more): return .endless(response, more: more)
    case .cut(let response): return .cut(response)
    case .broken: return .broken
    }
  }

  /// Whether a request is not for the control interface, or may be.
  private func mayAsk(_ request: RequestMessage, _ peer: ServerPeer) -> Bool {
    guard !opensControl, let path = request.head.path, path.utf8.count > 1 else { return true }
    // As the platform reads it: empty segments count for nothing, and each is decoded.
    guard let first = path.prefix(while: { $0 != "?" && $0 != "#" }).split(separator: "/").first,
      first.utf8.contains(UInt8(ascii: "%")) || first == "_authflow",
      FormCoding.decode(first, plusIsSpace: false) == "_authflow"
    else { return true }
    let host = URLReference(request.url).host ?? ""
    return peer.isLoopback && (hosts.isOwn(host) || hosts.isLoopback)
  }

  // MARK: Telling

  private static func line(_ request: RequestMessage, _ outcome: IdentityPlatformEmulator.Outcome) -> String {
    switch outcome {
    case .broken: line(request, nil, "connection reset")
    case .endless(let response, _): line(request, response.head.status.code, "endless")
    case .cut(let response): line(request, response.head.status.code, "cut off")
    case .response(let response):
      line(request, response.head.status.code, code(of: response))
    }
  }

  /// The path without the query, in which codes and hints travel.
  private static func line(_ request: RequestMessage, _ status: Int?, _ remark: String?) -> String {
    let path = (request.head.path ?? "/").prefix { $0 != "?" }
    let shown = String(String.UnicodeScalarView(path.unicodeScalars.map { $0.isASCII && $0.value > 32 ? $0 : "?" }))
    return [request.head.method.rawValue, shown, status.map { "\($0)" }, remark].compactMap { $0 }
      .joined(separator: " ")
  }

  private static func code(of response: ResponseMessage) -> String? {
    guard let name = HTTPField.Name("x-ms-clitelem"), let telemetry = response.head.headerFields[name] else {
      return nil
    }
    let code = telemetry.split(separator: ",", omittingEmptySubsequences: false).dropFirst().first ?? "0"
    return code == "0" || code.isEmpty ? nil : "AADSTS\(code)"
  }
}
