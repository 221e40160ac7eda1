/// The text of a QR code for a terminal, with two rows of modules in each line.
package enum QRCodeText {
  /// The width of the quiet zone in modules. The standard requires four modules, but two are sufficient for scanning
  /// from a screen.
  private static let quiet = 2

  /// Renders the code, or returns nil if the terminal does not support UTF-8 or is too narrow.
  package static func render(_ code: QRCode, style: TerminalStyle, indent: Int) -> String? {
    let side = code.size + 2 * quiet
    guard style.unicode, indent + side <= style.width else { return nil }
    var text = ""
    for row in stride(from: -quiet, to: code.size + quiet, by: 2) {
      var line = ""
      for column in -quiet..<code.size + quiet {
        // The characters represent the light modules, so that the code is correct on a dark terminal without colors.
        let upper = !code[row, column]
        let lower = row + 1 < code.size + quiet && !code[row + 1, column]
        line += upper ? lower ? "█" : "▀" : lower ? "▄" : " "
      }
      text += String(repeating: " ", count: indent) + painted(line, style) + "\n"
    }
    return text
  }

  /// Returns the line in white on black. The result does not depend on the terminal's colors.
  private static func painted(_ line: String, _ style: TerminalStyle) -> String {
    style.color ? style.sequence("97;40m") + line + style.sequence("0m") : line
  }
}
