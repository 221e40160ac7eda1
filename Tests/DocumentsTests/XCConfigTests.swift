import Diagnostics
import Documents
import Testing

struct XCConfigTests {
  static func read(_ text: String) -> XCConfig { XCConfig.read(Array(text.utf8), named: "App.xcconfig") }

  func described(_ file: XCConfig) -> [String] {
    file.statements.map {
      switch $0 {
      case .setting(let setting): "\(setting.key)[\(setting.condition ?? "")]=\(setting.value)|"
      case .include(let include): "include\(include.isOptional ? "?" : "") \(include.path)|"
      }
    }
  }

  @Test(arguments: [
    ("PRODUCT_BUNDLE_IDENTIFIER = com.contoso.notes // the app's\n", "PRODUCT_BUNDLE_IDENTIFIER[]=com.contoso.notes|"),
    ("A=b", "A[]=b|"), ("  A  =  b c  \r\n", "A[]=b c|"), ("A =\nB = c\n", "A[]=|,B[]=c|"),
    ("A[sdk=iphoneos*][arch=arm64] = b", "A[sdk=iphoneos*,arch=arm64]=b|"),
    ("A [sdk=macosx*] = b", "A[sdk=macosx*]=b|"),
    ("A = b;", "A[]=b|"), ("A = b ; // c", "A[]=b|"), ("A = b; c", "A[]=b; c|"),
    ("URL = https://login.contoso.com", "URL[]=https:|"),
    ("URL = https:/$()/login.contoso.com", "URL[]=https:/$()/login.contoso.com|"),
    ("A = b \\\n  c \\ // more\n  d\nE = f", "A[]=b c d|,E[]=f|"), ("A = \\", "A[]=|"),
    ("A = b\\\n\nC = d", "A[]=b|,C[]=d|"),
    (
      "#include \"Base.xcconfig\"\n#include? \"../Own.xcconfig\" // x",
      "include Base.xcconfig|,include? ../Own.xcconfig|"
    ),
    ("# include \"Base.xcconfig\"", "include Base.xcconfig|"), ("// A = b\n\n", ""), ("", ""),
    ("A = b = c", "A[]=b = c|"),
    ("A = \"b c\"", "A[]=\"b c\"|"), ("A = b\u{2028}C = d", "A[]=b|,C[]=d|"),
  ]) func readsStatements(text: String, expected: String) {
    let file = Self.read(text)
    #expect(file.diagnostics.isEmpty)
    #expect(described(file).joined(separator: ",") == expected)
  }

  @Test func reportsLocations() throws {
    let file = Self.read("// é\r\nKEY[a=b] = some value // c\r\n#include? \"x\"\r\nE = \r\n")
    func text(_ span: SourceSpan) -> String { file.source.text(in: span) }
    let setting = try #require(file.settings.first)
    #expect(text(setting.keySpan) == "KEY")
    #expect(text(setting.valueSpan) == "some value")
    #expect(file.source.location(of: setting.valueSpan.start).column == 12)
    #expect(text(try #require(file.includes.first).pathSpan) == "x")
    let empty = try #require(file["E"])
    #expect(
      file.source.location(of: empty.valueSpan.start) == Diagnostics.SourceLocation(line: 4, column: 4, utf16Column: 4))
    #expect(file.comments.map(\.text) == ["é", "c"])
  }

  @Test func usesTheLastSettingWithoutACondition() {
    #expect(Self.read("A = 1\nA[sdk=x] = 2\nA = 3\nA[sdk=y] = 4")["A"]?.value == "3")
  }

  @Test(arguments: [
    ("A = b\n!x\nC = d", "2:1 not a build setting"), ("A b", "1:1 missing `=` after `A`"),
    ("A[sdk] = b", "1:2 incomplete condition"), ("A[sdk=x = b", "1:2 incomplete condition"),
    ("#define A", "1:1 unknown directive"), ("#include Base", "1:1 unknown directive"),
    ("#include \"Base\nA = b", "1:10 unclosed path"),
    ("#include \"Base\" x", "1:16 unexpected text after the path"), ("{\"a\": 1}", "1:1 not a build setting"),
  ]) func reportsErrors(text: String, messages: String) {
    let file = Self.read(text)
    #expect(
      file.diagnostics.map { "\($0.place.start.line):\($0.place.start.column) \($0.message)" } == [messages])
    #expect(file.diagnostics.allSatisfy { $0.rule == "xcconfig-syntax" })
  }

  @Test func limitsTheNumberOfSettings() {
    let file = Self.read(String(repeating: "A=b\n", count: 10_001))
    #expect(file.settings.count == 10_000)
    #expect(file.diagnostics.map(\.rule) == ["too-large"])
    #expect(Self.read(String(repeating: "A=b\n", count: 9_999)).diagnostics.isEmpty)
  }

  @Test func readsOtherEncodings() {
    let bytes = EncodingTests.encode("A = é", .utf16LE, mark: true)
    #expect(XCConfig.read(bytes, named: "a").settings.first?.value == "é")
    #expect(XCConfig.read([0, 1, 2, 3, 4], named: "a").diagnostics.map(\.rule) == ["encoding"])
  }
}
