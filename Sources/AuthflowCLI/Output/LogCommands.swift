import Effects

/// Escapes commands that a CI runner would read from one stream of output and execute.
///
/// GitHub Actions executes lines that begin with `::` after white space, and `##[` in any column. Azure Pipelines executes
/// `##vso[`, and TeamCity `##teamcity[`. GitLab's section markers require an escape sequence, which `TerminalText` removes.
struct LogCommands {
  /// The variables of these runners. Gitea and Forgejo set the first one too.
  private static let variables = ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"]

  /// Whether a runner reads commands from the output of this process.
  static func areRead(in environment: Environment) -> Bool { variables.contains { environment[$0] != nil } }

  /// Whether only white space and colors precede the next byte on its line. A line can continue in the next write.
  private var startsLine = true

  /// The bytes with the first character of each command as `\u{3A}` or `\u{23}`, in JSON as `\u0023`.
  mutating func escaped(_ bytes: [UInt8], as content: ConsoleContent) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      // Nearly all bytes are letters within a line.
      if !startsLine, bytes[position] < 0x80, bytes[position] > UInt8(ascii: "#") {
        result.append(bytes[position])
        position += 1
        continue
      }
      let rest = bytes[position...]
      let length: Int
      if startsLine, content != .commands, Self.isLineCommand(rest) {
        result += Self.escape("3A", content)
        startsLine = false
        position += 1
        continue
      } else if Self.isBracketCommand(rest) {
        result += Self.escape("23", content)
        startsLine = false
        position += 1
        continue
      } else if let separator = Self.lineBreak(rest) {
        startsLine = true
        length = separator
      } else if let ignored = Self.blank(rest) ?? Self.colorSequence(rest) {
        length = ignored
      } else {
        startsLine = false
        length = 1
      }
      result += rest.prefix(length)
      position += length
    }
    return result
  }

  /// Two colons, or one at the end, which the next write may complete.
  private static func isLineCommand(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.prefix(2).allSatisfy { $0 == UInt8(ascii: ":") }
  }

  private static func escape(_ digits: String, _ content: ConsoleContent) -> [UInt8] {
    Array((content == .json ? "\\u00\(digits)" : "\\u{\(digits)}").utf8)
  }

  /// `##[`, and the same with a name before the bracket.
  private static func isBracketCommand(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.starts(with: [UInt8(ascii: "#"), UInt8(ascii: "#")]) else { return false }
    let name = bytes.dropFirst(2).prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    return name.endIndex < bytes.endIndex && bytes[name.endIndex] == UInt8(ascii: "[")
  }

  /// The length of a line separator at the start: also U+0085, U+2028, and U+2029, at which some readers break lines.
  private static func lineBreak(_ bytes: ArraySlice<UInt8>) -> Int? {
    switch firstThree(bytes) {
    case (0x0A...0x0D, _, _): 1
    case (0xC2, 0x85, _): 2
    case (0xE2, 0x80, 0xA8...0xA9): 3
    default: nil
    }
  }

  /// The length of a white space character at the start, as .NET's `TrimStart` removes it, or of a byte order mark.
  private static func blank(_ bytes: ArraySlice<UInt8>) -> Int? {
    switch firstThree(bytes) {
    case (0x09, _, _), (0x20, _, _): 1
    case (0xC2, 0xA0, _): 2
    case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xAF), (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80),
      (0xEF, 0xBB, 0xBF):
      3
    default: nil
    }
  }

  private static func firstThree(_ bytes: ArraySlice<UInt8>) -> (UInt8, UInt8, UInt8) {
    (bytes.first ?? 0, bytes.dropFirst().first ?? 0, bytes.dropFirst(2).first ?? 0)
  }

  /// The length of a sequence such as `ESC [1m` at the start, which a viewer of logs may remove.
  private static func colorSequence(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.starts(with: [0x1B, UInt8(ascii: "[")]) else { return nil }
    let end = bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }
    return end.map { $0 - bytes.startIndex + 1 }
  }
}
