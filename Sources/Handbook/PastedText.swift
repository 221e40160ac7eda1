import IdentityPlatform

/// The codes, IDs, and times that authflow recognizes in pasted text, such as a printed error, a response, a page, a
/// redirect, or log lines.
///
/// This type stores only numbers, IDs, and times in known formats, so it cannot reveal tokens or authorization codes in
/// the text.
package struct PastedText: Sendable {
  /// The entries whose names or codes appear in the text, most specific first.
  package private(set) var entries: [GlossaryEntry] = []
  /// The error codes that no table contains.
  package private(set) var unlisted: [UnknownSignInCode] = []
  /// The correlation IDs, in lowercase.
  package private(set) var correlationIDs: [String] = []
  package private(set) var traceIDs: [String] = []
  /// The timestamps as they appear in the text, such as `2025-02-27 22:38:35Z`.
  package private(set) var timestamps: [String] = []
  package private(set) var httpStatuses: [Int] = []

  /// The maximum number of bytes to search. 1 MiB is enough for any error. In a longer text, only the end is searched,
  /// because the end of a log is the most relevant part.
  package static let limit = 1 << 20

  /// Decodes bytes as UTF-16 with a byte order mark, or as UTF-8.
  package init(bytes: [UInt8], glossary: Glossary = .whole) {
    self.init(TerminalOutput.text(of: bytes), glossary: glossary)
  }

  package init(_ text: String, glossary: Glossary = .whole) {
    var scan = TextScan(glossary: glossary)
    let plain = TerminalOutput.withoutSequences(Array(text.utf8.suffix(Self.limit)))
    scan.read(plain)
    // Search again after decoding URLs, HTML, and nested JSON.
    let unwrapped = TextUnwrapper.unwrapped(plain)
    if unwrapped != plain { scan.read(unwrapped) }
    let rank = Dictionary(uniqueKeysWithValues: GlossaryEntry.Topic.allCases.enumerated().map { ($1, $0) })
    var found = scan.entries
    // Every error dump contains user info keys, so they are relevant only if there are no other entries.
    if found.contains(where: { $0.topic != .userInfoKey }) { found.removeAll { $0.topic == .userInfoKey } }
    entries = found.enumerated().sorted { left, right in
      let (first, second) = (Self.rank(left.element, rank), Self.rank(right.element, rank))
      return first == second ? left.offset < right.offset : first < second
    }.map(\.element)
    unlisted = scan.unlisted.map { UnknownSignInCode($0) }
    correlationIDs = scan.correlationIDs
    traceIDs = scan.traceIDs
    timestamps = Array(scan.timestamps.prefix(4))
    httpStatuses = scan.httpStatuses
  }

  /// Returns the rank of an entry. MSAL's `internal` error comes last, because every other code is more specific.
  private static func rank(_ entry: GlossaryEntry, _ ranks: [GlossaryEntry.Topic: Int]) -> Int {
    if entry.number == MSALErrorCode.internal.rawValue { return GlossaryEntry.Topic.allCases.count }
    return ranks[entry.topic, default: 0]
  }

  package var isEmpty: Bool { entries.isEmpty && unlisted.isEmpty }
}

/// Decoding of URLs, HTML, and quoted JSON.
enum TextUnwrapper {
  /// Decodes percent-encoding, form-encoded spaces, HTML character references, and backslashes before quotes. Other
  /// text is unchanged.
  static func unwrapped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "%"):
        guard index + 2 < bytes.count, let high = hex(bytes[index + 1]), let low = hex(bytes[index + 2]) else { break }
        result.append(high << 4 | low)
        index += 3
        continue
      case UInt8(ascii: "+"):
        result.append(UInt8(ascii: " "))
        index += 1
        continue
      case UInt8(ascii: "\\") where index + 1 < bytes.count && isQuote(bytes[index + 1]):
        index += 1
        continue
      case UInt8(ascii: "&"):
        guard let (replacement, length) = reference(bytes[index...].prefix(8)) else { break }
        result.append(replacement)
        index += length
        continue
      default: break
      }
      result.append(byte)
      index += 1
    }
    return result
  }

  private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

  private static func hex(_ byte: UInt8) -> UInt8? { Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) } }

  private static let references: [(String, UInt8)] = [
    ("&quot;", UInt8(ascii: "\"")), ("&#34;", UInt8(ascii: "\"")), ("&#x22;", UInt8(ascii: "\"")),
    ("&#39;", UInt8(ascii: "'")), ("&#x27;", UInt8(ascii: "'")), ("&apos;", UInt8(ascii: "'")),
    ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
    ("&nbsp;", UInt8(ascii: " ")), ("&#160;", UInt8(ascii: " ")),
  ]

  private static func reference(_ bytes: ArraySlice<UInt8>) -> (UInt8, Int)? {
    for (name, replacement) in references where bytes.starts(with: name.utf8) { return (replacement, name.utf8.count) }
    return nil
  }
}
