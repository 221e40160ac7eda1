import AppRegistration
import Diagnostics
import Documents
import LanguageService
import TestSupport
import Testing

@Suite struct StructureTests {
  private static let workflow = """
    authflow: 1
    # A comment
    # in two lines.
    settings: AuthSettings.yaml
    steps:
      - loadAccount
      - silent
      - interactive-fallback:
          scopes: [User.Read, Mail.Read]
        capture: { who: $.account.username }
      - callGraph: /me
        expect: { status: 200, $.mail: "${who}" }
    scenarios:
      first:
        expect:
          path:
            - loadAccount.notFound
            - interactive-fallback.success
            - callGraph.success

    """

  private static func project() throws -> NavigationProject {
    try NavigationProject(["AuthSettings.yaml": NavigationProject.settings, "main.yaml": workflow])
  }

  private static func show(_ items: [OutlineItem], _ indentation: String = "") -> [String] {
    items.flatMap { ["\(indentation)\($0.name)"] + show($0.children, indentation + " ") }
  }

  @Test("returns the outline of a workflow")
  func returnsOutline() throws {
    let outline = try Self.project().document("main.yaml").outline
    #expect(
      Self.show(outline) == [
        "authflow", "settings", "steps", " loadAccount", " silent", " interactive-fallback", "  who", " callGraph",
        "scenarios", " first",
      ])
    #expect(outline[2].children[3].detail == "/me")
  }

  @Test("keeps the outline, the scenarios, and the value types after an unclosed bracket")
  func keepsStructureOfTruncatedText() throws {
    let cut = Self.workflow.replacing("$.account.username }", with: "$.account.username")
    let project = try NavigationProject(["AuthSettings.yaml": NavigationProject.settings, "main.yaml": cut])
    let document = try project.document("main.yaml")
    #expect(document.reading.diagnostics.map(\.rule) == ["yaml-syntax"])
    #expect(Self.show(document.outline) == Self.show(try Self.project().document("main.yaml").outline))
    #expect(document.scenarios.map(\.title) == ["first"])
    #expect(project.snapshot.semanticTokens(in: document).filter { $0.kind == .number }.count == 2)
  }

  @Test("each outline item contains its selection range", arguments: try ProjectFiles.files(in: "Workflows"))
  func outlineIsConsistent(name: String) throws {
    let text = String(decoding: try ProjectFiles.bytes(of: "Workflows/\(name)"), as: UTF8.self)
    let document = try NavigationProject([name: text]).document(name)
    func check(_ items: [OutlineItem], in outer: SourceSpan) {
      for item in items {
        #expect(item.extent.start <= item.selection.start && item.selection.end <= item.extent.end)
        #expect(outer.start <= item.extent.start && item.extent.end <= outer.end, "\(item.name)")
        check(item.children, in: item.extent)
      }
    }
    check(document.outline, in: SourceSpan(start: 0, end: document.source.bytes.count))
  }

  @Test("folds blocks and comments")
  func folds() throws {
    let ranges = try Self.project().document("main.yaml").foldingRanges()
    let lines = ranges.map { "\($0.startLine)-\($0.endLine)\($0.isComment ? " comment" : "")" }
    #expect(lines == ["1-2 comment", "4-11", "7-9", "10-11", "12-18", "13-18", "14-18", "15-18"])
  }

  @Test("keeps the closing bracket of JSON and the closing tag of XML visible")
  func keepsClosingLine() throws {
    let project = try NavigationProject([
      "a.json": "{\n  \"authflow\": 1,\n  \"steps\": [\n    \"silent\"\n  ]\n}\n",
      "a.plist":
        "<plist version=\"1.0\">\n<dict>\n\t<key>authflow</key>\n\t<array>\n\t\t<string>a</string>\n\t</array>\n</dict>\n</plist>\n",
    ])
    #expect(try project.document("a.json").foldingRanges().map { [$0.startLine, $0.endLine] } == [[0, 4], [2, 3]])
    #expect(try project.document("a.plist").foldingRanges().map { [$0.startLine, $0.endLine] } == [[1, 5], [2, 4]])
  }

  @Test("expands a selection from a value to the document")
  func expandsSelection() throws {
    let document = try Self.project().document("main.yaml")
    let offset = try #require(Self.workflow.firstRange(of: "Mail.Read")).lowerBound.utf16Offset(in: Self.workflow)
    let texts = document.selections(at: offset + 1).map { document.source.text(in: $0) }
    #expect(texts.first == "Mail.Read")
    #expect(texts.dropFirst().first == "[User.Read, Mail.Read]")
    #expect(texts.last == Self.workflow)
    #expect(zip(texts, texts.dropFirst()).allSatisfy { $0.utf8.count < $1.utf8.count })
  }

  @Test("returns tokens with their types")
  func returnsTokens() throws {
    let project = try Self.project()
    let document = try project.document("main.yaml")
    let tokens = project.snapshot.semanticTokens(in: document)
    func kinds(of text: String) -> [SemanticToken.Kind] {
      tokens.filter { document.source.text(in: $0.span) == text }.map(\.kind)
    }
    #expect(kinds(of: "silent") == [.keyword])
    #expect(kinds(of: "who") == [.variable, .variable])
    #expect(kinds(of: "callGraph") == [.keyword, .function])
    #expect(kinds(of: "notFound") == [.enumMember])
    #expect(kinds(of: "200") == [.number])
    #expect(kinds(of: "# A comment") == [.comment])
    #expect(kinds(of: "first") == [.function])
    #expect(kinds(of: "steps") == [.keyword])
  }

  @Test("returns the same tokens for a range", arguments: ["main.yaml"])
  func returnsTokensOfRange(name: String) throws {
    let project = try Self.project()
    let document = try project.document(name)
    let all = project.snapshot.semanticTokens(in: document)
    let span = SourceSpan(start: 60, end: 200)
    let some = project.snapshot.semanticTokens(in: document, span)
    #expect(!some.isEmpty)
    #expect(Set(some).isSubset(of: all))
    #expect(Set(all.filter { $0.span.start >= span.start && $0.span.end <= span.end }).isSubset(of: some))
  }

  @Test("shows the targets of outcomes, added scopes, and the default redirect URI")
  func showsHints() throws {
    var files = ["AuthSettings.yaml": NavigationProject.settings, "main.yaml": Self.workflow]
    files["Other.yaml"] = """
      AppId: 3f2a9c1e-7b4d-4e8a-9c6f-1d2e3f4a5b6c
      BundleId: com.contoso.app
      GraphScopes: [User.Read]
      """
    let project = try NavigationProject(files)
    func hints(_ name: String) throws -> [String] {
      let document = try project.document(name)
      let all = SourceSpan(start: 0, end: document.source.bytes.count)
      return project.snapshot.inlayHints(in: document, all).map {
        "\(document.source.location(of: $0.offset).line): \($0.label)"
      }
    }
    #expect(
      try hints("main.yaml") == [
        "6: notFound → interactive-fallback", "7: success → callGraph, interactionRequired → interactive-fallback",
        "9: + openid profile offline_access", "11: claimsChallenge → silent",
      ])
    #expect(
      try hints("Other.yaml") == [
        "1: redirect URI: msauth.com.contoso.app://auth", "3: + openid profile offline_access",
      ])
    let document = try project.document("main.yaml")
    #expect(project.snapshot.inlayHints(in: document, SourceSpan(start: 0, end: 20)).isEmpty)
  }
}
