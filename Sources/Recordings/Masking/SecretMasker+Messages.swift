import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

extension SecretMasker {
  // MARK: Requests

  mutating func request(_ request: RequestMessage) -> RecordedRequest {
    let url = URLReference(request.url)
    var recorded = RecordedRequest(method: request.head.method.rawValue, url: base(url))
    recorded.query = parameters(FormCoding.parse(url.query ?? ""))
    recorded.headers = headers(request.head.headerFields)
    recorded.body = body(request.body, type: request.head.headerFields[.contentType], isResponse: false)
    return recorded
  }

  /// Returns the recorded request for a page that the app opens in the browser.
  mutating func page(_ address: String) -> RecordedRequest {
    let url = URLReference(address)
    var recorded = RecordedRequest(method: "VISIT", url: base(url))
    recorded.query = parameters(FormCoding.parse(url.query ?? ""))
    return recorded
  }

  /// Returns the URL without its query or fragment.
  mutating func base(_ url: URLReference) -> String {
    var url = url
    url.query = nil
    url.fragment = nil
    return text(url.text)
  }

  mutating func parameters(_ parameters: Parameters) -> RecordedFields {
    var fields: RecordedFields = [:]
    for entry in parameters.entries {
      fields[text(entry.name), default: []].append(parameter(entry.name, entry.value))
    }
    return fields
  }

  private mutating func parameter(_ name: String, _ value: String) -> String {
    kind(SecretNames.inParameters(name), value).map { secret(value, $0) } ?? text(value)
  }

  // MARK: Headers

  /// Headers that describe the transfer rather than the content.
  private static let transferHeaders: Set<String> = [
    "content-length", "transfer-encoding", "content-encoding", "connection", "keep-alive", "accept-encoding", "host",
  ]
  private static let dateHeaders: Set<String> = ["date", "expires", "last-modified", "retry-after"]

  mutating func headers(_ fields: HTTPFields) -> RecordedFields {
    var recorded: RecordedFields = [:]
    for field in fields {
      let name = field.name.canonicalName
      guard !Self.transferHeaders.contains(name) else { continue }
      recorded[name, default: []].append(header(name, field.value))
    }
    return recorded
  }

  private mutating func header(_ name: String, _ value: String) -> String {
    switch name {
    case "authorization", "proxy-authorization": return credentials(value)
    case "cookie":
      return value.split(separator: ";").map { cookie(String($0)) }.joined(separator: ";")
    case "set-cookie":
      // Replay ignores cookie attributes.
      return cookie(String(value.prefix { $0 != ";" }))
    case "client-request-id": return secret(value, "correlation id")
    case "www-authenticate": return text(value)
    default: break
    }
    if Self.dateHeaders.contains(name),
      let date = CalendarTime(httpDate: value, currentYear: now.calendarTime.year)
    {
      return time(date.secondsSince1970, .date)
    }
    if let kind = kind(SecretNames.inHeaders(name), value) { return secret(value, kind) }
    return text(value)
  }

  private mutating func credentials(_ value: String) -> String {
    let scheme = String(value.prefix { $0 != " " })
    guard scheme.utf8.count < value.utf8.count else { return secret(value, "access token") }
    let rest = String(value.dropFirst(scheme.count + 1))
    let kind =
      switch scheme.lowercased() {
      case "basic": "client credentials"
      case "pkeyauth": "device proof"
      default: "access token"
      }
    return "\(text(scheme)) \(secret(rest, kind))"
  }

  private mutating func cookie(_ pair: String) -> String {
    guard let separator = pair.firstIndex(of: "=") else { return secret(pair, "cookie") }
    return "\(text(String(pair[..<separator])))=\(secret(String(pair[pair.index(after: separator)...]), "cookie"))"
  }

  // MARK: Responses

  mutating func response(_ response: ResponseMessage) -> RecordedResponse {
    .response(
      status: response.head.status.code, headers: headers(response.head.headerFields),
      body: body(response.body, type: response.head.headerFields[.contentType], isResponse: true))
  }

  // MARK: Bodies

  private mutating func body(_ bytes: [UInt8], type: String?, isResponse: Bool) -> RecordedBody {
    switch BodyKind(bytes, type: type) {
    case .none: return .none
    case .form: return .form(parameters(FormCoding.parse(body: bytes)))
    case .json(let json): return .json(isResponse ? endpointResponse(json) : self.json(json, name: nil))
    case .text(let string):
      return .text(text(string, isMarkup: isResponse && type?.lowercased().hasPrefix("text/") == true))
    case .bytes:
      guard registry.matches(in: bytes).isEmpty else {
        return .text(secret(String(decoding: bytes, as: UTF8.self), "bytes"))
      }
      return .base64(Base64.encode(bytes))
    }
  }

