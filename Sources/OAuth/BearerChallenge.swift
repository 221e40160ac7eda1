import Documents

/// One challenge of a `WWW-Authenticate` header, RFC 9110 §11.6.1: a scheme and its parameters.
package struct AuthenticationChallenge: Hashable, Sendable {
  /// `Bearer`, as written.
  package var scheme: String
  /// In order; names in lower case, values without quotes and escapes.
  package var parameters: Parameters
  /// The one text that some schemes have in place of parameters.
  package var token68: String?

  package init(scheme: String, parameters: Parameters = Parameters(), token68: String? = nil) {
    self.scheme = scheme
    self.parameters = parameters
    self.token68 = token68
  }

  /// Reads a header's value with any number of challenges in it; what makes no sense is skipped.
  package static func parse(_ value: String) -> [AuthenticationChallenge] {
    var scanner = ChallengeScanner(value)
    return scanner.challenges()
  }

  package var isBearer: Bool { scheme.lowercased() == "bearer" }

  /// The header's value of this challenge.
  package var text: String {
    guard token68 == nil else { return "\(scheme) \(token68 ?? "")" }
    let list = parameters.entries.map { entry in
      let escaped = entry.value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return "\(entry.name)=\"\(escaped)\""
    }
    return list.isEmpty ? scheme : "\(scheme) \(list.joined(separator: ", "))"
  }

  /// The claims that a protected API demands of the next token, as JSON text: the challenge's `claims`, base64 in
  /// either alphabet, or JSON as it is. Nil where there is none or it cannot be read.
  package var claims: String? {
    guard isBearer, let text = parameters["claims"], !text.isEmpty else { return nil }
    if let bytes = try? Base64.decodeEitherAlphabet(text), (try? JSON(parsing: bytes))?.object != nil {
      return String(decoding: bytes, as: UTF8.self)
    }
    return (try? JSON(parsing: Array(text.utf8)))?.object != nil ? text : nil
  }
}

/// Reads challenges letter by letter.
private struct ChallengeScanner {
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func challenges() -> [AuthenticationChallenge] {
    var found: [AuthenticationChallenge] = []
    while true {
      skip { $0 == UInt8(ascii: ",") || Self.isSpace($0) }
      guard index < bytes.count else { return found }
      let start = index
      let word = token()
      if word.isEmpty {
        index = max(index, start) + 1
        continue
      }
      let afterWord = index
      skip(Self.isSpace)
      if current == UInt8(ascii: "="), !found.isEmpty, let value = value() {
        found[found.count - 1].parameters.append(word.lowercased(), value)
        continue
      }
      index = afterWord
      found.append(AuthenticationChallenge(scheme: word))
      guard current.map(Self.isSpace) == true else { continue }
      skip(Self.isSpace)
      found[found.count - 1].token68 = token68()
    }
  }

  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  private static func isTokenLetter(_ byte: UInt8) -> Bool {
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
    skip(Self.isTokenLetter)
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// What follows a `=`: a quoted string or a token; spaces around are allowed.
  private mutating func value() -> String? {
    guard current == UInt8(ascii: "=") else { return nil }
    index += 1
    skip(Self.isSpace)
    guard current == UInt8(ascii: "\"") else {
      // Servers leave out the quotes around base64 and URLs; everything up to the next comma is meant.
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

  /// A text of base64 letters that is followed by the end or a comma, and so is no parameter's name.
  private mutating func token68() -> String? {
    let start = index
    skip { Self.isTokenLetter($0) || $0 == UInt8(ascii: "/") }
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
