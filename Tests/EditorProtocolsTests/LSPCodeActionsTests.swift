import Diagnostics
import Documents
import LanguageService
import TestSupport
import Testing

@Suite struct LSPCodeActionsTests {
  /// Opens a file, applies the first action whose title starts with `title`, and returns the changed contents by file
  /// name.
  private func apply(
    _ title: String, to text: String, named name: String, client: JSON = [:], only: JSON? = nil,
    files: [String: String] = [:]
  ) async throws -> [String: String] {
    var changed: [String: String] = [:]
    try await EditorSession.run(files.merging([name: text]) { $1 }, client: client) { session in
      session.open(name, text)
      let lines = Int64(LineIndex(Array(text.utf8)).count)
      var context: JSON = ["diagnostics": []]
      if let only { context["only"] = [only] }
      let actions = try await session.request(
        "textDocument/codeAction",
        [
          "textDocument": session.document(name), "context": context,
          "range": ["start": ["line": 0, "character": 0], "end": ["line": .integer(lines), "character": 0]],
        ])
      let titles = actions.array?.compactMap { $0["title"]?.string } ?? []
      let action = try #require(actions.array?.first { $0["title"]?.string?.hasPrefix(title) == true }, "\(titles)")
      action["edit"]?["changes"]?.forEachMember { uri, edits in
        let file = String(uri.dropFirst("file:///project/".count))
        changed[file] = Self.text(file == name ? text : files[file] ?? "", after: edits.array ?? [])
      }
    }
    return changed
  }

  private static func text(_ text: String, after edits: [JSON]) -> String {
    let lines = LineIndex(Array(text.utf8))
    func offset(_ position: JSON?) -> Int {
      let line = position?["line"]?.integer ?? 0
      let column = position?["character"]?.integer ?? 0
      return lines.offset(of: TextPosition(line: Int(line), column: Int(column)), .utf16)
    }
    let changes = edits.map { edit in
      Diagnostic.Edit(
        span: SourceSpan(start: offset(edit["range"]?["start"]), end: offset(edit["range"]?["end"])),
        replacement: edit["newText"]?.string ?? "")
    }
    let bytes = try? SpanEdits.apply(changes, to: SourceText(name: "text", text: text))
    return String(decoding: bytes ?? [], as: UTF8.self)
  }

  private static let misspelled = EditorSample.settings.replacing("GraphScopes:", with: "GraphScope:")

  @Test("applies the fix of a rule")
  func appliesFix() async throws {
    let changed = try await apply("Rename to `GraphScopes`", to: Self.misspelled, named: "AuthSettings.yaml")
    #expect(changed == ["AuthSettings.yaml": EditorSample.settings])
  }

  @Test("offers the suggested name as a fix")
  func offersSuggestion() async throws {
    let text = EditorSample.workflow.replacing("path: [loadAccount.notFound", with: "path: [loadAcount.notFound")
    let changed = try await apply(
      "Change to `loadAccount`", to: text, named: "me.yaml", files: ["AuthSettings.yaml": EditorSample.settings])
    #expect(changed == ["me.yaml": EditorSample.workflow])
  }

  @Test("suppresses a finding with a comment that has a reason")
  func suppressesWithComment() async throws {
    let text = "AppId: 00000000-0000-0000-0000-000000000000\nGraphScopes: [User.Read]\n"
    let changed = try await apply("Ignore `app-id-zero` here", to: text, named: "AuthSettings.yaml")
    #expect(changed["AuthSettings.yaml"] == "# authflow:ignore app-id-zero: TODO: add the reason\n\(text)")
  }

  @Test("suppresses a finding in strict JSON with an entry in the configuration")
  func suppressesWithConfiguration() async throws {
    let entry = "ignore:\n  - rule: step-scope-reserved\n    path: \"me.json\"\n    reason: \"TODO: add the reason\"\n"
    let changed = try await apply("Ignore `step-scope-reserved` for this file", to: Self.json, named: "me.json")
    #expect(changed == [".authflow.yaml": entry])
    let extended = try await apply(
      "Ignore `step-scope-reserved` for this file", to: Self.json, named: "me.json",
      files: [".authflow.yaml": "exclude: [build/]\nignore:\n  - rule: app-id-dummy\n    reason: sample\n"])
    #expect(
      extended[".authflow.yaml"] == "exclude: [build/]\n\(entry)  - rule: app-id-dummy\n    reason: sample\n")
  }

  /// A workflow in JSON, which cannot contain comments.
  private static let json = """
    {
      "authflow": 1,
      "settings": {"AppId": "3f2a9c1e-7b4d-4e8a-9c6f-1d2e3f4a5b6c", "GraphScopes": ["User.Read"]},
      "steps": ["loadAccount", {"silent": {"scopes": ["openid", "User.Read"]}}, "interactive-fallback"]
    }

    """

  @Test("creates the configuration file if the client can create files")
  func createsConfiguration() async throws {
    let client: JSON = [
      "workspace": ["workspaceEdit": ["documentChanges": true, "resourceOperations": ["create"]]]
    ]
    try await EditorSession.run(["me.json": Self.json], client: client) { session in
      session.open("me.json", Self.json)
      let actions = try await session.request(
        "textDocument/codeAction",
        [
          "textDocument": session.document("me.json"), "context": ["diagnostics": [], "only": ["quickfix"]],
          "range": ["start": ["line": 0, "character": 0], "end": ["line": 5, "character": 0]],
        ])
      let action = actions.array?.first { $0["title"]?.string?.hasPrefix("Ignore `step-scope-reserved`") == true }
      let changes = action?["edit"]?["documentChanges"]
      #expect(changes?[0]?["kind"] == "create")
      #expect(changes?[1]?["textDocument"]?["uri"] == "file:///project/.authflow.yaml")
    }
  }

  @Test("applies all safe fixes in one document")
  func appliesAllFixes() async throws {
    let changed = try await apply(
      "Apply", to: Self.misspelled, named: "AuthSettings.yaml", only: "source.fixAll",
      files: ["Other.yaml": Self.misspelled])
    #expect(changed == ["AuthSettings.yaml": EditorSample.settings])
  }

  @Test("returns only the requested kinds of actions")
  func filtersKinds() async throws {
    try await EditorSession.run(["AuthSettings.yaml": "ApId: x\n"]) { session in
      let actions = try await session.request(
        "textDocument/codeAction",
        [
          "textDocument": session.document("AuthSettings.yaml"),
          "context": ["diagnostics": [], "only": ["source.fixAll.authflow"]],
          "range": ["start": ["line": 0, "character": 0], "end": ["line": 0, "character": 1]],
        ])
      #expect(actions.array?.allSatisfy { $0["kind"] == "source.fixAll.authflow" } == true)
    }
  }
}
