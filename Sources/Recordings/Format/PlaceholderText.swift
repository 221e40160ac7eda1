import Effects

/// What stands in a recording in place of a secret, or of a moment that must move with the clock.
///
/// Placeholders are written in single guillemets inside ordinary texts, so that a recording can be read and compared line by line:
/// `Bearer ‹access token #2›`. A guillemet that was in the text itself is written twice.
enum SecretPlaceholder: Hashable, Sendable {
  /// A secret by its kind and its number among those of its kind, such as `access token #2`.
  case secret(String)
  /// The left half of the SHA-256 of another secret: `at_hash` and `c_hash` (OpenID Connect Core §3.1.3.6).
  case hash(of: String)
  /// Seconds from the moment of the exchange.
  case time(Int64, TimeForm)
  /// The redirect URI of the visit that is under way.
  case redirectURI
  /// A JSON number that 64 bits do not hold exactly, digit for digit.
  case number(String)

  enum TimeForm: String, Hashable, Sendable {
    /// A JSON number: seconds since 1970.
    case number = ""
    /// The same as a text.
    case text = " as text"
    /// A date as HTTP headers have it.
    case date = " as date"
  }

  /// The words between the guillemets.
  var words: String {
    switch self {
    case .secret(let label): label
    case .hash(let label): "hash of \(label)"
    case .time(let seconds, let form): "\(seconds < 0 ? "-" : "+")\(seconds.magnitude) s\(form.rawValue)"
    case .redirectURI: "redirect uri"
    case .number(let digits): "number \(digits)"
    }
  }

  var text: String { "‹\(words)›" }

  /// Nil where the words are none that authflow writes.
  init?(words: String) {
    if words == "redirect uri" {
      self = .redirectURI
    } else if words.hasPrefix("hash of "), Self.isLabel(words.dropFirst(8)) {
      self = .hash(of: String(words.dropFirst(8)))
    } else if words.hasPrefix("number "), WideNumber.isNumber(words.dropFirst(7)) {
      self = .number(String(words.dropFirst(7)))
    } else if let time = Self.time(words) {
      self = time
    } else if Self.isLabel(words[...]) {
      self = .secret(words)
    } else {
      return nil
    }
  }

  /// `kind #7`, with a kind of letters, blanks and hyphens.
  private static func isLabel(_ text: Substring) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "#"), omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Optional(parts[0]), kind.count > 1, kind.last == UInt8(ascii: " "),
      (1...9).contains(parts[1].count), parts[1].allSatisfy({ (48...57).contains($0) })
    else { return false }
    return kind.allSatisfy { (97...122).contains($0) || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") }
  }

  private static func time(_ words: String) -> SecretPlaceholder? {
    guard let sign = words.utf8.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let end = words.firstRange(of: " s"), let form = TimeForm(rawValue: String(words[end.upperBound...])),
      let seconds = Int64(words[..<end.lowerBound]), seconds.magnitude < 1 << 40
    else { return nil }
    return .time(seconds, form)
  }
}

/// A text of a recording taken apart: what is said as it is, and the placeholders in it.
struct PlaceholderText: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case literal(String)
    case standIn(SecretPlaceholder)
  }

  let parts: [Part]

  init(_ text: String) {
    // Most texts have no placeholder.
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
      let end = scalars[index...].prefix(Self.longestWords).firstIndex(of: "›")
      var words = String.UnicodeScalarView()
      if let end { words.append(contentsOf: scalars[(index + 1)..<end]) }
      guard let end, let standIn = SecretPlaceholder(words: String(words)) else {
        literal.append("‹")
        index += 1
        continue
      }
      if !literal.isEmpty { parts.append(.literal(String(literal))) }
      literal = String.UnicodeScalarView()
      parts.append(.standIn(standIn))
      index = end + 1
    }
    if !literal.isEmpty || parts.isEmpty { parts.append(.literal(String(literal))) }
    self.parts = parts
  }

  /// No kind of secret has a longer name, and hardly any number is longer.
  private static let longestWords = 1024

  /// The text itself, where it holds no placeholder.
  var plain: String? {
    if parts.count == 1, case .literal(let text) = parts[0] { text } else { nil }
  }

  /// The one placeholder, where the text is nothing else.
  var only: SecretPlaceholder? {
    if parts.count == 1, case .standIn(let standIn) = parts[0] { standIn } else { nil }
  }

  /// A text of the outside as a recording writes it.
  static func escape(_ text: String) -> String {
    text.utf8.contains(0xE2) && text.unicodeScalars.contains("‹") ? text.replacing("‹", with: "‹‹") : text
  }
}
