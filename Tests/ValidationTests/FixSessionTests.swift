import AppRegistration
import Diagnostics
import Documents
import Testing
import Validation

/// Tests that `FixSession` applies fixes in rounds and only if they improve the file.
@Suite struct FixSessionTests {
  /// Returns a validator that reports the findings from `find`.
  static func validator(
    _ find: @escaping @Sendable (Document) -> [Diagnostic]
  ) -> @Sendable ([NamedFile]) -> FilteredReport {
    { files in
      var diagnostics: [Diagnostic] = []
      for file in files {
        let result = DocumentReader.read(file.bytes, named: file.name)
        diagnostics += result.diagnostics
        if let document = result.document { diagnostics += find(document) }
      }
      return FilteredReport(
        diagnostics: diagnostics.inReadingOrder(), suppressed: [], files: files.map { ($0.name, .unknown) })
    }
  }

  static func run(
    _ texts: [String], _ find: @escaping @Sendable (Document) -> [Diagnostic]
  ) -> (texts: [String], outcome: FixSession.Outcome) {
    let files = texts.enumerated().map { NamedFile(name: "\($0).json", bytes: Array($1.utf8)) }
    let outcome = FixSession(validate: validator(find)).run(files)
    return (outcome.fixedFiles.map { String(decoding: $0.bytes, as: UTF8.self) }, outcome)
  }

  /// Returns a finding for each element `"x"`, with a fix that removes the element.
  static func removingX(_ document: Document) -> [Diagnostic] {
    document.root.elements.filter { $0.string == "x" }.compactMap { element in
      TextEdits.removeElement(element, from: document.root).map {
        element.problem(.warning, rule: "x", "an x", fix: .init(description: "remove it", edits: $0))
      }
    }
  }

