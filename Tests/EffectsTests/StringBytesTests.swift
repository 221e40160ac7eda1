import Effects
import Testing

@Suite("Byte searches")
struct StringBytesTests {
  @Test(
    "finds text at any position",
    arguments: [
      ("username webauthn", "username"), ("new-username", "username"), ("username", "username"), ("aab", "ab"),
      ("für", "ü"), ("anything", ""), ("", ""),
    ])
  func held(text: String, part: String) {
    #expect(text.containsUTF8(part))
  }

  @Test(
    "does not find longer, truncated, or different text",
    arguments: [("user", "username"), ("", "a"), ("xusernam", "username"), ("Username", "username")])
  func notHeld(text: String, part: String) {
    #expect(!text.containsUTF8(part))
  }

  @Test func checksEveryByte() {
    #expect("plain text\u{7F}".hasByte { $0 == 0x7F })
    #expect("ü".hasByte { $0 >= 0x80 })
    #expect(!"plain text".hasByte { $0 >= 0x80 })
    #expect(!"".hasByte { _ in true })
  }

  @Test(
    "distinguishes UUIDs from similar strings",
    arguments: [
      ("6731de76-14a6-49ae-97bc-6eba6914391e", true), ("6731DE76-14A6-49AE-97BC-6EBA6914391E", true),
      ("6731de76-14a6-49ae-97bc-6eba6914391g", false), ("6731de76-14a6-49ae-97bc-6eba6914391", false),
      ("6731de7614a6-49ae-97bc-6eba69143-91e", false), ("6731de76-14a6-49ae-97bc-6eba6914391ｅ", false), ("", false),
    ])
  func uuids(text: String, isValid: Bool) {
    #expect(UUIDText.isValid(text) == isValid)
  }
}
