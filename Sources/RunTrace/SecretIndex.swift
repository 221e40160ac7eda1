/// An index of secrets in all spellings, for searching text in a single pass.
///
/// Spellings are indexed by their last bytes, because tokens from the same issuer start with the same bytes.
struct SecretIndex: Sendable {
  /// The number of bytes to index at the end of a spelling.
  static let windowLength = 6
  /// The minimum length of values that are masked inside words. Shorter values are masked only as separate words.
  private static let shortestInsideWords = 6
  /// The minimum length of values that are masked as separate words. Shorter values are masked only as the value of a
  /// field, because values such as `1` and `ok` appear in every text.
  private static let shortestAlone = 3
  /// The minimum length of truncated values. A shorter truncated value can be any word.
  private static let shortestCut = 6

  struct Found {
    var range: Range<Int>
    var label: String
    var isExact: Bool
  }

  private struct Value: Sendable {
    var bytes: [UInt8]
    var label: String
  }

  private struct Needle: Sendable {
    var secret: Int
    var spelling: SecretSpelling
    var length: Int
    var standsAlone: Bool
  }

  private var secrets: [Value] = []
  /// The spellings, keyed by their last bytes.
  private var needles: [UInt64: [Needle]] = [:]
  /// A bitmap of possible last bytes, to avoid most dictionary lookups.
  private var filter: [UInt64] = []
  /// The spellings that are shorter than the window, keyed by bytes and length.
  private var shortNeedles: [UInt64: [Needle]] = [:]
  private var shortLengths: Set<Int> = []
  /// The indices of the secrets, keyed by their first bytes, to find truncated values.
  private var heads: [UInt64: [Int]] = [:]

  var isEmpty: Bool { secrets.isEmpty }

  // MARK: Inserting

  mutating func insert(_ bytes: [UInt8], label: String) {
    let secret = secrets.count
    secrets.append(Value(bytes: bytes, label: label))
    let isShort = bytes.count < Self.shortestInsideWords
    add(.plain, of: secret, standsAlone: isShort)
    if bytes.count >= Self.shortestCut { heads[Self.packed(bytes[..<Self.shortestCut]), default: []].append(secret) }
    guard bytes.count >= Self.shortestAlone else { return }
    for isUpper in [false, true] { add(.hex(isUpper: isUpper), of: secret, standsAlone: isShort) }
    if bytes.count + 1 < Self.shortestInsideWords {
      add(.wholeBase64, of: secret, standsAlone: true)
    } else {
      for offset in 0..<3 { add(.base64(offset: offset), of: secret, standsAlone: false) }
    }
  }

  private mutating func add(_ spelling: SecretSpelling, of secret: Int, standsAlone: Bool) {
    let bytes = secrets[secret].bytes
    let length = spelling.length(of: bytes.count)
    let needle = Needle(secret: secret, spelling: spelling, length: length, standsAlone: standsAlone)
    let ending = (max(0, length - Self.windowLength)..<length).map { spelling.letter(at: $0, of: bytes) }
    let urlEnding = spelling.isBase64 ? ending.map(SecretSpelling.urlLetter) : ending
    for ending in urlEnding == ending ? [ending] : [ending, urlEnding] {
      guard length >= Self.windowLength else {
        shortNeedles[Self.packed(ending[...]), default: []].append(needle)
        shortLengths.insert(length)
        continue
      }
      let key = Self.packed(ending[...])
      needles[key, default: []].append(needle)
      if filter.isEmpty { filter = [UInt64](repeating: 0, count: Self.filterWords) }
      let bit = Self.filterBit(key)
      filter[bit >> 6] |= 1 << UInt64(bit & 63)
    }
  }

  private static let filterWords = 1 << 11

  private static func filterBit(_ key: UInt64) -> Int { Int((key &* 0x9E37_79B9_7F4A_7C15) >> 47) }

