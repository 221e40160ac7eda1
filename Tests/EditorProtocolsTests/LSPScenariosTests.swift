import Documents
import TestSupport
import Testing

@Suite struct LSPScenariosTests {
  private static let files = [
    "AuthSettings.yaml": EditorSample.settings, "me.yaml": EditorSample.workflow,
  ]

  @Test("offers to run, debug, and create a report for the workflow and each scenario")
  func offersLenses() async throws {
    try await EditorSession.run(Self.files) { session in
      session.open("me.yaml", EditorSample.workflow)
      let lenses = try await session.request("textDocument/codeLens", ["textDocument": session.document("me.yaml")])
      let lines = lenses.array?.compactMap { $0["range"]?["start"]?["line"]?.integer }
      #expect(lines == [0, 0, 0, 8, 8, 8, 12, 12, 12])
      #expect(lenses[3]?["command"]?["arguments"] == [session.uri("me.yaml"), "first sign-in"])
    }
  }

  @Test("runs scenarios, shows the results in the file, and keeps failures until the scenarios pass")
  func runsScenarios() async throws {
    try await EditorSession.run(Self.files) { session in
      session.open("me.yaml", EditorSample.workflow)
      #expect(await session.diagnostics(of: "me.yaml", version: 1) == [])
      let result = try await session.request(
        "workspace/executeCommand", ["command": "authflow.run", "arguments": [session.uri("me.yaml")]])
      #expect(result["status"] == "failed")
      #expect(await session.diagnostics(of: "me.yaml", version: 1) == ["14 failed-expectation"])
      let lenses = try await session.request("textDocument/codeLens", ["textDocument": session.document("me.yaml")])
      let titles = lenses.array?.compactMap { $0["command"]?["title"]?.string } ?? []
      #expect(titles.contains("✓ loadAccount.notFound → interactive-fallback.success → callGraph.success"), "\(titles)")
      #expect(titles.first?.hasPrefix("✗ 1 of 2 scenarios failed: ") == true, "\(titles)")

      // The finding moves with the text.
      session.change("me.yaml", "# comment\n" + EditorSample.workflow, version: 2)
      #expect(await session.diagnostics(of: "me.yaml", version: 2) == ["15 failed-expectation"])
      session.change("me.yaml", EditorSample.workflow.replacing("interactions: 2", with: "interactions: 1"), version: 3)
      #expect(await session.diagnostics(of: "me.yaml", version: 3) == ["12 failed-expectation"])
      let passed = try await session.request(
        "workspace/executeCommand",
        ["command": "authflow.run", "arguments": [session.uri("me.yaml"), "wrong expectation"]])
      #expect(passed["status"] == "passed")
      #expect(await session.diagnostics(of: "me.yaml", version: 3) == [])
    }
  }

  @Test("publishes a run's failures before it responds")
  func publishesFirst() async throws {
    try await EditorSession.run(Self.files) { session in
      session.open("me.yaml", EditorSample.workflow)
      #expect(await session.diagnostics(of: "me.yaml", version: 1) == [])
      session.send(
        "workspace/executeCommand", id: "run", ["command": "authflow.run", "arguments": [session.uri("me.yaml")]])
      let first = await session.console.message { message in
        message["id"] == "run" && message["method"] == nil || message["params"]?["uri"] == session.uri("me.yaml")
      }
      #expect(EditorSession.codes(first?["params"]?["diagnostics"]) == ["14 failed-expectation"])
    }
  }

  @Test("runs the affected scenarios after a settings file is saved")
  func runsAffectedScenarios() async throws {
    try await EditorSession.run(Self.files) { session in
      session.open("me.yaml", EditorSample.workflow)
      #expect(await session.diagnostics(of: "me.yaml", version: 1) == [])
      session.notify("textDocument/didSave", ["textDocument": session.document("AuthSettings.yaml")])
      #expect(await session.diagnostics(of: "me.yaml", version: 1) == ["14 failed-expectation"])
    }
  }

