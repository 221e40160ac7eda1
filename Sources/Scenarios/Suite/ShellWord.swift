import Diagnostics

/// Quotes words for a shell.
package enum ShellWord {
  /// Returns the word, in single quotes if a POSIX shell would otherwise interpret some of its characters.
  ///
  /// Invisible characters, such as control characters and bidirectional marks, are escaped as octal numbers in `$'…'`
  /// (POSIX.1-2024, 2.2.4; bash, zsh, ksh), so that a user can run the printed command.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "%+-./:=@_,".utf8.contains(byte)
        }
      }
    guard CaretFrame.visible(word) == word else { return "$'" + word.unicodeScalars.map(escaped).joined() + "'" }
    return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    if scalar == "'" || scalar == "\\" { return "\\\(scalar)" }
    let text = String(scalar)
    guard CaretFrame.visible(text) != text else { return text }
    return text.utf8.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
  }

  /// Returns an option with its value. If the value looks like an option, an equals sign separates the option and the
  /// value.
  package static func option(_ name: String, _ value: String) -> String {
    value.hasPrefix("-") ? quoted("\(name)=\(value)") : "\(name) \(quoted(value))"
  }

  /// Returns a file name as an argument, even if the name looks like an option.
  package static func file(_ path: String) -> String { quoted(path.hasPrefix("-") ? "./\(path)" : path) }
}
