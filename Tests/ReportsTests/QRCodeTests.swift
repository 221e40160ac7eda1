import Reports
import TestSupport
import Testing

/// Decodes QR codes with `QRDecoder`. `.ci/check-reports` decodes the golden file with ZXing.
@Suite struct QRCodeTests {
  @Test(arguments: [
    ("", 21), ("https://aka.ms", 21), ("12345678901234567", 21), ("123456789012345678", 25),
    ("https://microsoft.com/devicelogin", 29), ("https://login.microsoft.com/device?code=ÄÖ€😀", 29),
    (String(repeating: "a", count: 53), 29), (String(repeating: "b", count: 54), 33),
    (String(repeating: "c", count: 78), 33), (String(repeating: "d", count: 106), 37),
    (String(repeating: "e", count: 134), 41),
  ]) func decodesToTheOriginalText(text: String, size: Int) throws {
    let code = try #require(QRCode(text))
    #expect(code.size == size)
    #expect(QRDecoder.text(of: code) == text)
  }

  @Test func rejectsTextThatIsTooLong() {
    #expect(QRCode(String(repeating: "f", count: 135)) == nil)
  }

  @Test func theDecoderDetectsASingleWrongModule() throws {
    let code = try #require(QRCode("https://microsoft.com/devicelogin"))
    #expect(QRDecoder.text(of: code, flipping: (15, 15)) == nil)
    #expect(QRDecoder.text(of: code, flipping: (28, 28)) == nil)
    #expect(QRDecoder.text(of: code, flipping: (8, 0)) == nil)
  }

  @Test func rendersADeviceCodeURLLikeTheGoldenFile() throws {
    let url = "https://login.microsoft.com/device?otc=ABCD1234"
    let style = TerminalStyle(color: false, unicode: true, width: 80)
    let code = try #require(QRCode(url))
    let text = url + "\n" + (try #require(QRCodeText.render(code, style: style, indent: 4)))
    let path = "Tests/Golden/qr-code.txt"
    if ProjectFiles.updatesGoldenFiles { try ProjectFiles.write(text, to: path) }
    #expect(text == String(decoding: try ProjectFiles.bytes(of: path), as: UTF8.self))
  }

  @Test func rendersTwoRowsPerTerminalLine() throws {
    let code = try #require(QRCode("https://aka.ms"))
    let style = TerminalStyle(color: false, unicode: true, width: 80)
    let lines = try #require(QRCodeText.render(code, style: style, indent: 4)).split(separator: "\n")
    #expect(lines.count == 13)
    #expect(lines.dropLast().allSatisfy { $0.count == 4 + 25 && $0.hasPrefix("    █") })
    // These lines are the quiet zone and the upper edge of two finder patterns.
    #expect(lines[0] == "    " + String(repeating: "█", count: 25))
    #expect(lines[1].hasPrefix("    ██ ▄▄▄▄▄ █"))
    #expect(lines[1].hasSuffix("█ ▄▄▄▄▄ ██"))
    #expect(QRCodeText.render(code, style: TerminalStyle(color: false, unicode: false, width: 80), indent: 4) == nil)
    let large = try #require(QRCode(String(repeating: "e", count: 134)))
    #expect(QRCodeText.render(large, style: TerminalStyle(color: false, unicode: true, width: 48), indent: 4) == nil)
  }
}
