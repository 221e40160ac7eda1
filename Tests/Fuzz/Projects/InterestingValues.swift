import Documents
import OrderedCollections
import WorkflowModel

/// Values that often cause errors in decoders, templates, reports, and arithmetic.
enum InterestingValues {
  static let texts = oddTexts + StepKind.keys + StepKind.outcomesByName.keys.map(\.rawValue).sorted()

  private static let oddTexts: [String] = [
    "", " ", "0", "-1", "null", "true", "~", "*", ".", "..", "/", "//", "\\", "\u{0}", "\u{7}\u{1B}[31m", "\u{9B}2J",
    "\r\n", "::error::x", "##[group]x", "\u{202E}abc", "\u{FEFF}", "é", "e\u{301}", "😀", "\u{FFFF}", "\u{10FFFF}",
    "<script>alert(1)</script>", "]]>", "-->", "&lt;", "\"'`<>&", "${", "${}", "${NAME}", "${env:NAME}",
    "${env:EMPTY}",
    "${env:}", "${secret:API_KEY}", "x${secret:API_KEY}y", "${secret:NONE}", "${${env:NAME}}", "$(NAME)", "$",
    "$..*", "$[?@.a]", "$.a[0:9999999999:-1]", "${a.b[0]}", "${now}", "${x|y}", "%", "%00", "%zz", "%s%n", "a=b&c=d",
    "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "0000-00-00T00:00:00Z", "0s", "1ms", "91d", "9999999999d", "-5m",
    "9223372036854775807s", "https://graph.microsoft.com/v1.0/me", "https://evil.example/%2e%2e/", "http://[::1]:0/",
    "https://user:pass@host/", "https://login.microsoftonline.com/common", "urn:ietf:wg:oauth:2.0:oob",
    "megan@contoso.com",
    "MEGAN@CONTOSO.COM", "nobody@nowhere.example", "00000000-0000-0000-0000-000000000000", "../outside.txt",
    "../../outside.txt",
    "/etc/passwd",
    "eyJhbGciOiJub25lIn0.e30.", "Basic Og==", "Bearer ", "next", "end", "fail", "contoso",
    String(repeating: "a", count: 300), String(repeating: "${NAME}", count: 40),
  ]

  static let numbers: [JSON] = [
    0, 1, -1, 2, 7, 100, 255, 256, 1000, 65_535, 65_536, 1_000_000, .integer(.max), .integer(.min),
    .integer(Int64(Int32.max) + 1), .real(0.5), .real(-0.0), .real(1e-9), .real(1e18), .real(1e300), .real(1.7e308),
  ]

  static let others: [JSON] = [.null, true, false, [], .object([:]), [[]], .array([.null]), .object(["": .null])]

  static func value(_ random: inout MutationRandom) -> JSON {
    switch random.below(6) {
    case 0...2: .string(random.element(of: texts) ?? "")
    case 3, 4: random.element(of: numbers) ?? 0
    default: random.element(of: others) ?? .null
    }
  }
}