  /// Masks an endpoint response, including provider keys and expiration times.
  private mutating func endpointResponse(_ json: JSON) -> JSON {
    if let set = keySet(json) { return set }
    guard var members = json.object, members["access_token"] != nil || members["id_token"] != nil else {
      return self.json(json, name: nil)
    }
    // The ID token can contain the hash of the access token.
    if let token = members["access_token"]?.string {
      let placeholder = secret(token, "access token")
      recordHash(of: token, as: String(placeholder.dropFirst().dropLast()))
    }
    let recorded = members
    for name in ["expires_on", "ext_expires_on", "refresh_on", "not_before", "not_before_on"] {
      switch recorded[name] {
      case .integer(let seconds) where Self.isPlausibleTime(seconds): members[name] = .string(time(seconds, .number))
      case .string(let text):
        if let seconds = Int64(text), Self.isPlausibleTime(seconds) { members[name] = .string(time(seconds, .text)) }
      default: break
      }
    }
    let times = members.filter { $0.value.string?.hasSuffix("›") == true && recorded[$0.key] != $0.value }
    guard var result = self.json(.object(recorded), name: nil).object else { return .null }
    for (name, value) in times { result[name] = value }
    return .object(result)
  }

  /// The placeholder for public key material.
  static let replayKey = "‹replay key›"

  /// Removes the key material from a provider's key set, because a replay signs tokens with its own keys.
  private mutating func keySet(_ json: JSON) -> JSON? {
    guard let members = json["keys"]?.array, members.contains(where: { $0["kty"] != nil }) else { return nil }
    var set = json
    set["keys"] = .array(
      members.map { member in
        var key = member
        // Providers must not publish private keys. If a provider does, the recording must not contain them.
        for name in ["d", "p", "q", "dp", "dq", "qi", "k"] {
          if let text = key[name]?.string { key[name] = .string(secret(text, "private key")) }
        }
        guard (try? JWK(member)) != nil else { return key }
        for name in ["n", "e", "x", "y", "x5c", "x5t", "x5t#S256"] where key[name] != nil {
          key[name] = ["n", "e", "x", "y"].contains(name) ? .string(Self.replayKey) : nil
        }
        return key
      })
    return set
  }

  /// Masks the secrets in a JSON value, including nested values.
  mutating func json(_ json: JSON, name: String?) -> JSON {
    switch json {
    case .object(let members):
      var recorded: JSON.Members = [:]
      for (key, value) in members { recorded[text(key)] = self.json(value, name: key) }
      return .object(recorded)
    case .array(let values): return .array(values.map { self.json($0, name: name) })
    case .string(let string):
      if let digits = WideNumber.digits(string) { return number(digits, name: name) }
      if let name, let kind = kind(SecretNames.inJSON(name), string) { return .string(secret(string, kind)) }
      return .string(text(string))
    case .integer, .real:
      guard let name, case .secret(let kind) = SecretNames.inJSON(name), !["session id", "signature"].contains(kind)
      else { return json }
      return .string(secret(json.text(), kind))
    default: return json
    }
  }

  /// Returns the placeholder for a number that `JSON` cannot represent exactly.
  private mutating func number(_ digits: String, name: String?) -> JSON {
    if let name, case .secret(let kind) = SecretNames.inJSON(name) { return .string(secret(digits, kind)) }
    return .string(SecretPlaceholder.number(digits).text)
  }

  // MARK: Visits

  /// Returns the recorded redirect at the end of a visit.
  mutating func redirect(_ address: String, expected: String?) -> RecordedVisit.Result {
    let url = URLReference(address)
    var plain = url
    plain.query = nil
    plain.fragment = nil
    let isExpected = expected.map { RedirectBase.isSame($0, plain.text) } ?? false
    let parameters = ValidatedRedirect.parameters(of: address)
    if let code = parameters["code"], !code.isEmpty {
      let placeholder = secret(code, "authorization code")
      recordHash(of: code, as: String(placeholder.dropFirst().dropLast()))
    }
    return .redirected(
      url: isExpected ? SecretPlaceholder.redirectURI.text : text(plain.text),
      query: self.parameters(FormCoding.parse(url.query ?? "")),
      fragment: self.parameters(FormCoding.parse(url.fragment ?? "")))
  }
}

/// The comparison of redirect URIs.
enum RedirectBase {
  /// Whether two redirect URIs are equal, ignoring the port of a loopback address (RFC 8252 §7.3).
  static func isSame(_ one: String, _ other: String) -> Bool { one == other || comparable(one) == comparable(other) }

  /// Returns the URI without the port if the host is a loopback address, because the port can differ between runs.
  static func comparable(_ uri: String) -> String {
    var url = URLReference(uri)
    guard url.scheme?.lowercased() == "http", let host = url.host, ["127.0.0.1", "localhost", "[::1]"].contains(host)
    else { return uri }
    url.authority = host
    if url.path.isEmpty { url.path = "/" }
    return url.text
  }
}

extension JSON {
  /// The nesting depth of arrays and objects in the value.
  var depth: Int {
    switch self {
    case .array(let values): 1 + (values.map(\.depth).max() ?? 0)
    case .object(let members): 1 + (members.values.map(\.depth).max() ?? 0)
    default: 0
    }
  }
}
