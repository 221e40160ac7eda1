import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import TestSupport
import Testing

/// The tools of `authflow mcp`: results, confinement, and limits.
@Suite struct MCPToolTests {
  static let workflow = TerminalSession.files(steps: "- interactive\n- callGraph: /me\n")

  // MARK: Results

  @Test("validate returns findings with locations, for files and for unsaved text")
  func validate() async throws {
    let client = try await MCPClient.connected(
      files: Self.workflow.merging(["bad.yaml": "authflow: 1\nsteps: [silnet]\n"]) { $1 })
    let good = try await client.call("validate", ["path": "w.yaml"])
    #expect(!good.isError)
    #expect(good.content["errors"] == 0)
    let bad = try await client.call("validate", ["path": "bad.yaml"])
    #expect(bad.isError)
    #expect(bad.content["findings"]?.array?.contains { $0["line"] == 2 && $0["severity"] == "error" } == true)
    #expect(try JSON(parsing: bad.text) == bad.content)
    let text = try await client.call("validate", ["text": "authflow: 1\nsettings: S.yaml\nsteps: [silnet]\n"])
    #expect(text.isError)
    #expect(text.content["findings"]?[0]?["file"] == "text.yaml")
    let replaced = try await client.call(
      "validate", ["path": "bad.yaml", "text": "authflow: 1\nsettings: S.yaml\nsteps: [silent]\n"])
    #expect(replaced.content["errors"] == 0, "\(replaced.text)")
    #expect(try await client.call("validate").isError)
    #expect(client.files.text("bad.yaml")?.contains("silnet") == true)
    #expect(await client.close() == .success)
  }

  @Test("run returns the outcome and the steps, and its trace is a resource")
  func run() async throws {
    let client = try await MCPClient.connected(files: Self.workflow, shipped: true)
    let before = client.files.paths
    #expect(try await client.request("resources/read", ["uri": "authflow://trace/last"])["error"]?["code"] == -32002)
    let run = try await client.call("run", ["path": "w.yaml"])
    #expect(!run.isError, "\(run.text)")
    #expect(run.content["succeeded"] == true)
    #expect(run.content["steps"]?.array?.count == 2)
    #expect(await client.console.message { $0["method"] == "notifications/resources/list_changed" } != nil)
    let trace = try await client.request("resources/read", ["uri": "authflow://trace/last"])
    let text = try #require(trace["result"]?["contents"]?[0]?["text"]?.string)
    #expect(text.contains("step.finished") && !text.contains("eyJ0eXAi"))
    let scenario = try await client.call("run", ["path": "Workflows/me.yaml", "scenario": "no such scenario"])
    #expect(scenario.isError && scenario.text.contains("has no scenario"))
    #expect(client.files.paths == before)
    #expect(await client.close() == .success)
  }

  @Test("a live run requires the user's permission, even if the workflow selects the live service")
  func live() async throws {
    var files = Self.workflow
    files["live.yaml"] = files["w.yaml"]?.replacing("settings:", with: "platform: live\nsettings:")
    let client = try await MCPClient.connected(files: files)
    for arguments: JSON in [["path": "w.yaml", "live": true], ["path": "live.yaml"]] {
      let run = try await client.call("run", arguments)
      #expect(run.isError && run.text.contains("live"), "\(run.text)")
    }
    let tools = try await client.request("tools/list")["result"]?["tools"]?.array ?? []
    #expect(tools.allSatisfy { $0["annotations"]?["readOnlyHint"] == true })
    #expect(await client.close() == .success)
    let permitted = try await MCPClient.connected(["--live"], files: files)
    let run = try await permitted.call("run", ["path": "w.yaml", "live": true])
    #expect(run.isError && !run.text.contains("not allowed"), "\(run.text)")
    let all = try await permitted.request("tools/list")["result"]?["tools"]?.array ?? []
    #expect(all.first { $0["name"] == "run" }?["annotations"]?["openWorldHint"] == true)
    #expect(await permitted.close() == .success)
  }

  @Test("test, explore, settings, and graph return the results of the commands")
  func otherTools() async throws {
    let client = try await MCPClient.connected(shipped: true)
    let me: JSON = ["path": "Workflows/me.yaml"]
    let test = try await client.call("test", me)
    #expect(!test.isError && test.content["summary"]?["total"]?.integer ?? 0 > 3)
    let explore = try await client.call("explore", me)
    #expect(explore.content["paths"]?.array?.isEmpty == false, "\(explore.text)")
    let settings = try await client.call("settings", ["path": "Workflows/AuthSettings.plist"])
    #expect(settings.content["authority"]?["type"] != nil, "\(settings.text)")
    for format in ["mermaid", "dot", "svg", "json"] {
      let graph = try await client.call("graph", ["path": "Workflows/me.yaml", "format": .string(format)])
      #expect(!graph.isError && graph.content["format"]?.string == format)
      #expect(graph.content["diagram"] != nil || graph.content["states"]?.array?.isEmpty == false)
    }
    #expect(await client.close() == .success)
  }

