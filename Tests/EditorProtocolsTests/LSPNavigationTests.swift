import Documents
import TestSupport
import Testing

@Suite struct LSPNavigationTests {
  private static let files = ["AuthSettings.yaml": EditorSample.settings, "me.yaml": EditorSample.workflow]

  private static func position(_ line: Int64, _ character: Int64) -> JSON {
    ["line": .integer(line), "character": .integer(character)]
  }

  private static func at(_ name: String, _ line: Int64, _ character: Int64, _ session: EditorSession) -> JSON {
    ["textDocument": session.document(name), "position": position(line, character)]
  }

  @Test("returns definitions, references, and highlights")
  func navigates() async throws {
    try await EditorSession.run(Self.files) { session in
      session.open("me.yaml", EditorSample.workflow)
      // `callGraph.success` in the path of the first scenario.
      let place = Self.at("me.yaml", 10, 68, session)
      let definition = try await session.request("textDocument/definition", place)
      #expect(definition[0]?["uri"] == session.uri("me.yaml"))
      #expect(definition[0]?["range"]?["start"] == Self.position(6, 4))
      #expect(definition[0]?["range"]?["end"] == Self.position(6, 13))
      #expect(try await session.request("textDocument/declaration", place) == definition)
      var params = place
      params["context"] = ["includeDeclaration": false]
      let references = try await session.request("textDocument/references", params)
      #expect(references.array?.count == 1)
      let highlights = try await session.request("textDocument/documentHighlight", place)
      #expect(highlights.array?.compactMap { $0["kind"]?.integer } == [3, 2])
      #expect(try await session.request("textDocument/definition", Self.at("me.yaml", 0, 1, session)) == .null)
      let links = try await session.request("textDocument/documentLink", ["textDocument": session.document("me.yaml")])
      #expect(links[0]?["target"] == session.uri("AuthSettings.yaml"))
      let symbols = try await session.request("workspace/symbol", ["query": "wrong"])
      #expect(symbols.array?.compactMap { $0["name"]?.string } == ["wrong expectation"])
    }
  }

  @Test("returns location links if the client supports them")
  func returnsLinks() async throws {
    try await EditorSession.run(Self.files, client: ["textDocument": ["definition": ["linkSupport": true]]]) {
      session in
      let result = try await session.request("textDocument/definition", Self.at("me.yaml", 10, 68, session))
      #expect(result[0]?["targetUri"] == session.uri("me.yaml"))
      #expect(result[0]?["originSelectionRange"]?["start"] == Self.position(10, 65))
    }
  }

  @Test("includes the versions of open documents in a rename, and reports errors")
  func renames() async throws {
    let client: JSON = ["workspace": ["workspaceEdit": ["documentChanges": true]]]
    try await EditorSession.run(Self.files, client: client) { session in
      session.open("me.yaml", EditorSample.workflow, version: 7)
      var params = Self.at("me.yaml", 8, 4, session)
      let target = try await session.request("textDocument/prepareRename", params)
      #expect(target["placeholder"] == "first sign-in")
      params["newName"] = "very first sign-in"
      let edit = try await session.request("textDocument/rename", params)
      let change = try #require(edit["documentChanges"]?[0])
      #expect(change["textDocument"]?["version"] == 7)
      #expect(change["edits"]?[0]?["newText"] == "very first sign-in")
      params["newName"] = "wrong expectation"
      let error = try await session.error("textDocument/rename", params)
      #expect(error["message"] == "`wrong expectation` is already a scenario")
      let rejected = try await session.error("textDocument/prepareRename", Self.at("me.yaml", 0, 2, session))
      #expect(rejected["message"] == "no step, variable, client, scenario, or account here")
    }
  }

  @Test("returns the structure of a document")
  func returnsStructure() async throws {
    let client: JSON = ["textDocument": ["documentSymbol": ["hierarchicalDocumentSymbolSupport": true]]]
    try await EditorSession.run(Self.files, client: client) { session in
      session.open("me.yaml", EditorSample.workflow)
      let document: JSON = ["textDocument": session.document("me.yaml")]
      let symbols = try await session.request("textDocument/documentSymbol", document)
      #expect(symbols.array?.compactMap { $0["name"]?.string } == ["authflow", "settings", "steps", "scenarios"])
      #expect(symbols[2]?["children"]?[1]?["name"] == "silent")
      let foldings = try await session.request("textDocument/foldingRange", document)
      #expect(foldings.array?.contains { $0["startLine"] == 2 && $0["endLine"] == 6 } == true)
      var selection = document
      selection["positions"] = [Self.position(3, 5)]
      let selections = try await session.request("textDocument/selectionRange", selection)
      #expect(selections[0]?["range"]?["start"] == Self.position(3, 4))
      #expect(selections[0]?["parent"]?["parent"] != nil)
      let tokens = try await session.request("textDocument/semanticTokens/full", document)
      let data = tokens["data"]?.array ?? []
      #expect(data.count.isMultiple(of: 5) && data.count > 50)
      #expect(data.prefix(10) == [0, 0, 8, 0, 0, 0, 10, 1, 5, 0])
      var range = document
      range["range"] = ["start": Self.position(0, 0), "end": Self.position(6, 0)]
      let hints = try await session.request("textDocument/inlayHint", range)
      #expect(hints.array?.compactMap { $0["label"]?.string }.first == "notFound → interactive-fallback")
      let some = try await session.request("textDocument/semanticTokens/range", range)
      #expect((some["data"]?.count ?? 0) < data.count)
    }
  }

  @Test("returns flat symbols to clients that do not support hierarchical symbols")
  func returnsFlatSymbols() async throws {
    try await EditorSession.run(Self.files) { session in
      let symbols = try await session.request(
        "textDocument/documentSymbol", ["textDocument": session.document("me.yaml")])
      let silent = symbols.array?.first { $0["name"] == "silent" }
      #expect(silent?["containerName"] == "steps")
      #expect(silent?["location"]?["uri"] == session.uri("me.yaml"))
    }
  }

  @Test("formats a document and a range")
  func formats() async throws {
    try await EditorSession.run(Self.files) { session in
      session.open("me.yaml", "authflow:   1\nsteps:\n- silent\n")
      let options: JSON = ["tabSize": 2, "insertSpaces": true]
      let edits = try await session.request(
        "textDocument/formatting", ["textDocument": session.document("me.yaml"), "options": options])
      #expect(edits.array?.compactMap { $0["newText"]?.string } == ["authflow: 1\n", "  - silent\n"])
      let some = try await session.request(
        "textDocument/rangeFormatting",
        [
          "textDocument": session.document("me.yaml"), "options": options,
          "range": ["start": Self.position(2, 0), "end": Self.position(2, 4)],
        ])
      #expect(some.array?.compactMap { $0["newText"]?.string } == ["  - silent\n"])
    }
  }
}
