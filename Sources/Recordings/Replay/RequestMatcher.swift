import Documents
import Effects
import OAuth
import OrderedCollections

/// The comparison of a sent request with a recorded request. A placeholder with a value matches only that value. A
/// placeholder without a value matches any text and is then bound to that text.
struct RequestMatcher: Sendable {
  private let bindings: ReplayBindings
  /// The values that the comparison has found so far for the recorded request's placeholders.
  private(set) var bound: [String: String] = [:]

  init(_ bindings: ReplayBindings) { self.bindings = bindings }

  /// Whether a parameter can differ between runs without changing the meaning of the request.
  static func isVolatile(_ name: String) -> Bool {
    let name = name.lowercased()
    return volatile.contains(name) || name.hasPrefix("x-client-") || name.hasPrefix("x-app-")
      || name.contains("correlation") || name.contains("timestamp")
  }

  private static let volatile: Set<String> = [
    "state", "nonce", "code_challenge", "code_verifier", "client-request-id", "client_request_id",
    "return-client-request-id", "x-ms-client-request-id", "ts",
  ]

  /// Returns the differences between two requests, ordered by method, host, path, parameters, and body. Returns an
  /// empty list if the requests match.
  mutating func differences(_ recorded: RecordedRequest, _ sent: NormalizedRequest) -> [RequestDifference] {
    var differences: [RequestDifference] = []
    if recorded.method != sent.method { differences.append(.init("method", recorded.method, sent.method)) }
    let (recordedBase, sentBase) = (URLBase(recorded.url), URLBase(sent.url))
    if !matches(recordedBase.host, sentBase.host) {
      differences.append(.init("host", recordedBase.host, sentBase.host))
    }
    if !matches(recordedBase.path, sentBase.path, isPath: true) {
      differences.append(.init("path", recordedBase.path, sentBase.path))
    }
    differences += self.differences(recorded.query, sent.query, of: "query")
    if let recorded = recorded.headers["authorization"]?.first, let actual = sent.authorization {
      if !matches(recorded, actual) { differences.append(.init("header authorization", recorded, actual)) }
    } else if (recorded.headers["authorization"] == nil) != (sent.authorization == nil) {
      differences.append(.init("header authorization", recorded.headers["authorization"]?.first, sent.authorization))
    }
    // Ignore differences in this header, because the service only returns it unchanged.
    if let recorded = recorded.headers["client-request-id"], let actual = sent.requestID {
      _ = matches(recorded, [actual], "client-request-id")
    }
    return differences + self.differences(recorded.body, sent.body)
  }

  private mutating func differences(
    _ recorded: RecordedFields, _ sent: Parameters, of part: String
  ) -> [RequestDifference] {
    var differences: [RequestDifference] = []
    for name in Set(recorded.keys).union(sent.names).sorted() {
      let (left, right) = (recorded[name] ?? [], sent.values(of: name))
      let isSame = left.count == right.count && matches(left, right, name)
      guard !isSame, !Self.isVolatile(name) else { continue }
      differences.append(
        .init(
          "\(part) \(name)", left.isEmpty ? nil : left.joined(separator: ", "),
          right.isEmpty ? nil : right.joined(separator: ", "), name: name))
    }
    return differences
  }

  private mutating func matches(_ recorded: [String], _ sent: [String], _ name: String) -> Bool {
    for (left, right) in zip(recorded, sent) {
      // Volatile parameters always match. Only bind their placeholders.
      if Self.isVolatile(name) {
        if case .secret(let label)? = PlaceholderText(left).only { bound[label] = right }
        continue
      }
      switch name.lowercased() {
      case "scope": if ScopeSet(parsing: left) == ScopeSet(parsing: right) { continue }
      case "redirect_uri", "post_logout_redirect_uri": if RedirectBase.isSame(left, right) { continue }
      default: break
      }
      guard matches(left, right) else { return false }
    }
    return true
  }

  private mutating func differences(_ recorded: RecordedBody, _ sent: NormalizedRequest.Body) -> [RequestDifference] {
    switch (recorded, sent) {
    case (.none, .none): return []
    case (.form(let fields), .form(let parameters)): return differences(fields, parameters, of: "form")
    case (.json(let left), .json(let right)): return differences(left, right, at: "body")
    case (.text(let left), .text(let right)):
      return matches(left, right) ? [] : [.init("body", left, right)]
    case (.base64(let left), .bytes(let right)):
      return left == Base64.encode(right) ? [] : [.init("body", "different bytes", "\(right.count) bytes")]
    default: return [.init("body", recorded.typeName, sent.typeName)]
    }
  }

