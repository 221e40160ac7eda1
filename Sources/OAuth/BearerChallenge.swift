import Documents

/// A challenge in a `WWW-Authenticate` header (RFC 9110 §11.6.1).
package struct AuthenticationChallenge: Hashable, Sendable {
  /// The authentication scheme as written, for example `Bearer`.
  package var scheme: String
  /// The parameters in order, with lowercase names and unescaped values.
  package var parameters: Parameters
  /// The token68 value that some schemes use instead of parameters (RFC 9110 §11.2).
  package var token68: String?

  package init(scheme: String, parameters: Parameters = Parameters(), token68: String? = nil) {
    self.scheme = scheme
    self.parameters = parameters
    self.token68 = token68
  }

  /// Parses all challenges in a header value and skips malformed parts.
  package static func parse(_ value: String) -> [AuthenticationChallenge] {
    var scanner = ChallengeScanner(value)
    return scanner.challenges()
  }

  package var isBearer: Bool { scheme.lowercased() == "bearer" }

  /// The header value.
  package var text: String {
    guard token68 == nil else { return "\(scheme) \(token68 ?? "")" }
    let list = parameters.entries.map { entry in
      let escaped = entry.value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return "\(entry.name)=\"\(escaped)\""
    }
    return list.isEmpty ? scheme : "\(scheme) \(list.joined(separator: ", "))"
  }

  /// The claims that the API requires in the next token, as JSON text. The `claims` parameter can be plain JSON,
  /// base64, or base64url. Nil if the parameter is missing or invalid.
  package var claims: String? {
    guard isBearer, let text = parameters["claims"], !text.isEmpty else { return nil }
    if let bytes = try? Base64.decodeEitherAlphabet(text), (try? JSON(parsing: bytes))?.object != nil {
      return String(decoding: bytes, as: UTF8.self)
    }
    return (try? JSON(parsing: Array(text.utf8)))?.object != nil ? text : nil
  }
}

/// A parser that reads the challenges in a header value byte by byte.
private struct ChallengeScanner {
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func challenges() -> [AuthenticationChallenge] {
    var challenges: [AuthenticationChallenge] = []
    while true {
      skip { $0 == UInt8(ascii: ",") || Self.isSpace($0) }
      guard index < bytes.count else { return challenges }
      let name = token()
      if name.isEmpty {
        index += 1
        continue
      }
      let nameEnd = index
      skip(Self.isSpace)
      if current == UInt8(ascii: "="), !challenges.isEmpty, let value = value() {
        challenges[challenges.count - 1].parameters.append(name.lowercased(), value)
        continue
      }
      index = nameEnd
      challenges.append(AuthenticationChallenge(scheme: name))
      guard current.map(Self.isSpace) == true else { continue }
      skip(Self.isSpace)
      challenges[challenges.count - 1].token68 = token68()
    }
  }

  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  /// Whether the byte is a `tchar` (RFC 9110 §5.6.2).
  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    while let byte = current, isSkipped(byte) { index += 1 }
  }

  private mutating func token() -> String {
    let start = index
    skip(Self.isTokenCharacter)
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// Parses `=` and a token or quoted string, with optional whitespace in between.
  private mutating func value() -> String? {
    guard current == UInt8(ascii: "=") else { return nil }
    index += 1
    skip(Self.isSpace)
    guard current == UInt8(ascii: "\"") else {
      // Some servers omit the quotes around base64 and URLs, so the value extends to the next comma or space.
      let start = index
      skip { $0 != UInt8(ascii: ",") && !Self.isSpace($0) }
      return String(decoding: bytes[start..<index], as: UTF8.self)
    }
    index += 1
    var text: [UInt8] = []
    while let byte = current {
      index += 1
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\"), let escaped = current {
        text.append(escaped)
        index += 1
      } else {
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Parses a token68 value. A comma or the end of the text must follow. Otherwise, the text is a parameter name.
  private mutating func token68() -> String? {
    let start = index
    skip { Self.isTokenCharacter($0) || $0 == UInt8(ascii: "/") }
    skip { $0 == UInt8(ascii: "=") }
    let end = index
    skip(Self.isSpace)
    guard end > start, current == nil || current == UInt8(ascii: ",") else {
      index = start
      return nil
    }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}
