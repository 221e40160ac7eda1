import Diagnostics
import Documents
import Testing

/// `.env` files.
@Suite struct EnvFileTests {
  private static func read(_ text: String) -> EnvFile { EnvFile.read(Array(text.utf8), named: ".env") }

  @Test(arguments: [
    ("A=b", "A=b|"), ("A=b\nC=d\n", "A=b|C=d|"), ("  export A = b c  \r\n", "A=b c|"), ("A=\nB=", "A=|B=|"),
    ("# A=b\n\n  # c\nD=e", "D=e|"), ("A=b # c", "A=b|"), ("A=b#c", "A=b#c|"), ("A=# c", "A=|"),
    ("A='b # $c\\n'", "A=b # $c\\n|"), (#"A="b\tc\"d\\e\$f\x""#, "A=b\tc\"d\\e$f\\x|"),
    ("A=\"b\nc\" # d\nE=f", "A=b\nc|E=f|"), ("A=''", "A=|"), ("A=b=c==", "A=b=c==|"), ("export=1", "export=1|"),
    ("\u{FEFF}A=b", "A=b|"), ("A=\u{E9}\u{1F511}", "A=\u{E9}\u{1F511}|"), ("", ""), ("A=1\nA=2", "A=1|A=2|"),
  ]) func readsVariables(text: String, expected: String) {
    let file = Self.read(text)
    #expect(file.diagnostics.isEmpty, "\(file.diagnostics)")
    #expect(file.variables.map { "\($0.name)=\($0.value)|" }.joined() == expected)
  }

  @Test func usesTheLastVariableWithAGivenName() {
    #expect(Self.read("A=1\nB=2\nA=3").values == ["A": "3", "B": "2"])
  }

  @Test(arguments: [
    ("A", 1, 1, "missing `=`"), ("A=b\n=c", 2, 1, "variable name"), ("1A=b", 1, 1, "variable name"),
    ("A-B=c", 1, 1, "missing `=`"),
    ("A='b\nC=d", 1, 1, "unclosed quote"), ("\nA=\"b\" c", 2, 1, "after the closing quote"),
    ("export", 1, 1, "missing `=`"),
  ]) func reportsErrors(text: String, line: Int, column: Int, message: String) throws {
    let file = Self.read(text)
    let diagnostic = try #require(file.diagnostics.first)
    #expect(diagnostic.message.contains(message), "\(diagnostic.message)")
    #expect(diagnostic.place.start.line == line && diagnostic.place.start.column == column)
  }

  @Test func masksValuesInDiagnostics() {
    let text = "KEY=\"hidden-1\" hidden-2\nhidden-3/hidden-4\nB 'hidden-5'\nC=hidden-6\n9=hidden-7\nA='hidden-8\n"
    let file = Self.read(text)
    #expect(file.diagnostics.count >= 4)
    let shown = CaretFrame(color: false, width: 100).render(file.diagnostics)
    #expect(!shown.contains("hidden"), "\(shown)")
    #expect(shown.contains("KEY="))
  }

  @Test func rejectsBinaryFiles() {
    #expect(EnvFile.read([0x41, 0x3D, 0xC3, 0x28], named: ".env").diagnostics.hasErrors)
    let many = Self.read(String(repeating: "=\n", count: 100_000))
    #expect(many.diagnostics.count <= 1_000)
  }
}
