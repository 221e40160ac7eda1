import Effects

/// Escapes the commands that a CI runner would execute in an output stream.
///
/// GitHub Actions executes lines that begin with `::` after optional white space, and `##[` at any position. Azure
/// Pipelines executes `##vso[`, and TeamCity executes `##teamcity[`. GitLab's section markers require an escape
/// sequence, which `TerminalText` removes.
struct LogCommands {
  /// The environment variables that these runners set. Gitea and Forgejo also set `GITHUB_ACTIONS`.
  private static let variables = ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"]

  /// Whether a runner executes commands in the output of this process.
  static func areExecuted(in environment: Environment) -> Bool { variables.contains { environment[$0] != nil } }

  /// Whether only white space and color sequences precede the next byte on its line, which may have started in an
  /// earlier write.
  private var startsLine = true

  /// Escapes the first character of each command as `\u{3A}` or `\u{23}`, or as `\u0023` in JSON.
  mutating func escaped(_ bytes: [UInt8], as content: ConsoleContent) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      // Fast path for most bytes, which cannot start a command.
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

  /// Whether the bytes start with two colons, or are a single colon that the next write could complete.
  private static func isLineCommand(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.prefix(2).allSatisfy { $0 == UInt8(ascii: ":") }
  }

  private static func escape(_ digits: String, _ content: ConsoleContent) -> [UInt8] {
    Array((content == .json ? "\\u00\(digits)" : "\\u{\(digits)}").utf8)
  }

  /// Whether the bytes start with `##[` or with `##name[`.
  private static func isBracketCommand(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.starts(with: [UInt8(ascii: "#"), UInt8(ascii: "#")]) else { return false }
    let name = bytes.dropFirst(2).prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    return name.endIndex < bytes.endIndex && bytes[name.endIndex] == UInt8(ascii: "[")
  }

  /// Returns the length of a line separator at the start, or nil if there is none. Some viewers also break lines at
  /// U+0085, U+2028, and U+2029.
  private static func lineBreak(_ bytes: ArraySlice<UInt8>) -> Int? {
    switch firstThree(bytes) {
    case (0x0A...0x0D, _, _): 1
    case (0xC2, 0x85, _): 2
    case (0xE2, 0x80, 0xA8...0xA9): 3
    default: nil
    }
  }

  /// Returns the length of a white space character or byte order mark at the start, or nil if there is none. Runners
  /// remove the characters that .NET's `TrimStart` removes.
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

  /// Returns the length of a sequence such as `ESC [1m` at the start, or nil if there is none. Log viewers can remove
  /// such sequences.
  private static func colorSequence(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.starts(with: [0x1B, UInt8(ascii: "[")]) else { return nil }
    let end = bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }
    return end.map { $0 - bytes.startIndex + 1 }
  }
}
