import Documents
import Effects
import IdentityPlatform
import OAuth
import OrderedCollections

/// A request URL in a format that other programs accept.
struct RequestAddress {
  /// The URL with percent-encoded placeholders.
  let text: String
  private let reference: URLReference

  init(_ request: TracedRequest) { self.init(request.url) }

  init(_ url: String) {
    text = PlaceholderLabel.percentEncoded(inURL: url)
    reference = URLReference(text)
  }

  var scheme: String? { reference.scheme?.lowercased() }
  var host: String? { reference.host }
  var port: Int? { reference.port ?? Self.standardPorts[scheme ?? ""] }
  /// The path. The value is `/` if the URL has no path.
  var path: String { reference.path.isEmpty ? "/" : reference.path }
  /// The host, and the port if the URL contains one.
  var authority: String { "\(host ?? "")\(reference.port.map { ":\($0)" } ?? "")" }
  /// The decoded query parameters. Placeholders appear as in the trace.
  var query: [(name: String, value: String)] { Self.pairs(reference.query) }
  /// The decoded parameters in the fragment, which a redirect URL can contain.
  var fragment: [(name: String, value: String)] { Self.pairs(reference.fragment) }
  /// The path for narrow columns. A long path is truncated at its start.
  var shortPath: String { path.count > 46 ? "…\(path.suffix(45))" : path }
  /// The URL without the query or fragment.
  var plain: String {
    var plain = reference
    plain.query = nil
    plain.fragment = nil
    return plain.text
  }

  private static func pairs(_ text: String?) -> [(name: String, value: String)] {
    guard let text, !text.isEmpty else { return [] }
    return FormCoding.parse(text).entries.map { ($0.name, $0.value) }
  }

  private static let standardPorts = ["http": 80, "https": 443]
}

extension EndpointRole {
  /// Creates the address from a request.
  init(_ request: TracedRequest) {
    let address = RequestAddress(request)
    self.init(
      host: address.host?.lowercased() ?? "", path: address.path,
      isBearer: request.headers.first(named: "authorization") != nil)
  }
}

/// The server that receives a request.
enum RequestTarget: Hashable {
  case platform, graph
  /// A custom API, identified by its host.
  case api(String)

  init(_ exchange: TracedExchange, in tracedRun: TracedRun) {
    let address = RequestAddress(exchange.request)
    let host = address.host?.lowercased() ?? ""
    // A browser loads pages from the platform and from federated services.
    if exchange.from == .browser { self = .platform; return }
    for settings in (tracedRun.settings.object ?? [:]).values {
      if let graph = settings["graph"]?["host"]?.string, graph.lowercased() == host { self = .graph; return }
      if Self.hosts(of: settings["authority"]).contains(host) { self = .platform; return }
    }
    let kind = exchange.step.map { tracedRun.steps[$0].kind }
    switch kind {
    case "callGraph"?: self = .graph
    case "callAPI"?: self = .api(host.isEmpty ? "API" : host)
    default: self = .platform
    }
  }

  private static func hosts(of authority: JSON?) -> Set<String> {
    var hosts = Set(authority?["aliases"]?.array?.compactMap { $0.string?.lowercased() } ?? [])
    if let host = authority?["environment"]?.string { hosts.insert(host.lowercased()) }
    if let url = authority?["url"]?.string, let host = URLReference(url).host { hosts.insert(host.lowercased()) }
    return hosts
  }
}