  private mutating func differences(_ recorded: JSON, _ sent: JSON, at path: String) -> [RequestDifference] {
    switch (recorded, sent) {
    case (.object(let left), .object(let right)):
      return Set(left.keys).union(right.keys).sorted().flatMap { key -> [RequestDifference] in
        guard let one = left[key], let other = right[key] else {
          return [.init("\(path).\(key)", left[key]?.text(), right[key]?.text(), name: key)]
        }
        return differences(one, other, at: "\(path).\(key)")
      }
    case (.array(let left), .array(let right)) where left.count == right.count:
      return zip(left, right).enumerated().flatMap { index, pair in
        differences(pair.0, pair.1, at: "\(path)[\(index)]")
      }
    case (.string(let left), .string(let right)):
      if let digits = WideNumber.digits(right) {
        return matches(left, digits) && PlaceholderText(left).plain == nil ? [] : [.init(path, left, digits)]
      }
      return matches(left, right) ? [] : [.init(path, left, right)]
    // A number in a secret field is recorded as a placeholder.
    case (.string(let left), .integer), (.string(let left), .real):
      return matches(left, sent.text()) && PlaceholderText(left).plain == nil ? [] : [.init(path, left, sent.text())]
    default: return recorded == sent ? [] : [.init(path, recorded.text(), sent.text())]
    }
  }

  /// Whether a recorded text matches a sent text.
  /// - Parameter isPath: Whether the text is a URL path with percent-encoded secrets.
  mutating func matches(_ recorded: String, _ sent: String, isPath: Bool = false) -> Bool {
    let text = PlaceholderText(recorded)
    if let plain = text.plain { return plain == sent }
    var rest = sent[...]
    var newBindings: [String: String] = [:]
    for (index, part) in text.parts.enumerated() {
      switch part {
      case .literal(let literal):
        guard rest.hasPrefix(literal) else { return false }
        rest = rest.dropFirst(literal.count)
      case .placeholder(let placeholder):
        if let value = value(of: placeholder, newBindings) {
          guard let end = Self.end(of: value, in: rest) else { return false }
          rest = rest[end...]
          continue
        }
        var end = rest.endIndex
        if index + 1 < text.parts.count, case .literal(let next) = text.parts[index + 1] {
          guard let match = rest.firstRange(of: next) else { return false }
          end = match.lowerBound
        }
        if case .secret(let label) = placeholder {
          newBindings[label] = isPath ? PercentEncoding.decode(rest[..<end]) : String(rest[..<end])
        }
        rest = rest[end...]
      }
    }
    guard rest.isEmpty else { return false }
    bound.merge(newBindings) { $1 }
    return true
  }

  /// Returns the index after a value at the start of a string, or nil if the string does not start with the value. The
  /// value can be percent-encoded in the string.
  private static func end(of value: String, in text: Substring) -> Substring.Index? {
    if text.hasPrefix(value) { return text.index(text.startIndex, offsetBy: value.count) }
    let sent = Array(text.utf8)
    var index = 0
    for byte in value.utf8 {
      guard index < sent.count else { return nil }
      if sent[index] == UInt8(ascii: "%"), index + 2 < sent.count,
        UInt8(String(decoding: sent[(index + 1)...(index + 2)], as: UTF8.self), radix: 16) == byte
      {
        index += 3
      } else if sent[index] == byte || byte == UInt8(ascii: " ") && sent[index] == UInt8(ascii: "+") {
        index += 1
      } else {
        return nil
      }
    }
    return text.utf8.index(text.startIndex, offsetBy: index)
  }

  private func value(of placeholder: SecretPlaceholder, _ newBindings: [String: String]) -> String? {
    switch placeholder {
    case .secret(let label): newBindings[label] ?? bound[label] ?? bindings.values[label]
    case .number(let digits): digits
    default: nil
    }
  }
}

/// A URL without its query or fragment, split into two parts. A URL parser cannot split the URL, because placeholders
/// can contain `#`.
struct URLBase: Sendable {
  /// The scheme and authority.
  let host: String
  let path: String

  init(_ url: String) {
    let authority = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    let start = url[authority...].firstIndex(of: "/") ?? url.endIndex
    host = String(url[..<start])
    path = String(url[start...])
  }
}

extension RecordedBody {
  fileprivate var typeName: String {
    switch self {
    case .none: "empty"
    case .form: "form"
    case .json: "JSON"
    case .text: "text"
    case .base64: "bytes"
    }
  }
}
