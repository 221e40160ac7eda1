import Documents
import IdentityPlatform
import OAuth
import OrderedCollections

/// The URL of a request, in a form that other programs accept.
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
  /// The path, at least `/`.
  var path: String { reference.path.isEmpty ? "/" : reference.path }
  /// The host, with the port if the URL has one.
  var authority: String { "\(host ?? "")\(reference.port.map { ":\($0)" } ?? "")" }
  /// The decoded query parameters, with placeholders in their original form.
  var query: [(name: String, value: String)] { Self.pairs(reference.query) }
  /// The decoded fragment parameters, which a redirect can contain.
  var fragment: [(name: String, value: String)] { Self.pairs(reference.fragment) }
  /// The end of the path, for narrow columns.
  var shortPath: String { path.count > 46 ? "…\(path.suffix(45))" : path }
  /// The URL without query and fragment.
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
  /// The target of a request.
  init(_ request: TracedRequest) {
    let address = RequestAddress(request)
    self.init(
      host: address.host?.lowercased() ?? "", path: address.path,
      isBearer: request.headers.first(named: "authorization") != nil)
  }
}

/// The server of a request.
enum RequestTarget: Hashable {
  case platform, graph
  /// A custom API, by host.
  case api(String)

  init(_ exchange: TracedExchange, in story: TracedRun) {
    let address = RequestAddress(exchange.request)
    let host = address.host?.lowercased() ?? ""
    // A browser loads the platform's pages, and those of federated services.
    if exchange.from == .browser { self = .platform; return }
    for settings in (story.settings.object ?? [:]).values {
      if let graph = settings["graph"]?["host"]?.string, graph.lowercased() == host { self = .graph; return }
      if Self.hosts(of: settings["authority"]).contains(host) { self = .platform; return }
    }
    let kind = exchange.step.map { story.steps[$0].kind }
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