  @Test("removes the failures of unsaved text when the document closes", .timeLimit(.minutes(10)))
  func removesFailures() async throws {
    let saved = EditorSample.workflow.replacing("interactions: 2", with: "interactions: 1")
    try await EditorSession.run(Self.files.merging(["me.yaml": saved]) { $1 }) { session in
      session.open("me.yaml", EditorSample.workflow)
      #expect(await session.diagnostics(of: "me.yaml", version: 1) == [])
      _ = try await session.request(
        "workspace/executeCommand", ["command": "authflow.run", "arguments": [session.uri("me.yaml")]])
      #expect(await session.diagnostics(of: "me.yaml", version: 1) == ["14 failed-expectation"])
      session.notify("textDocument/didClose", ["textDocument": session.document("me.yaml")])
      // The failure can be published once more before the scenarios have run again.
      while await session.diagnostics(of: "me.yaml", version: nil) != [] {}
    }
  }

  @Test("returns the launch configuration of the debug adapter")
  func returnsLaunchConfiguration() async throws {
    try await EditorSession.run(Self.files) { session in
      let result = try await session.request(
        "workspace/executeCommand",
        ["command": "authflow.debug", "arguments": [session.uri("me.yaml"), "first sign-in"]])
      #expect(result["program"] == "/project/me.yaml")
      #expect(result["scenario"] == "first sign-in")
    }
  }

  @Test("writes the report of a scenario to the cache folder")
  func writesReport() async throws {
    try await EditorSession.run(Self.files, environment: ["HOME": "/home/user"]) { session in
      let result = try await session.request(
        "workspace/executeCommand",
        ["command": "authflow.report", "arguments": [session.uri("me.yaml"), "first sign-in"]])
      #expect(result["uri"]?.string?.hasPrefix("file:///home/user/.cache/authflow/reports/me.yaml-") == true)
      #expect(result["status"] == "passed")
    }
  }

  @Test("adds the scenarios that explore would write")
  func addsMissingScenarios() async throws {
    try await EditorSession.run(Self.files) { session in
      session.open("me.yaml", EditorSample.workflow)
      session.send(
        "workspace/executeCommand", id: "add",
        ["command": "authflow.addScenarios", "arguments": [session.uri("me.yaml")]])
      let apply = try #require(await session.console.message { $0["method"] == "workspace/applyEdit" })
      let edits = try #require(apply["params"]?["edit"]?["changes"]?["file:///project/me.yaml"]?.array)
      #expect(edits.contains { $0["newText"]?.string?.contains("expect:") == true })
      session.console.send(["jsonrpc": "2.0", "id": apply["id"] ?? .null, "result": ["applied": true]])
      let response = try #require(await session.response("add"))
      #expect((response["result"]?["added"]?.integer ?? 0) > 0)
    }
  }

  @Test("diagnoses an error message")
  func diagnoses() async throws {
    try await EditorSession.run(Self.files) { session in
      let result = try await session.request(
        "workspace/executeCommand",
        [
          "command": "authflow.diagnose",
          "arguments": ["invalid_grant: AADSTS50173: The provided grant has expired due to it being revoked."],
        ])
      #expect(result["cause"] == "grant-revoked")
      #expect(result["markdown"]?.string?.contains("**Fix:**") == true)
      for argument: JSON in ["all is well", 7] {
        _ = try await session.error(
          "workspace/executeCommand", ["command": "authflow.diagnose", "arguments": [argument]])
      }
    }
  }

  @Test("rejects unknown commands, files, and scenarios")
  func rejectsUnknownArguments() async throws {
    try await EditorSession.run(Self.files) { session in
      let unknown = try await session.error("workspace/executeCommand", ["command": "rm", "arguments": []])
      #expect(unknown["code"] == -32602)
      let file = try await session.error(
        "workspace/executeCommand", ["command": "authflow.run", "arguments": ["file:///etc/passwd"]])
      #expect(file["code"] == -32602)
      let scenario = try await session.request(
        "workspace/executeCommand",
        ["command": "authflow.run", "arguments": [session.uri("me.yaml"), "frist sign-in"]])
      #expect(scenario["status"] == "failed")
      #expect(scenario["message"]?.string?.contains("no scenario `frist sign-in`") == true)
    }
  }
}