  /// Packs up to seven bytes and their number into an integer.
  private static func packed(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } | UInt64(bytes.count) << 56
  }

  // MARK: Finding

  func matches(in text: [UInt8]) -> [Found] {
    var found: [Found] = []
    if !needles.isEmpty { findLong(in: text, &found) }
    if !shortLengths.isEmpty { findShort(in: text, &found) }
    findCut(in: text, &found)
    return found
  }

  private func findLong(in text: [UInt8], _ found: inout [Found]) {
    let mask = UInt64(1) << (8 * UInt64(Self.windowLength)) - 1
    let mark = UInt64(Self.windowLength) << 56
    var window: UInt64 = 0
    text.withUnsafeBufferPointer { bytes in
      filter.withUnsafeBufferPointer { filter in
        for index in 0..<bytes.count {
          window = (window << 8 | UInt64(bytes[index])) & mask
          let bit = Self.filterBit(window | mark)
          guard filter[bit >> 6] >> UInt64(bit & 63) & 1 == 1, index >= Self.windowLength - 1,
            let candidates = needles[window | mark]
          else { continue }
          for needle in candidates {
            if let match = match(needle, endingAt: index + 1, in: text) { found.append(match) }
          }
        }
      }
    }
  }

  private func findShort(in text: [UInt8], _ found: inout [Found]) {
    for end in 1...max(1, text.count) where end <= text.count {
      for length in shortLengths where length <= end {
        for needle in shortNeedles[Self.packed(text[(end - length)..<end])] ?? [] {
          if let match = match(needle, endingAt: end, in: text) { found.append(match) }
        }
      }
    }
  }

  private func match(_ needle: Needle, endingAt end: Int, in text: [UInt8]) -> Found? {
    var range = (end - needle.length)..<end
    let secret = secrets[needle.secret]
    guard range.lowerBound >= 0 else { return nil }
    // Compare from the end, because the window does not contain the earlier bytes.
    for index in stride(from: needle.length - 1, through: 0, by: -1) {
      guard needle.spelling.accepts(text[range.lowerBound + index], at: index, of: secret.bytes) else { return nil }
    }
    if needle.standsAlone {
      let isAlone =
        secret.bytes.count < Self.shortestAlone
        ? WordBoundary.isWholeValue(range, in: text) : WordBoundary.isAlone(range, in: text)
      guard isAlone else { return nil }
    }
    let shared = needle.spelling.sharesLetters(count: secret.bytes.count)
    if shared.before, range.lowerBound > 0, WordBoundary.isBase64(text[range.lowerBound - 1]) {
      range = (range.lowerBound - 1)..<range.upperBound
    }
    if shared.after, range.upperBound < text.count, WordBoundary.isBase64(text[range.upperBound]) {
      range = range.lowerBound..<(range.upperBound + 1)
    }
    return Found(range: range, label: secret.label, isExact: needle.spelling == .plain)
  }

  // MARK: Cut values

  /// The maximum number of bytes before `…` in which to look for a truncated secret.
  private static let longestCut = 1024
  private static let longestEscape = 8

  /// Finds secrets that a message truncates with `…`. The part before `…` is still secret.
  private func findCut(in text: [UInt8], _ found: inout [Found]) {
    guard !heads.isEmpty, text.count > Self.shortestCut, text.contains(0xE2) else { return }
    var index = 0
    var previous = 0
    while let end = text[index...].firstIndex(of: 0xE2) {
      index = end + 1
      guard end + 2 < text.count, text[end + 1] == 0x80, text[end + 2] == 0xA6 else { continue }
      var match = cut(previous..<end, in: text)
      // The truncation can be inside an escape.
      let mark = text[max(previous, end - Self.longestEscape)..<end].lastIndex { "\\%&".utf8.contains($0) }
      if match == nil, let mark { match = cut(previous..<mark, in: text) }
      if var match {
        match.range = match.range.lowerBound..<end
        found.append(match)
      }
      previous = end + 3
    }
  }

  /// Returns the match if the range ends with the start of a secret, or nil.
  private func cut(_ part: Range<Int>, in text: [UInt8]) -> Found? {
    let end = part.upperBound
    let first = max(part.lowerBound, end - Self.longestCut)
    guard end - first >= Self.shortestCut else { return nil }
    for start in first...(end - Self.shortestCut) {
      for candidate in heads[Self.packed(text[start..<(start + Self.shortestCut)])] ?? [] {
        let secret = secrets[candidate]
        if secret.bytes.count > end - start, secret.bytes.starts(with: text[start..<end]) {
          return Found(range: start..<end, label: secret.label, isExact: false)
        }
      }
    }
    return nil
  }
}
