import Diagnostics
import Testing

@Suite struct TerminalTextTests {
  @Test(
    "shows hidden characters as visible escapes",
    arguments: [
      ("a\u{1B}[31mb", "a␛[31mb"), ("\u{0}\u{7}\u{8}", "␀␇␈"), ("\u{7F}\u{80}\u{9B}", "\\u{7F}\\u{80}\\u{9B}"),
      ("\u{202E}\u{2066}\u{200F}\u{61C}", "\\u{202E}\\u{2066}\\u{200F}\\u{61C}"),
      ("\u{85}\u{2028}\u{2029}", "\\u{85}\\u{2028}\\u{2029}"), ("\u{FEFF}\u{200B}\u{AD}", "\\u{FEFF}\\u{200B}\\u{AD}"),
      ("\u{E0041}\u{2063}", "\\u{E0041}\\u{2063}"), ("a\rb\u{B}\u{C}", "a␍b␋␌"),
      ("名前 é 👩‍💻 می‌خواهم", "名前 é 👩‍💻 می‌خواهم"), ("", ""),
    ])
  func hidden(text: String, shown: String) {
    #expect(TerminalText.visible(text) == shown)
    #expect(TerminalText.escaped(text) == shown)
    #expect(TerminalText.escaped(shown) == shown)
  }

  @Test("preserves line feeds only in multiline text")
  func lines() {
    #expect(TerminalText.visible("a\nb\tc") == "a␊b␉c")
    #expect(TerminalText.visible("a\nb\tc", keepingTabs: true) == "a␊b\tc")
    #expect(TerminalText.escaped("a\nb\tc\u{1B}") == "a\nb\tc␛")
    #expect(TerminalText.escaped("a\r\nb\rc\n\r") == "a\r\nb␍c\n␍")
  }

  @Test("preserves sequences with the seal and escapes all others")
  func sequences() {
    let own = TerminalText.sequence("31;1m", seal: "42!") + "x" + TerminalText.sequence("0m", seal: "42!")
    #expect(TerminalText.escaped(own, seal: "42!") == "\u{1B}[31;1mx\u{1B}[0m")
    #expect(TerminalText.escaped(own, seal: "43!") == "␛[42!31;1mx␛[42!0m")
    #expect(TerminalText.escaped(own) == "␛[42!31;1mx␛[42!0m")
    #expect(TerminalText.escaped("\u{1B}[31;1mx", seal: "42!") == "␛[31;1mx")
    // A seal is part of an authflow sequence only if a code and a letter follow it.
    for foreign in ["\u{1B}[42!\u{1B}", "\u{1B}[42!1", "\u{1B}[42!?1h", "\u{1B}[42!\u{7}", "\u{1B}[42"] {
      #expect(TerminalText.escaped(foreign, seal: "42!").unicodeScalars.allSatisfy { $0.value >= 0x20 }, "\(foreign)")
    }
  }

  @Test("uses JSON escapes for hidden characters in JSON")
  func json() {
    let text = "{\n\t\"a\": \"\u{202E}\u{9B}\u{E0041}é\"\r\n}"
    #expect(TerminalText.escapedJSON(text) == "{\n\t\"a\": \"\\u202e\\u009b\\udb40\\udc41é\"\r\n}")
    #expect(TerminalText.escapedJSON("{\"a\": 1}\n") == "{\"a\": 1}\n")
  }
}
