import Documents
import Testing

@Suite struct LSPCompletionTests {
  private static let files = ["AuthSettings.yaml": EditorSample.settings]

  private func position(_ line: Int64, _ character: Int64, _ session: EditorSession, _ name: String = "a.yaml") -> JSON
  {
    ["textDocument": session.document(name), "position": ["line": .integer(line), "character": .integer(character)]]
  }

  @Test("offers completion and hover")
  func offersFeatures() async throws {
    try await EditorSession.run(Self.files) { session in
      session.open("a.yaml", "# 😀\nauthflow: 1\nplatform: ")
      let result = try await session.request("textDocument/completion", position(2, 10, session))
      let items = result["items"]?.array ?? []
      #expect(items.compactMap { $0["label"]?.string } == ["emulated", "live"])
      let range: JSON = ["start": ["line": 2, "character": 10], "end": ["line": 2, "character": 10]]
      #expect(items.first?["textEdit"]?["range"] == range)
      #expect(items.first?["detail"] == "default")

      let hover = try await session.request("textDocument/hover", position(2, 3, session))
      #expect(hover["contents"]?["value"]?.string?.contains("platform") == true)
      #expect(hover["range"]?["end"] == ["line": 2, "character": 8])
      #expect(try await session.request("textDocument/hover", position(0, 3, session)).isNull)
    }
  }

  @Test("returns edit ranges in UTF-16 code units")
  func measuresEdits() async throws {
    try await EditorSession.run(Self.files) { session in
      session.open("a.yaml", "authflow: 1\nsteps:\n  - {description: 😀, sil}\n")
      let result = try await session.request("textDocument/completion", position(2, 25, session))
      let silent = result["items"]?.array?.first { $0["label"] == "silent" }
      let range: JSON = ["start": ["line": 2, "character": 22], "end": ["line": 2, "character": 25]]
      #expect(silent?["textEdit"]?["range"] == range)
      #expect(silent?["textEdit"]?["newText"] == "silent: ")
    }
  }

  @Test("uses snippets if the client supports them, and plain text otherwise")
  func usesCapabilities() async throws {
    let client: JSON = [
      "textDocument": [
        "completion": ["completionItem": ["snippetSupport": true, "documentationFormat": ["plaintext"]]]
      ]
    ]
    let minimal: JSON = [:]
    for (client, format) in [(client, Int64(2)), (minimal, 1)] {
      try await EditorSession.run(Self.files, client: client) { session in
        session.open("a.json", "{\"authflow\": 1, }")
        let result = try await session.request("textDocument/completion", position(0, 16, session, "a.json"))
        let steps = result["items"]?.array?.first { $0["label"] == "steps" }
        #expect(steps?["insertTextFormat"]?.integer == format)
        #expect(steps?["textEdit"]?["newText"]?.string == (format == 2 ? "\"steps\": [$0]" : "\"steps\": "))
        #expect(steps?["documentation"]?["kind"]?.string == (format == 2 ? "plaintext" : "markdown"))
      }
    }
  }
}
