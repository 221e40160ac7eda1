import Foundation
import RunTrace
import Testing

@Suite struct SecretFinderTests {
  static let secrets = [
    "s3cret+key/42==", "p&q<r>\"s'", "Grüße-aus-Köln", "two\nlines here", "back\\slash/and space", "100%41 sure",
    "&amp; is literal", "plain-value", "emoji 🔑 key",
  ]

  static func finder(_ values: String...) -> SecretFinder {
    var finder = SecretFinder()
    for (index, value) in values.enumerated() { finder.insert(value, label: "‹secret #\(index + 1)›") }
    return finder
  }

  // MARK: Spellings

  typealias Spelling = (name: String, spell: @Sendable (String) -> String)

  static func percent(_ text: String, keeping kept: String = "", format: String = "%%%02X") -> String {
    text.utf8.map { byte in
      let isKept = byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
      return isKept || kept.utf8.contains(byte)
        ? String(decoding: [byte], as: UTF8.self) : String(format: format, Int(byte))
    }.joined()
  }

  static func json(_ text: String, escaping escaped: (Unicode.Scalar) -> Bool) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      default:
        escaped(scalar) ? String(scalar).utf16.map { String(format: "\\u%04x", Int($0)) }.joined() : String(scalar)
      }
    }.joined()
  }

  static func html(_ text: String, _ escape: (Unicode.Scalar) -> String?) -> String {
    text.unicodeScalars.map { escape($0) ?? String($0) }.joined()
  }

  static func named(_ scalar: Unicode.Scalar) -> String? {
    ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;", "ü": "&uuml;", "ö": "&ouml;"][scalar]
  }

  static let spellings: [Spelling] = [
    ("as it is", { $0 }),
    ("percent-encoded", { percent($0) }),
    ("percent-encoded in lower case", { percent($0, format: "%%%02x") }),
    ("percent-encoded in a path", { percent($0, keeping: "-._~/+&='") }),
    ("percent-encoded twice", { percent(percent($0)) }),
    ("a form's field", { percent($0, keeping: " ").replacing(" ", with: "+") }),
    ("JSON", { json($0) { _ in false } }),
    ("JSON in ASCII", { json($0) { $0.value > 0x7E || $0 == "<" || $0 == "&" } }),
    ("JSON with escaped slashes", { json($0) { _ in false }.replacing("/", with: "\\/") }),
    ("JSON in JSON", { json(json($0) { $0.value > 0x7E }) { _ in false } }),
    ("HTML", { html($0, named) }),
    ("HTML with decimal numbers", { html($0) { $0.properties.isAlphabetic ? nil : "&#\($0.value);" } }),
    ("HTML with hexadecimal numbers", { html($0) { "&#x\(String($0.value, radix: 16));" } }),
    ("a URL in JSON", { json(percent($0, keeping: "/")) { _ in false }.replacing("/", with: "\\/") }),
    ("JSON in a query", { percent(json($0) { _ in false }) }),
    ("JSON in HTML", { html(json($0) { _ in false }, named) }),
    ("hexadecimal", { $0.utf8.map { String(format: "%02x", Int($0)) }.joined() }),
    ("hexadecimal in upper case", { $0.utf8.map { String(format: "%02X", Int($0)) }.joined() }),
  ]

  @Test("finds a secret in every encoding and does not change the surrounding text", arguments: spellings.indices)
  func everySpelling(_ index: Int) {
    let spelling = Self.spellings[index]
    for secret in Self.secrets {
      let finder = Self.finder(secret)
      let spelled = spelling.spell(secret)
      #expect(
        finder.masking("https://x.test/a?q=\(spelled)&b=1#end") == "https://x.test/a?q=‹secret #1›&b=1#end",
        "\(secret): \(spelling.name)")
      #expect(finder.masking(spelled) == "‹secret #1›", "\(secret): \(spelling.name)")
    }
  }

  @Test("finds a secret in base64 at each alignment, in both alphabets", arguments: 0..<3)
  func base64(before: Int) {
    for secret in Self.secrets + ["123456", "abcde", "???>>>~~~"] {
      let finder = Self.finder(secret)
      for after in 0..<3 {
        let bytes = Array(repeating: UInt8(ascii: ":"), count: before) + Array(secret.utf8)
        let text = Data(bytes + Array(repeating: UInt8(ascii: "!"), count: after)).base64EncodedString()
        for encoded in [text, text.replacing("+", with: "-").replacing("/", with: "_")] {
          let masked = finder.masking("Basic \(encoded) end")
          #expect(masked.contains("‹secret #1›"), "\(secret)")
          // Characters that contain no bits of the secret can remain: at most three on each side, and the padding.
          #expect(masked.utf8.count <= "Basic ‹secret #1› end".utf8.count + 8, "\(masked)")
        }
      }
    }
  }

  @Test("finds a secret that was changed by a different character set, a form, or trimming")
  func variants() {
    #expect(Self.finder("Grüße-aus-Köln").masking("q=Gr%FC%DFe-aus-K%F6ln") == "q=‹secret #1›")
    #expect(Self.finder("two\nlines").masking("two%0D%0Alines") == "‹secret #1›")
    // In a path, an existing escape sequence remains unchanged (RFC 3986 §2.4), and the rest is encoded.
    #expect(Self.finder("<a%2Bb> c%41").masking("/users/%3Ca%2Bb%3E%20c%41/x") == "/users/‹secret #1›/x")
    #expect(Self.finder("from-a-file\n").masking("Bearer from-a-file, sent") == "Bearer ‹secret #1›, sent")
  }

  @Test("finds the start of a secret in a truncated message")
  func cut() {
    let finder = Self.finder("a+very/long\"secret")
    #expect(finder.masking("found \"a+very/lo…") == "found \"‹secret #1›…")
    #expect(finder.masking("found \"a+very/long\\\"sec…, then") == "found \"‹secret #1›…, then")
    #expect(finder.masking("found \"a+very/long\\…") == "found \"‹secret #1›…")
    #expect(finder.masking("nothing here… a+very/") == "nothing here… a+very/")
  }

  // MARK: Unchanged text

  @Test("does not change text that only resembles a secret")
  func falsePositives() {
    let finder = Self.finder("s3cret+key/42==", "p&q<r>\"s'")
    for text in [
      "s3cret+key/42=", "s3cret%2Bkey%2F42", "S3CRET+KEY/42==", "p&amp;q", "100 % & more \\ + \\u12 %zz &nothing; %",
      "",
      "\\", "%2", "&#;", "&#x110000;", "\\ud83d alone", "s3cret key 42",
    ] {
      #expect(finder.masking(text) == text)
    }
  }

  @Test("masks a short secret only as a separate word")
  func shortSecrets() {
    let finder = Self.finder("1234", "a+b", "für")
    for (text, masked) in [
      ("pin=1234&x", "pin=‹secret #1›&x"), ("{\"pin\": \"1234\"}", "{\"pin\": \"‹secret #1›\"}"),
      ("1234", "‹secret #1›"),
      ("“1234”, 1234.", "“‹secret #1›”, ‹secret #1›."), ("id 12345 or x1234 or 1234y", "id 12345 or x1234 or 1234y"),
      ("q=a%2Bb", "q=‹secret #2›"), ("a+bc", "a+bc"), ("für dich", "‹secret #3› dich"), ("dafür", "dafür"),
      ("hex 31323334 and MTIzNA==", "hex ‹secret #1› and ‹secret #1›=="), ("ab31323334", "ab31323334"),
    ] {
      #expect(finder.masking(text) == masked)
    }
    let tiny = Self.finder("ok", "7")
    for (text, masked) in [
      ("it is ok to say ok", "it is ok to say ok"), ("password: ok", "password: ‹secret #1›"), ("ok", "‹secret #1›"),
      ("x=7&y=17", "x=‹secret #2›&y=17"), ("HTTP/1.7 at 7", "HTTP/1.7 at 7"),
    ] {
      #expect(tiny.masking(text) == masked)
    }
  }

  @Test("ignores a short value of a type whose values servers can choose freely")
  func freelyChosen() {
    var finder = SecretFinder()
    finder.insert("en", label: "‹cookie #1›", evenIfShort: false)
    finder.insert("session-value", label: "‹cookie #2›", evenIfShort: false)
    #expect(finder.masking("en: session-value") == "en: ‹cookie #2›")
  }

  @Test("masks the longest of several overlapping secrets in any encoding")
  func overlapping() {
    let finder = Self.finder("open+sesame", "open+sesame/and=more", "and=more+yet")
    #expect(finder.masking("open%2Bsesame%2Fand%3Dmore") == "‹secret #2›")
    #expect(finder.masking("open+sesame open%2Bsesame/and=more") == "‹secret #1› ‹secret #2›")
    #expect(finder.masking("and=more%2Byet") == "‹secret #3›")
  }

  @Test("does not change existing placeholders")
  func placeholders() {
    let finder = Self.finder("secret", "p&q<r>\"s'")
    let masked = finder.masking("the secret is p&amp;q&lt;r&gt;&quot;s&#39;")
    #expect(masked == "the ‹secret #1› is ‹secret #2›")
    #expect(finder.masking(masked) == masked)
  }

  @Test("quickly searches text that contains every type of escape sequence", .timeLimit(.minutes(1)))
  func hostileText() {
    let finder = Self.finder("s3cret+key/42==")
    let text = String(repeating: "%2525252525+&amp;amp;amp;\\\\\\\\u0025 … ", count: 100)
    #expect(finder.masking(text) == text)
    #expect(finder.masking(text + "s3cret%252Bkey/42==") == text + "‹secret #1›")
  }
}
