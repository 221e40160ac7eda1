/// A QR code on a terminal, two rows of modules in each line.
package enum QRCodeText {
  /// Light modules around the code; the standard asks for four, and what reads it from a screen is content with two.
  private static let quiet = 2

  /// Nil where this terminal cannot show it: without UTF-8, or too narrow.
  package static func render(_ code: QRCode, style: TerminalStyle, indent: Int) -> String? {
    let side = code.size + 2 * quiet
    guard style.unicode, indent + side <= style.width else { return nil }
    var text = ""
    for row in stride(from: -quiet, to: code.size + quiet, by: 2) {
      var line = ""
      for column in -quiet..<code.size + quiet {
        // Painted is what is light, so that it is right on a dark terminal without colors too.
        let upper = !code[row, column]
        let lower = row + 1 < code.size + quiet && !code[row + 1, column]
        line += upper ? lower ? "█" : "▀" : lower ? "▄" : " "
      }
      text += String(repeating: " ", count: indent) + painted(line, style) + "\n"
    }
    return text
  }

  /// White on black, whatever the terminal's own colors are.
  private static func painted(_ line: String, _ style: TerminalStyle) -> String {
    style.color ? style.sequence("97;40m") + line + style.sequence("0m") : line
  }
}
