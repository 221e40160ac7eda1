import Diagnostics
import Documents
import Testing
import Validation

@Suite struct DiagnosticJSONTests {
  @Test func printsAStableFormat() {
    let source = SourceText(name: "a.json", text: "{\n \"é\": 1}")
    let span = SourceSpan(start: 7, end: 10)
    let fix = Diagnostic.Fix(description: "replace", edits: [.init(span: span, replacement: "2")])
    let diagnostics = [
      Diagnostic(.warning, rule: "r", "m", help: "h", at: FileSpan(source, span), fix: fix),
      Diagnostic(.error, rule: "s", "n", at: .file("b")),
    ]
    #expect(
      DiagnosticJSON.json(diagnostics) == [
        [
          "file": "a.json", "line": 2, "column": 5, "endLine": 2, "endColumn": 8, "severity": "warning", "rule": "r",
          "message": "m", "help": "h",
          "fix": [
            "description": "replace",
            "edits": [["line": 2, "column": 5, "endLine": 2, "endColumn": 8, "replacement": "2"]],
          ],
        ],
        [
          "file": "b", "line": 1, "column": 1, "endLine": 1, "endColumn": 1, "severity": "error", "rule": "s",
          "message": "n",
        ],
      ])
  }
}
