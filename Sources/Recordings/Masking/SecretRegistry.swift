import RunTrace

/// The secrets of one recording and their placeholders. The registry finds secrets in longer strings, in any common
/// encoding.
struct SecretRegistry: Sendable {
  private var labels: [String: String] = [:]
  private var values: [String: String] = [:]
  private var counts: [String: Int] = [:]
  private var finder = SecretFinder()

  /// The minimum length of secrets that are recorded only by their length. For a shorter secret, the recording also
  /// contains the kind of each character.
  static let shortestRandom = 6

  /// Returns the label of a known secret, or nil.
  func label(of value: String) -> String? { labels[value] }

  /// Returns the first secret with this label, or nil.
  func value(of label: String) -> String? { values[label] }

  /// Returns the label of a secret. A new secret is assigned the next number for its kind.
  @discardableResult
  mutating func register(_ value: String, kind: String) -> String {
    if let label = labels[value] { return label }
    let number = counts[kind, default: 0] + 1
    counts[kind] = number
    let label = "\(kind) #\(number)"
    assign(value, as: label)
    return label
  }

  /// Assigns an existing label to a secret during replay.
  mutating func assign(_ value: String, as label: String) {
    guard labels[value] == nil, !value.isEmpty else { return }
    labels[value] = label
    if values[label] == nil { values[label] = value }
    let kind = Secret.Kind(rawValue: String(label.prefix { $0 != "#" }.dropLast()))
    finder.insert(value, label: label, evenIfShort: kind?.isSecretIfShort ?? false)
  }

  /// A range of text that contains a secret.
  struct Match: Sendable {
    var range: Range<Int>
    var label: String
    /// Whether the range contains exactly the secret. Otherwise, it contains an encoding of a longer text that includes
    /// the secret.
    var isExact: Bool
  }

  /// Finds all registered secrets in text, in any encoding.
  func matches(in text: [UInt8]) -> [Match] {
    var matches: [Match] = []
    // If a run of Base64 characters contains a secret, mask the complete run.
    var maskedEnd = 0
    for match in finder.matches(in: text).sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      guard !match.isExact else {
        matches.append(Match(range: match.range, label: match.label, isExact: true))
        continue
      }
      guard match.range.upperBound > maskedEnd else { continue }
      var start = match.range.lowerBound
      var end = match.range.upperBound
      while start > maskedEnd, Self.isBase64(text[start - 1]) { start -= 1 }
      while end < text.count, Self.isBase64(text[end]) { end += 1 }
      matches.append(Match(range: start..<end, label: match.label, isExact: false))
      maskedEnd = end
    }
    return matches
  }

  static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: "="):
      true
    default: false
    }
  }
}
