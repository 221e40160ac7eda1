/// The values of secrets, found inside longer texts in one pass, however many there are: a run that signs in for the
/// thousandth time must tell it as fast as the first.
///
/// Values are known by their last bytes. Their first ones are no help: tokens of one issuer all begin alike.
struct SecretIndex: Sendable {
  /// Values of fewer bytes are not searched for: inside longer texts they would hit innocent words.
  static let shortestValue = 6

  private struct Entry: Sendable {
    var value: String
    var label: String
  }

  /// By the last bytes of a value, as many as the shortest has.
  private var entries: [UInt64: [Entry]] = [:]

  /// - Parameter label: what is shown in its place.
  mutating func insert(_ value: String, label: String) {
    guard value.utf8.count >= Self.shortestValue else { return }
    let ending = value.utf8.suffix(Self.shortestValue).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    entries[ending, default: []].append(Entry(value: value, label: label))
  }

  /// The text with every value in it replaced by its label. Where two overlap, the longer one is: one secret may hold another.
  func masking(_ text: String) -> String {
    guard !entries.isEmpty, text.utf8.count >= Self.shortestValue else { return text }
    let bytes = Array(text.utf8)
    var found = matches(in: bytes)
    guard !found.isEmpty else { return text }
    found.sort { ($1.range.count, $0.range.lowerBound) < ($0.range.count, $1.range.lowerBound) }
    var chosen: [Match] = []
    var isCovered = [Bool](repeating: false, count: bytes.count)
    // What was chosen before is no shorter, so where it overlaps it covers one of the ends.
    for match in found where !isCovered[match.range.lowerBound] && !isCovered[match.range.upperBound - 1] {
      chosen.append(match)
      for index in match.range { isCovered[index] = true }
    }
    chosen.sort { $0.range.lowerBound < $1.range.lowerBound }
    var masked: [UInt8] = []
    var end = 0
    for match in chosen {
      masked += bytes[end..<match.range.lowerBound]
      masked += match.label.utf8
      end = match.range.upperBound
    }
    masked += bytes[end...]
    return String(decoding: masked, as: UTF8.self)
  }

  private struct Match {
    var range: Range<Int>
    var label: String
  }

  private func matches(in bytes: [UInt8]) -> [Match] {
    let kept = (UInt64(1) << (8 * UInt64(Self.shortestValue))) - 1
    var matches: [Match] = []
    var ending: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      ending = (ending << 8 | UInt64(byte)) & kept
      guard index >= Self.shortestValue - 1, let candidates = entries[ending] else { continue }
      let end = index + 1
      for entry in candidates {
        let start = end - entry.value.utf8.count
        if start >= 0, bytes[start..<end].elementsEqual(entry.value.utf8) {
          matches.append(Match(range: start..<end, label: entry.label))
        }
      }
    }
    return matches
  }
}
