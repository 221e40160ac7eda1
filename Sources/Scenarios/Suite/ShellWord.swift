import Diagnostics

/// Words of a command line that a shell reads as they are meant.
package enum ShellWord {
  /// The word, between single quotes where it holds anything that a POSIX shell would take for more than itself.
  ///
  /// What a terminal does not show, control characters and marks that turn the text around, stands as octal numbers in
  /// `$'…'` (POSIX.1-2024, 2.2.4; bash, zsh, ksh): so the command can be run as it is printed.
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

  /// An option with its value; a value that begins like an option stands behind an equals sign.
  package static func option(_ name: String, _ value: String) -> String {
    value.hasPrefix("-") ? quoted("\(name)=\(value)") : "\(name) \(quoted(value))"
  }

  /// A file's name as an argument, also where it begins like an option.
  package static func file(_ path: String) -> String { quoted(path.hasPrefix("-") ? "./\(path)" : path) }
}
