import Documents
import OAuth
import OrderedCollections

/// Compares what is asked with what was asked when the recording was recorded. Placeholders are compared by what they stand for:
/// one that is bound must be met again, one that is not takes what stands in its place.
struct RequestMatcher: Sendable {
  private let bindings: ReplayBindings
  /// What the placeholders of the recorded request would stand for.
  private(set) var bound: [String: String] = [:]

  init(_ bindings: ReplayBindings) { self.bindings = bindings }

  /// Parameters that differ from run to run and say nothing of what is asked.
  static func isVolatile(_ name: String) -> Bool {
    let name = name.lowercased()
    return volatile.contains(name) || name.hasPrefix("x-client-") || name.hasPrefix("x-app-")
      || name.contains("correlation") || name.contains("timestamp")
  }

  private static let volatile: Set<String> = [
    "state", "nonce", "code_challenge", "code_verifier", "client-request-id", "client_request_id",
    "return-client-request-id", "x-ms-client-request-id", "ts",
  ]

  /// What differs between two requests, in the order method, host, path, parameters, body; nothing where they match.
  mutating func differences(_ recorded: RecordedRequest, _ sent: NormalizedRequest) -> [RequestDifference] {
    var found: [RequestDifference] = []
    if recorded.method != sent.method { found.append(.init("method", recorded.method, sent.method)) }
    let (recordedBase, sentBase) = (URLBase(recorded.url), URLBase(sent.url))
    if !matches(recordedBase.host, sentBase.host) { found.append(.init("host", recordedBase.host, sentBase.host)) }
    if !matches(recordedBase.path, sentBase.path, isPath: true) {
      found.append(.init("path", recordedBase.path, sentBase.path))
    }
    found += differences(recorded.query, sent.query, of: "query")
    if let recorded = recorded.headers["authorization"]?.first, let actual = sent.authorization {
      if !matches(recorded, actual) { found.append(.init("header authorization", recorded, actual)) }
    } else if (recorded.headers["authorization"] == nil) != (sent.authorization == nil) {
      found.append(.init("header authorization", recorded.headers["authorization"]?.first, sent.authorization))
    }
    // What the service only echoes.
    if let recorded = recorded.headers["client-request-id"], let actual = sent.requestID {
      _ = matches(recorded, [actual], "client-request-id")
    }
    return found + differences(recorded.body, sent.body)
  }

  private mutating func differences(
    _ recorded: RecordedFields, _ sent: Parameters, of part: String
  ) -> [RequestDifference] {
    var found: [RequestDifference] = []
    for name in Set(recorded.keys).union(sent.names).sorted() {
      let (left, right) = (recorded[name] ?? [], sent.values(of: name))
      let isSame = left.count == right.count && matches(left, right, name)
      guard !isSame, !Self.isVolatile(name) else { continue }
      found.append(
        .init(
          "\(part) \(name)", left.isEmpty ? nil : left.joined(separator: ", "),
          right.isEmpty ? nil : right.joined(separator: ", "), name: name))
    }
    return found
  }

  private mutating func matches(_ recorded: [String], _ sent: [String], _ name: String) -> Bool {
    for (left, right) in zip(recorded, sent) {
      // Volatile ones are looked at for what their placeholders stand for now.
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
      return left == Base64.encode(right) ? [] : [.init("body", "other bytes", "\(right.count) bytes")]
    default: return [.init("body", recorded.words, sent.words)]
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
    // A number under a secret's name is a placeholder too.
    case (.string(let left), .integer), (.string(let left), .real):
      return matches(left, sent.text()) && PlaceholderText(left).plain == nil ? [] : [.init(path, left, sent.text())]
    default: return recorded == sent ? [] : [.init(path, recorded.text(), sent.text())]
    }
  }

  /// Whether a text of the recording can be the text that was sent.
  /// - Parameter isPath: whether the text is a URL's path, where secrets are percent-encoded.
  mutating func matches(_ recorded: String, _ sent: String, isPath: Bool = false) -> Bool {
    let text = PlaceholderText(recorded)
    if let plain = text.plain { return plain == sent }
    var rest = sent[...]
    var met: [String: String] = [:]
    for (index, part) in text.parts.enumerated() {
      switch part {
      case .literal(let literal):
        guard rest.hasPrefix(literal) else { return false }
        rest = rest.dropFirst(literal.count)
      case .standIn(let standIn):
        if let value = known(standIn, met) {
          guard let end = Self.end(of: value, in: rest) else { return false }
          rest = rest[end...]
          continue
        }
        var end = rest.endIndex
        if index + 1 < text.parts.count, case .literal(let next) = text.parts[index + 1] {
          guard let found = rest.firstRange(of: next) else { return false }
          end = found.lowerBound
        }
        if case .secret(let label) = standIn {
          met[label] = isPath ? FormCoding.decode(rest[..<end], plusIsSpace: false) : String(rest[..<end])
        }
        rest = rest[end...]
      }
    }
    guard rest.isEmpty else { return false }
    bound.merge(met) { $1 }
    return true
  }

  /// The end of a value that a text begins with, as it is or percent-encoded.
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

  private func known(_ standIn: SecretPlaceholder, _ met: [String: String]) -> String? {
    switch standIn {
    case .secret(let label): met[label] ?? bound[label] ?? bindings.values[label]
    case .number(let digits): digits
    default: nil
    }
  }
}

/// A URL without query and fragment in two parts. The `#` of a placeholder in it is not the mark of a fragment.
struct URLBase: Sendable {
  /// Scheme and authority.
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
  fileprivate var words: String {
    switch self {
    case .none: "nothing"
    case .form: "a form"
    case .json: "JSON"
    case .text: "a text"
    case .base64: "bytes"
    }
  }
}
