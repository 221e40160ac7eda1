import Diagnostics
import Documents
import Effects
import IdentityPlatform

/// A request in an HTTP archive (HAR 1.2).
package struct TrafficRequest: Sendable {
  package var method: String
  package var url: URLReference
  package var host: String
  /// The query, fragment, and form body parameters by name. If a name occurs several times, the first value is used.
  package var parameters: [String: String]
  /// The headers by lowercase name.
  package var headers: [String: String]
  /// The names of the parameters in the query and fragment, which servers and browsers store in logs and histories.
  package var exposedParameters: Set<String>
  package var place: FileSpan

  /// The requested scopes, except the OpenID Connect scopes.
  package var scopes: [String] {
    (parameters["scope"] ?? "").split(separator: " ").map(String.init).filter {
      !WellKnown.openIDScopes.contains($0.lowercased())
    }
  }

  /// Whether the host belongs to the sign-in service.
  package var isSignIn: Bool {
    host.hasPrefix("login.") || host.hasSuffix(".b2clogin.com") || host.hasSuffix(".ciamlogin.com")
      || host == "login.windows.net"
  }

  package var isAuthorize: Bool { isSignIn && url.path.hasSuffix("/authorize") }
  package var isToken: Bool { isSignIn && url.path.hasSuffix("/token") }
}

/// Functions that read the requests in HTTP archives.
package enum Traffic {
  /// Returns the requests in order, or nil if the document is not an HTTP archive.
  package static func requests(in document: Document) -> [TrafficRequest]? {
    guard let entries = document.root["log"]?["entries"], entries.kind == .array else { return nil }
    return entries.elements.compactMap { $0["request"].flatMap(request) }
  }

  private static func request(_ node: Node) -> TrafficRequest? {
    guard let urlNode = node["url"], let text = urlNode.string, let url = URLReference(valid: text), let host = url.host
    else {
      return nil
    }
    var headers: [String: String] = [:]
    for header in node["headers"].map({ Array($0.elements) }) ?? [] {
      if let name = header["name"]?.string?.lowercased(), let value = header["value"]?.string { headers[name] = value }
    }
    var parameters: [String: String] = [:]
    func add(_ query: some StringProtocol) {
      for (name, value) in FormText.parameters(of: String(query)) where parameters[name] == nil {
        parameters[name] = value
      }
    }
    if let query = url.query { add(query) }
    if let fragment = url.fragment { add(fragment) }
    let exposed = Set(parameters.keys)
    if let body = node["postData"] {
      if let text = body["text"]?.string, text.utf8.count < 1 << 20, !text.hasPrefix("{") { add(text) }
      for parameter in body["params"].map({ Array($0.elements) }) ?? [] {
        guard let name = parameter["name"]?.string, parameters[name] == nil else { continue }
        parameters[name] = parameter["value"]?.string ?? ""
      }
    }
    return TrafficRequest(
      method: node["method"]?.string ?? "", url: url, host: host, parameters: parameters, headers: headers,
      exposedParameters: exposed, place: urlNode.place)
  }
}
