import RunTrace

/// The secrets of one recording: which placeholder each has, and where they are in longer texts, however they are encoded there.
struct SecretRegistry: Sendable {
  private var labels: [String: String] = [:]
  private var values: [String: String] = [:]
  private var counts: [String: Int] = [:]
  private var finder = SecretFinder()

  /// Values shorter than this say by their shape alone what they are.
  static let shortestRandom = 6

  /// The placeholder of a secret that is known already.
  func label(of value: String) -> String? { labels[value] }

  /// The secret that a placeholder was first given to.
  func value(of label: String) -> String? { values[label] }

  /// The placeholder of a secret; one that is new gets the next number of its kind.
  @discardableResult
  mutating func learn(_ value: String, kind: String) -> String {
    if let label = labels[value] { return label }
    let number = counts[kind, default: 0] + 1
    counts[kind] = number
    let label = "\(kind) #\(number)"
    remember(value, as: label)
    return label
  }

  /// Gives a secret a placeholder of a recording that is being played.
  mutating func remember(_ value: String, as label: String) {
    guard labels[value] == nil, !value.isEmpty else { return }
    labels[value] = label
    if values[label] == nil { values[label] = value }
    let kind = Secret.Kind(rawValue: String(label.prefix { $0 != "#" }.dropLast()))
    finder.insert(value, label: label, evenIfShort: kind?.isSecretIfShort ?? false)
  }

  /// A place in a text that holds a secret.
  struct Match: Sendable {
    var range: Range<Int>
    var label: String
    /// Whether the range is the secret itself, or something that it can be read out of.
    var isExact: Bool
  }

  /// Where secrets stand in a text, whatever their form.
  func hits(in text: [UInt8]) -> [Match] {
    var hits: [Match] = []
    // All of a run of base64 is hidden once something in it is.
    var hidden = 0
    for match in finder.matches(in: text).sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      guard !match.isExact else {
        hits.append(Match(range: match.range, label: match.label, isExact: true))
        continue
      }
      guard match.range.upperBound > hidden else { continue }
      var start = match.range.lowerBound
      var end = match.range.upperBound
      while start > hidden, Self.isBase64(text[start - 1]) { start -= 1 }
      while end < text.count, Self.isBase64(text[end]) { end += 1 }
      hits.append(Match(range: start..<end, label: match.label, isExact: false))
      hidden = end
    }
    return hits
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