  @Test func defersConflictingFixesToTheNextRound() {
    let (texts, outcome) = Self.run([#"["a", "x", "x", "b", "x", "x"]"#]) { Self.removingX($0) }
    #expect(texts == [#"["a", "b"]"#])
    #expect(outcome.files.first?.fixed.count == 4)
    #expect(outcome.report.diagnostics.isEmpty && outcome.skippedFixes.isEmpty)
  }

  @Test func leavesFilesWithoutFixesUnchanged() {
    let (texts, outcome) = Self.run(["[1]", #"["x"]"#]) { Self.removingX($0) }
    #expect(texts == ["[1]", "[]"])
    #expect(outcome.files.map(\.name) == ["1.json"])
  }

  static func replacing(_ old: String, by new: String, _ severity: Diagnostic.Severity)
    -> @Sendable (Document) -> [Diagnostic]
  {
    { document in
      document.root.elements.filter { $0.string == old }.map { element in
        let edits = [Diagnostic.Edit(span: element.span, replacement: new)]
        return element.problem(severity, rule: old, "is \(old)", fix: .init(description: "write \(new)", edits: edits))
      }
    }
  }

  @Test func skipsAFixThatBreaksTheSyntax() {
    let (texts, outcome) = Self.run([#"["x"]"#, #"["x", 1]"#]) { document in
      // The fix works in one file and breaks the syntax of the other file.
      Self.replacing("x", by: document.root.count == 1 ? "\"ok\"" : "\"", .error)(document)
    }
    #expect(texts == [#"["ok"]"#, #"["x", 1]"#])
    #expect(outcome.files.map(\.name) == ["0.json"])
    #expect(outcome.skippedFixes.map(\.diagnostic.rule) == ["x"])
    #expect(outcome.report.diagnostics.map(\.rule) == ["x"])
  }

  @Test func skipsAFixThatCausesAMoreSevereFinding() {
    let (texts, outcome) = Self.run([#"["x"]"#]) { document in
      Self.replacing("x", by: "\"z\"", .warning)(document)
        + document.root.elements.filter { $0.string == "z" }.map { $0.problem(.error, rule: "z", "z is worse") }
    }
    #expect(texts == [#"["x"]"#])
    #expect(outcome.files.isEmpty && outcome.skippedFixes.count == 1)
  }

  @Test func skipsAFixThatCausesAnotherError() {
    let (texts, outcome) = Self.run([#"["x"]"#]) { document in
      Self.replacing("x", by: "\"z\"", .error)(document) + Self.replacing("z", by: "\"ok\"", .error)(document)
    }
    #expect(texts == [#"["x"]"#])
    #expect(outcome.skippedFixes.map(\.diagnostic.rule) == ["x"])
  }

  @Test func appliesAFixThatRevealsALessSevereFinding() {
    let (texts, _) = Self.run([#"["x"]"#]) { document in
      Self.replacing("x", by: "\"z\"", .error)(document) + Self.replacing("z", by: "\"ok\"", .warning)(document)
    }
    #expect(texts == [#"["ok"]"#])
  }

  @Test func appliesOtherFixesIfOneFixIsHarmful() {
    let (texts, outcome) = Self.run([#"["x", 1, "y", 2, "w", 3, "v"]"#]) { document in
      Self.replacing("x", by: "\"ok\"", .error)(document) + Self.replacing("y", by: "\"", .error)(document)
        + Self.replacing("w", by: "\"fine\"", .error)(document)
        + Self.replacing("v", by: "\"good\"", .warning)(document)
    }
    #expect(texts == [#"["ok", 1, "y", 2, "fine", 3, "good"]"#])
    #expect(outcome.skippedFixes.map(\.diagnostic.rule) == ["y"])
    #expect(outcome.files.first?.fixed.map(\.rule).sorted() == ["v", "w", "x"])
  }

  @Test("does not apply fixes from notes") func notesAreNotFixed() {
    let (texts, outcome) = Self.run([#"["x", 1, "y"]"#]) { document in
      Self.replacing("x", by: "\"ok\"", .note)(document) + Self.replacing("y", by: "\"fine\"", .warning)(document)
    }
    #expect(texts == [#"["x", 1, "fine"]"#])
    #expect(outcome.report.diagnostics.map(\.rule) == ["x"])
    #expect(outcome.skippedFixes.isEmpty)
  }

  /// If a rule read another version of the file, the locations of its findings refer to different bytes.
  @Test func ignoresFixesForAnotherVersionOfTheFile() {
    let (texts, _) = Self.run([#"["a", "x"]"#]) { document in
      let old = SourceText(name: document.source.name, text: #"["x", "a"]"#)
      let stale = Diagnostic(
        .warning, rule: "stale", "an old x", at: FileSpan(old, SourceSpan(start: 1, end: 4)),
        fix: .init(description: "write b", edits: [.init(span: SourceSpan(start: 1, end: 4), replacement: "\"b\"")]))
      return [stale] + Self.removingX(document)
    }
    #expect(texts == [#"["a"]"#])
  }

  /// A fix must not break the syntax, even if the configuration turns off syntax errors.
  @Test func skipsAFixThatBreaksTheSyntaxEvenIfSyntaxErrorsAreOff() {
    let validate = Self.validator { Self.replacing("x", by: "\"", .error)($0) }
    let outcome = FixSession { files in
      var report = validate(files)
      report.diagnostics.removeAll { $0.rule == "json-syntax" }
      return report
    }.run([NamedFile(name: "a.json", bytes: Array(#"["x"]"#.utf8))])
    #expect(outcome.files.isEmpty && outcome.skippedFixes.count == 1)
  }

  /// A file of an unknown type has no findings, but a fix that makes the type unknown is not an improvement.
  @Test func skipsAFixThatChangesTheFileType() {
    let text = #"{"AppId": "6731de76-14a6-49ae-97bc-6eba6914391e", "GraphScopes": ["User.Read"]}"#
    let outcome = FixSession(
      validate: Self.validator { document in
        guard let key = document.root.entry("AppId")?.key else { return [] }
        let edits = [Diagnostic.Edit(span: key.innerSpan, replacement: "Nothing")]
        return [key.problem(.error, rule: "x", "an x", fix: .init(description: "rename it", edits: edits))]
      }
    ).run([NamedFile(name: "a.json", bytes: Array(text.utf8))])
    #expect(outcome.files.isEmpty && outcome.skippedFixes.map(\.diagnostic.rule) == ["x"])
  }

  @Test func stopsIfFixesUndoEachOther() {
    let (_, outcome) = Self.run([#"["x"]"#]) { document in
      Self.replacing("x", by: "\"z\"", .error)(document) + Self.replacing("z", by: "\"x\"", .error)(document)
    }
    #expect(outcome.report.diagnostics.count == 1)
  }

  @Test func preservesTheEncoding() throws {
    let text = #"["é", "x"]"#
    let bytes: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let outcome = FixSession(validate: Self.validator { Self.removingX($0) }).run([
      NamedFile(name: "a.json", bytes: bytes)
    ])
    let expected: [UInt8] = [0xFF, 0xFE] + #"["é"]"#.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(outcome.files.first?.bytes == expected)
  }
}
