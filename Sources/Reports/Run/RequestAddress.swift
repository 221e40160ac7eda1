import Documents
import IdentityPlatform
import OAuth
import OrderedCollections

/// Where a request goes, in parts that other programs take for a URL.
struct RequestAddress {
  /// The whole, with placeholders percent-encoded.
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
  /// `/` where there is none.
  var path: String { reference.path.isEmpty ? "/" : reference.path }
  /// The host, with the port where the address names one.
  var authority: String { "\(host ?? "")\(reference.port.map { ":\($0)" } ?? "")" }
  /// The query's parameters, decoded: placeholders are themselves again.
  var query: [(name: String, value: String)] { Self.pairs(reference.query) }
  /// The same of what is behind the `#`, where a redirect may bring its answer.
  var fragment: [(name: String, value: String)] { Self.pairs(reference.fragment) }
  /// The end of the path, for where there is little room.
  var shortPath: String { path.count > 46 ? "…\(path.suffix(45))" : path }
  /// Without query and fragment.
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
  /// What the address of a request is for.
  init(_ request: TracedRequest) {
    let address = RequestAddress(request)
    self.init(
      host: address.host?.lowercased() ?? "", path: address.path,
      isBearer: request.headers.first(named: "authorization") != nil)
  }
}

/// Who answers a request.
enum RequestTarget: Hashable {
  case platform, graph
  /// An API of somebody's own, by its host.
  case api(String)

  init(_ exchange: TracedExchange, in story: TracedRun) {
    let address = RequestAddress(exchange.request)
    let host = address.host?.lowercased() ?? ""
    // A browser shows the platform's pages, and those of whoever the platform hands the user to.
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
