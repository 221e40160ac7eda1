import IdentityPlatform

/// What was recognized in a text that somebody pasted: a printed error, a service's answer, a page, a redirect, lines of a
/// log.
///
/// Nothing of the text itself is kept but numbers, ids and times of known form, so that no token or code in it can be
/// shown again.
package struct PastedText: Sendable {
  /// The entries whose names or codes stand in the text, the most specific first.
  package private(set) var entries: [GlossaryEntry] = []
  /// Codes of the sign-in service that no table has.
  package private(set) var unlisted: [UnknownSignInCode] = []
  /// Ids of requests in Microsoft's logs, in lower case.
  package private(set) var correlationIDs: [String] = []
  package private(set) var traceIDs: [String] = []
  /// As they are written: `2025-02-27 22:38:35Z`.
  package private(set) var timestamps: [String] = []
  package private(set) var httpStatuses: [Int] = []

  /// Text beyond this is not looked at: 1 MiB holds any error, and a log's end says more than its middle.
  package static let limit = 1 << 20

  /// A file's or a pipe's bytes: UTF-16 with a byte order mark, else UTF-8.
  package init(bytes: [UInt8], glossary: Glossary = .whole) {
    self.init(TerminalOutput.text(of: bytes), glossary: glossary)
  }

  package init(_ text: String, glossary: Glossary = .whole) {
    var scan = TextScan(glossary: glossary)
    let plain = TerminalOutput.withoutSequences(Array(text.utf8.suffix(Self.limit)))
    scan.read(plain)
    // The same once more without the wrapping of URLs, of pages, and of JSON inside of JSON.
    let unwrapped = TextUnwrapper.unwrapped(plain)
    if unwrapped != plain { scan.read(unwrapped) }
    let rank = Dictionary(uniqueKeysWithValues: GlossaryEntry.Topic.allCases.enumerated().map { ($1, $0) })
    var found = scan.entries
    // Every dump names the keys that it holds: they matter only where nothing else is there.
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

  /// "Internal" says nothing that the internal code does not say better.
  private static func rank(_ entry: GlossaryEntry, _ ranks: [GlossaryEntry.Topic: Int]) -> Int {
    if entry.number == MSALErrorCode.internal.rawValue { return GlossaryEntry.Topic.allCases.count }
    return ranks[entry.topic, default: 0]
  }

  package var isEmpty: Bool { entries.isEmpty && unlisted.isEmpty }
}

/// Text as it is inside of URLs, pages and quoted JSON.
enum TextUnwrapper {
  /// Percent-encoding, form-encoded spaces, HTML's character references and backslashes before quotes are undone; what is
  /// no such encoding stays.
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