  @Test("explain accepts codes, pasted errors, and files")
  func explain() async throws {
    let client = try await MCPClient.connected(shipped: true)
    let code = try await client.call("explain", ["query": "AADSTS50076"])
    #expect(code.content["found"]?[0]?["name"] == "AADSTS50076" && code.text.contains("What to do"))
    let pasted = try await client.call("explain", ["query": "invalid_grant: AADSTS65001: consent\nTrace ID: 1"])
    #expect(pasted.content["found"]?.array?.contains { $0["name"] == "AADSTS65001" } == true)
    let file = try await client.call("explain", ["query": "Workflows/me.yaml"])
    #expect(file.content["workflow"] != nil)
    let step = try await client.call("explain", ["query": "silent", "code": "kotlin"])
    #expect(step.content["code"]?[0]?["language"] == "kotlin")
    let unknown = try await client.call("explain", ["query": "no-such-name"])
    #expect(unknown.isError && unknown.text.contains("unknown name"))
    #expect(await client.close() == .success)
  }

  // MARK: Confinement

  @Test("rejects paths and links outside the folder, and files with credentials")
  func confinement() async throws {
    let files = Self.workflow.merging([
      ".env": "TOKEN=1", ".git/config": "[x]", "sub/.env.local": "A=1",
      "reads.yaml": "authflow: 1\nsettings: ../secret.yaml\nsteps: [silent]\n",
      "links.yaml": "authflow: 1\nsettings: link.yaml\nsteps: [silent]\n",
    ]) { $1 }
    let client = try await MCPClient.connected(files: files, links: ["link.yaml": "/home/dev/secret.yaml"])
    for path in ["../secret.yaml", "/home/dev/secret.yaml", "/etc/passwd", "sub/../../secret.yaml", "link.yaml"] {
      for tool in ["validate", "run", "test", "explore", "settings", "graph"] {
        let result = try await client.call(tool, ["path": .string(path)])
        #expect(
          result.isError && result.text.contains("outside the server's folder"), "\(tool) \(path): \(result.text)")
      }
    }
    for path in [".env", ".git/config", "sub/.env.local", ".git"] {
      let result = try await client.call("validate", ["path": .string(path)])
      #expect(result.isError && result.text.contains("credentials"), "\(path): \(result.text)")
    }
    #expect(try await client.call("explain", ["query": ".env"]).isError)
    for path in ["reads.yaml", "links.yaml"] {
      let result = try await client.call("run", ["path": .string(path)])
      #expect(result.isError && !result.text.contains("secret: 1"), "\(result.text)")
    }
    let missing = try await client.call("run", ["path": "W.yml"])
    #expect(missing.isError && missing.text.contains("no such file"))
    #expect(!(try await client.call("validate", ["path": "/home/dev/app/w.yaml"]).isError))
    let option = try await client.call("validate", ["path": "--rules"])
    #expect(option.isError && option.text.contains("no such file"))
    #expect(await client.close() == .success)
  }

  // MARK: Limits

  @Test("a large result is shortened to valid JSON that counts the omitted findings")
  func largeResult() async throws {
    let names = (0..<1500).map { "settings/S\($0).yaml" }
    let files = Dictionary(uniqueKeysWithValues: names.map { ($0, "AppId: no-guid\nGraphScopes: [User.Read]\n") })
    let client = try await MCPClient.connected(files: files)
    let response = try await client.request(
      "tools/call", ["name": "validate", "arguments": ["path": "settings"]])
    #expect(response.text(sortedKeys: false).utf8.count <= 256 << 10)
    let content = try #require(response["result"]?["structuredContent"])
    #expect(content["truncated"] == true)
    let shown = content["findings"]?.array?.count ?? 0
    #expect(shown > 100)
    let counts = ["errors", "warnings", "notes"].compactMap { content[$0]?.integer }
    #expect(Int64(shown) + (content["omitted"]?.integer ?? 0) == counts.reduce(0, +))
    #expect(await client.close() == .success)
  }

  @Test("large and deeply nested text does not stop the server")
  func hostileText() async throws {
    let client = try await MCPClient.connected()
    for text in [
      String(repeating: "a", count: 2_000_000), String(repeating: "[", count: 200_000), "\u{0}\u{1B}[2J",
      "authflow: 1\n" + String(repeating: "- ", count: 5000), "&a [*a, *a]",
    ] {
      _ = try await client.call("validate", ["text": .string(text)])
    }
    _ = try await client.call("explain", ["query": .string(String(repeating: "AADSTS50076 ", count: 10_000))])
    #expect(try await client.request("ping")["result"] == [:])
    #expect(await client.close() == .success)
  }

  @Test("tokens in files do not appear in results")
  func secrets() async throws {
    let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2ln"
    let client = try await MCPClient.connected(files: TerminalSession.files(steps: "- \(token)\n"))
    for (tool, arguments) in [
      ("validate", ["path": "w.yaml"]), ("run", ["path": "w.yaml"]), ("explain", ["query": .string(token)]),
    ] as [(String, JSON)] {
      let response = try await client.request("tools/call", ["name": .string(tool), "arguments": arguments])
      #expect(!response.text().contains(token), "\(tool)")
    }
    #expect(await client.close() == .success)
  }
}
