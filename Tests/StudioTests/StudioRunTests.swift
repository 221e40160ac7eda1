import Documents
import Effects
import HTTPTypes
import SimulatedWorld
import Testing

@Suite struct StudioRunTests {
  @Test("lists the files with their findings")
  func listsFiles() async throws {
    let studio = try await StudioHarness(["broken.yaml": "authflow: 1\nsettings: AuthSettings.yaml\nsteps: [silnet]\n"])
    let project = try await studio.get("/api/project")
    let files = project["files"]?.array ?? []
    #expect(files.compactMap { $0["name"]?.string }.sorted() == ["AuthSettings.yaml", "broken.yaml", "me.yaml"])
    #expect(files.first { $0["name"] == "broken.yaml" }?["errors"] == 1)
    let finding = project["findings"]?.array?.first { $0["severity"] == "error" }
    #expect(finding?["file"] == "broken.yaml")
    #expect(finding?["line"] == 3)
  }

  @Test("shows a workflow with its scenarios and escapes text in the diagram")
  func showsWorkflow() async throws {
    let workflow = try await StudioHarness().get("/api/workflow?path=me.yaml")
    #expect(workflow["scenarios"] == [["name": "first sign-in", "given": [], "before": [:]]])
    let machine = try #require(workflow["machine"]?.string)
    #expect(machine.contains("interactive-fallback"))
    #expect(!machine.contains("<b>"))
  }

  @Test("does not read files outside the folder", arguments: ["../etc/passwd", "/etc/passwd", "none.yaml"])
  func folderBoundary(_ path: String) async throws {
    let response = try await StudioHarness(["../etc/passwd": "secret"]).send("/api/workflow?path=\(path)")
    #expect(response.head.status == .notFound)
  }

  @Test("runs a scenario and keeps its report")
  func runsScenario() async throws {
    let studio = try await StudioHarness()
    let result = try await studio.post("/api/run", ["path": "me.yaml", "scenario": "first sign-in"])
    #expect(result.json["status"] == "passed", "\(result.json.text())")
    #expect(result.json["outcome"] == "success")
    #expect(result.json["path"]?[0] == "loadAccount.notFound")
    let report = try await studio.send(try #require(result.json["report"]?.string))
    #expect(report.head.status == .ok)
    #expect(report.head.headerFields[.contentSecurityPolicy] == "frame-ancestors 'self'")
    #expect(String(decoding: report.body, as: UTF8.self).contains("first sign-in"))
  }

  @Test("runs a composed scenario without changing the file")
  func runsComposedScenario() async throws {
    let studio = try await StudioHarness()
    let given: JSON = [["signedIn": "megan@contoso.com"], ["wait": "2h"]]
    let result = try await studio.post("/api/try", ["path": "me.yaml", "given": given])
    #expect(
      result.json["path"] == [
        "loadAccount.found", "silent.success", "interactive-fallback.skipped", "callGraph.success",
      ], "\(result.json.text())")
    #expect(try studio.text(of: "me.yaml") == StudioHarness.workflow)
  }

  @Test("reports an unknown event with a suggestion")
  func reportsUnknownEvent() async throws {
    let result = try await StudioHarness().post("/api/try", ["path": "me.yaml", "given": ["ofline"]])
    #expect(result.json["status"] == "error")
    #expect(result.json["findings"]?[0]?["help"] == "did you mean `offline`?", "\(result.json.text())")
  }

  @Test("saves a composed scenario and keeps comments")
  func savesScenario() async throws {
    let studio = try await StudioHarness()
    let workflow = try await studio.get("/api/workflow?path=me.yaml")
    let body: JSON = [
      "path": "me.yaml", "name": "two hours later", "given": [["signedIn": "megan@contoso.com"], ["wait": "2h"]],
      "expect": ["path": ["loadAccount.found", "silent.success", "interactive-fallback.skipped", "callGraph.success"]],
      "revision": workflow["revision"] ?? .null,
    ]
    let result = try await studio.post("/api/save", body)
    #expect(result.status == 200, "\(result.json.text())")
    let text = try studio.text(of: "me.yaml")
    #expect(text.hasPrefix(StudioHarness.workflow))
    #expect(text.contains("two hours later"))
    let run = try await studio.post("/api/run", ["path": "me.yaml", "scenario": "two hours later"])
    #expect(run.json["status"] == "passed", "\(run.json.text())")
    // The revision is now outdated, and a scenario with this name already exists.
    #expect(try await studio.post("/api/save", body).status == 409)
  }

  @Test("does not save a scenario if the file has changed")
  func detectsConflict() async throws {
    let studio = try await StudioHarness()
    let workflow = try await studio.get("/api/workflow?path=me.yaml")
    let changed = StudioHarness.workflow + "# changed\n"
    try studio.files.replace("/project/me.yaml", with: Array(changed.utf8), privately: false)
    let result = try await studio.post(
      "/api/save", ["path": "me.yaml", "name": "x", "given": [], "revision": workflow["revision"] ?? .null])
    #expect(result.status == 409)
    #expect(result.json["error"]?.string?.contains("changed on disk") == true)
    #expect(try studio.text(of: "me.yaml") == changed)
  }
}
