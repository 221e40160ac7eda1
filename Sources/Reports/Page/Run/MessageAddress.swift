import Documents
import Effects
import IdentityPlatform
import OAuth
import OrderedCollections
import TraceReading

/// The address of a request, in the parts that a page shows.
struct MessageAddress {
  /// With the port, where there is one.
  var host: String
  var path: String
  var query: [(name: String, value: String)]
  var fragment: [(name: String, value: String)]
  var role: EndpointRole

  init(_ exchange: StoryExchange) {
    let isBearer = exchange.request.headers.first(named: "authorization") != nil
    self.init(exchange.request.url, isBearer: isBearer)
  }

  init(_ url: String, isBearer: Bool = false) {
    let parts = URLParts(url)
    let name = parts?.host ?? ""
    host = parts?.port.map { "\(name):\($0)" } ?? name
    path = parts?.path ?? url
    query = Self.pairs(parts?.query)
    fragment = Self.pairs(parts?.fragment)
    role = EndpointRole(host: name.lowercased(), path: path, isBearer: isBearer)
  }

  /// The last pieces of the path, for where there is little room.
  var short: String {
    let shown = path.isEmpty ? "/" : path
    guard shown.count > 46 else { return shown }
    return "…\(shown.suffix(45))"
  }

  private static func pairs(_ text: String?) -> [(name: String, value: String)] {
    guard let text, !text.isEmpty else { return [] }
    return FormCoding.parse(text).entries.map { ($0.name, $0.value) }
  }
}
