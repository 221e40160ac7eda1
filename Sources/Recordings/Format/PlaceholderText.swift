import Effects

/// A placeholder in a recording, which represents a secret or a time relative to the exchange.
///
/// Recordings contain placeholders in single guillemets inside ordinary text, for example `Bearer ‹access token #2›`.
/// This format keeps recordings readable and allows line-by-line comparison. A literal opening guillemet is doubled.
enum SecretPlaceholder: Hashable, Sendable {
  /// A secret, identified by its kind and number, such as `access token #2`.
  case secret(String)
  /// The left half of another secret's SHA-256 hash, for `at_hash` and `c_hash` (OpenID Connect Core §3.1.3.6).
  case hash(of: String)
  /// A time in seconds relative to the exchange.
  case time(Int64, TimeFormat)
  /// The redirect URI of the current visit.
  case redirectURI
  /// The digits of a JSON number that `JSON` cannot represent exactly.
  case number(String)

  enum TimeFormat: String, Hashable, Sendable {
    /// Seconds since 1970 as a JSON number.
    case number = ""
    /// Seconds since 1970 as a string.
    case text = " as text"
    /// An HTTP date.
    case date = " as date"
  }

  /// The text between the guillemets.
  var content: String {
    switch self {
    case .secret(let label): label
    case .hash(let label): "hash of \(label)"
    case .time(let seconds, let format): "\(seconds < 0 ? "-" : "+")\(seconds.magnitude) s\(format.rawValue)"
    case .redirectURI: "redirect uri"
    case .number(let digits): "number \(digits)"
    }
  }

  var text: String { "‹\(content)›" }

  /// Parses the text between the guillemets. Returns nil if it is not a valid placeholder.
  init?(content: String) {
    if content == "redirect uri" {
      self = .redirectURI
    } else if content.hasPrefix("hash of "), Self.isLabel(content.dropFirst(8)) {
      self = .hash(of: String(content.dropFirst(8)))
    } else if content.hasPrefix("number "), WideNumber.isNumber(content.dropFirst(7)) {
      self = .number(String(content.dropFirst(7)))
    } else if let time = Self.time(content) {
      self = time
    } else if Self.isLabel(content[...]) {
      self = .secret(content)
    } else {
      return nil
    }
  }

  /// Whether the text is a label such as `access token #7`. The kind in a label consists of lowercase letters, spaces,
  /// and hyphens.
  private static func isLabel(_ text: Substring) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "#"), omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Optional(parts[0]), kind.count > 1, kind.last == UInt8(ascii: " "),
      (1...9).contains(parts[1].count), parts[1].allSatisfy({ (48...57).contains($0) })
    else { return false }
    return kind.allSatisfy { (97...122).contains($0) || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") }
  }

  private static func time(_ content: String) -> SecretPlaceholder? {
    guard let sign = content.utf8.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let end = content.firstRange(of: " s"), let format = TimeFormat(rawValue: String(content[end.upperBound...])),
      let seconds = Int64(content[..<end.lowerBound]), seconds.magnitude < 1 << 40
    else { return nil }
    return .time(seconds, format)
  }
}

/// A recorded text, split into literal text and placeholders.
struct PlaceholderText: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case literal(String)
    case placeholder(SecretPlaceholder)
  }

  let parts: [Part]

  init(_ text: String) {
    // Most strings do not contain placeholders.
    guard text.utf8.contains(0xE2), text.unicodeScalars.contains("‹") else {
      parts = [.literal(text)]
      return
    }
    var parts: [Part] = []
    var literal = String.UnicodeScalarView()
    let scalars = Array(text.unicodeScalars)
    var index = 0
    while index < scalars.count {
      guard scalars[index] == "‹" else {
        literal.append(scalars[index])
        index += 1
        continue
      }
      if index + 1 < scalars.count, scalars[index + 1] == "‹" {
        literal.append("‹")
        index += 2
        continue
      }
      let end = scalars[index...].prefix(Self.maxLength).firstIndex(of: "›")
      var content = String.UnicodeScalarView()
      if let end { content.append(contentsOf: scalars[(index + 1)..<end]) }
      guard let end, let placeholder = SecretPlaceholder(content: String(content)) else {
        literal.append("‹")
        index += 1
        continue
      }
      if !literal.isEmpty { parts.append(.literal(String(literal))) }
      literal = String.UnicodeScalarView()
      parts.append(.placeholder(placeholder))
      index = end + 1
    }
    if !literal.isEmpty || parts.isEmpty { parts.append(.literal(String(literal))) }
    self.parts = parts
  }

  /// The maximum length of a placeholder. It is large enough for the longest number.
  private static let maxLength = 1024

  /// The literal text, or nil if there are placeholders.
  var plain: String? {
    if parts.count == 1, case .literal(let text) = parts[0] { text } else { nil }
  }

  /// The placeholder if the text consists of exactly one placeholder, or nil otherwise.
  var only: SecretPlaceholder? {
    if parts.count == 1, case .placeholder(let placeholder) = parts[0] { placeholder } else { nil }
  }

  /// Escapes guillemets in literal text.
  static func escape(_ text: String) -> String {
    text.utf8.contains(0xE2) && text.unicodeScalars.contains("‹") ? text.replacing("‹", with: "‹‹") : text
  }
}
