import Documents
import Effects
import HTTPTypes
import Trust

extension APICall {
  /// Returns the HTTP request, without the token.
  ///
  /// - Parameter endpoint: The Graph endpoint, such as `https://graph.microsoft.com` or the `GraphEndpoint` from the
  ///   settings. The endpoint can contain a path and a version. Calls to other APIs ignore it.
  package func request(endpoint: String) throws(InvalidAPICall) -> RequestMessage {
    let url = try url(endpoint: endpoint)
    var fields = HTTPFields()
    for (name, value) in headers {
      guard let field = HTTPField.Name(name) else {
        throw InvalidAPICall("`\(name)` is not a valid header name")
      }
      guard value.utf8.allSatisfy({ $0 == 9 || $0 >= 32 && $0 != 127 }) else {
        throw InvalidAPICall("value of header `\(name)` contains a control character")
      }
      fields[field] = value
    }
    if fields[.accept] == nil { fields[.accept] = "application/json, */*;q=0.8" }
    let bytes = try content(&fields)
    guard let request = RequestMessage(method: effectiveMethod, url: url, headers: fields, body: bytes) else {
      throw InvalidAPICall("`\(url)` is not an absolute HTTP or HTTPS URL")
    }
    return request
  }

  private var effectiveMethod: HTTPRequest.Method { batch.isEmpty ? method : .post }

  private func content(_ fields: inout HTTPFields) throws(InvalidAPICall) -> [UInt8] {
    let body = batch.isEmpty ? body : .json(try BatchRequest.envelope(batch))
    switch body {
    case .none:
      return []
    case .json(let json):
      if fields[.contentType] == nil { fields[.contentType] = "application/json" }
      return Array(json.text(sortedKeys: false).utf8)
    case .bytes(let bytes, let mediaType):
      if fields[.contentType] == nil { fields[.contentType] = mediaType ?? "application/octet-stream" }
      return bytes
    }
  }

  private func url(endpoint: String) throws(InvalidAPICall) -> String {
    switch target {
    case .url(let text):
      return try withQuery(text)
    case .graph(let path):
      if !batch.isEmpty { return Self.base(of: endpoint) + "/\(version.rawValue)/$batch" }
      if Origin(of: path) != nil { return try withQuery(path) }
      let rooted = path.hasPrefix("/") ? path : "/" + path
      let first = rooted.dropFirst().prefix { $0 != "/" && $0 != "?" }
      let hasVersion = Version.allCases.contains { $0.rawValue == first }
      // A `#` does not start a fragment here, because guests' user principal names contain `#EXT#`.
      let escaped = rooted.replacing("#", with: "%23")
      return try withQuery(Self.base(of: endpoint) + (hasVersion ? "" : "/\(version.rawValue)") + escaped)
    }
  }

  /// Returns the endpoint without trailing slashes or the version.
  private static func base(of endpoint: String) -> String {
    var base = endpoint[...]
    while base.hasSuffix("/") { base = base.dropLast() }
    for version in Version.allCases where base.hasSuffix("/" + version.rawValue) {
      base = base.dropLast(version.rawValue.count + 1)
    }
    return String(base)
  }

  private func withQuery(_ text: String) throws(InvalidAPICall) -> String {
    let text = text.prefix { $0 != "#" }
    guard Origin(of: text) != nil else { throw InvalidAPICall("`\(text)` is not an absolute HTTP or HTTPS URL") }
    var url = URLReference(String(text))
    url.path =
      url.path.isEmpty ? "/" : PercentEncoding.encode(url.path, keeping: Self.pathCharacters, keepingEscapes: true)
    var parts: [String] = []
    if let query = url.query, !query.isEmpty {
      parts.append(PercentEncoding.encode(query, keeping: Self.queryCharacters, keepingEscapes: true))
    }
    for (name, value) in query {
      guard let text = try Self.queryText(value, of: name) else { continue }
      parts.append(
        [name, text].map { PercentEncoding.encode($0, keeping: Self.parameterCharacters) }.joined(separator: "="))
    }
    url.query = parts.isEmpty ? nil : parts.joined(separator: "&")
    return url.text
  }

  /// The characters that a path can contain (RFC 3986 §3.3).
  private static let pathCharacters = PercentEncoding.Characters(adding: "!$&'()*+,;=:@/")
  /// The characters that a query can contain (RFC 3986 §3.4).
  private static let queryCharacters = PercentEncoding.Characters(adding: "!$&'()*+,;=:@/?")
  /// The characters that the name or value of a query parameter can contain.
  private static let parameterCharacters = PercentEncoding.Characters(adding: "!$'()*,;:@/?")

  private static func queryText(_ value: JSON, of name: String) throws(InvalidAPICall) -> String? {
    switch value {
    case .null: return nil
    case .string(let text): return text
    case .bool(let bool): return bool ? "true" : "false"
    case .integer(let number): return String(number)
    case .real(let number): return String(number)
    case .array(let elements):
      var parts: [String] = []
      for element in elements {
        if let part = try queryText(element, of: name) { parts.append(part) }
      }
      return parts.joined(separator: ",")
    case .object:
      throw InvalidAPICall("query parameter `\(name)` is a mapping; use a string, number, or list")
    }
  }
}
