import Documents
import Effects
import HTTPTypes
import SimulatedWorld
import Testing

/// Tests the directory view and changes to saved scenarios.
@Suite struct StudioDirectoryTests {
  private static let workflow = """
    # A comment that must remain.
    authflow: 1
    settings: AuthSettings.yaml
    user: megan@contoso.com
    steps: [loadAccount, silent, interactive-fallback, callGraph: /me]
    scenarios:
      # Two hours later
      later:
        given:
          - signedIn # the first day
          - wait: 2h # the token expires
        expect: { interactions: 0 } # no page
      offline: { given: offline }

    """

  @Test("declares the fields of each event")
  func declaresEvents() async throws {
    let events = try await StudioHarness().get("/api/events").array ?? []
    let policy = events.first { $0["name"] == "policyAdded" }
    #expect(policy?["schema"]?["properties"]?["require"]?["enum"]?.array?.contains("mfa") == true)
    #expect(policy?["isControlRequest"] == true)
    #expect(events.first { $0["name"] == "signedIn" }?["isControlRequest"] == false)
    #expect(events.allSatisfy { $0["schema"]?["description"] != nil })
  }

  @Test("shows the directory at the start of a run and while a run is suspended")
  func showsDirectory() async throws {
    let studio = try await StudioHarness()
    let start = try await studio.post("/api/directory", ["path": "me.yaml"]).json
    #expect(start["source"] == "start", "\(start.text())")
    #expect(start["users"]?.array?.contains { $0["username"] == "megan@contoso.com" } == true)
    #expect(start["policies"] == [])
    #expect(start["clock"]?["now"]?.string != nil)
    _ = try await studio.post("/api/session/start", ["path": "me.yaml", "given": []])
    let event: JSON = ["policyAdded": ["name": "Second factor", "require": "mfa"]]
    let simulated = try await studio.post("/api/session/simulate", ["event": .string(event.text())])
    #expect(simulated.status == 200, "\(simulated.json.text())")
    let changed = try await studio.post("/api/directory", ["path": "me.yaml"]).json
    #expect(changed["source"] == "run")
    #expect(changed["policies"]?.array?.contains { $0["name"] == "Second factor" } == true, "\(changed.text())")
  }

  private static func save(_ studio: StudioHarness, _ name: String, _ more: JSON) async throws -> (
    status: Int, json: JSON
  ) {
    let workflow = try await studio.get("/api/workflow?path=me.yaml")
    var body: JSON = [
      "path": "me.yaml", "name": .string(name), "replace": true, "revision": workflow["revision"] ?? .null,
    ]
    more.forEachMember { body[$0] = $1 }
    return try await studio.post("/api/save", body)
  }

  @Test("saves a scenario in its file and keeps comments and layout")
  func savesInPlace() async throws {
    let studio = try await StudioHarness(["me.yaml": Self.workflow])
    let given: JSON = ["signedIn", ["wait": "3h"], "offline"]
    let result = try await Self.save(studio, "later", ["given": given, "before": ["silent": ["online"]]])
    #expect(result.status == 200, "\(result.json.text())")
    #expect(
      try studio.text(of: "me.yaml")
        == Self.workflow.replacing(
          "- wait: 2h # the token expires\n",
          with: "- wait: 3h # the token expires\n      - offline\n    before:\n      silent:\n        - online\n"))
    let read = try await studio.get("/api/workflow?path=me.yaml")
    #expect(read["scenarios"]?[0]?["given"] == given)
  }

  @Test("replaces only the expected path and outcome, and only if requested")
  func savesExpectation() async throws {
    let studio = try await StudioHarness(["me.yaml": Self.workflow])
    let result = try await Self.save(studio, "later", ["given": ["signedIn"], "expect": ["outcome": "success"]])
    #expect(result.status == 200, "\(result.json.text())")
    let expected = Self.workflow.replacing("      - wait: 2h # the token expires\n", with: "").replacing(
      "{ interactions: 0 }", with: "{ outcome: success, interactions: 0 }")
    #expect(try studio.text(of: "me.yaml") == expected)
  }

  @Test("does not change a file if the scenario is unchanged or another program has changed the file")
  func keepsFile() async throws {
    let studio = try await StudioHarness(["me.yaml": Self.workflow])
    let same = try await Self.save(studio, "offline", ["given": ["offline"]])
    #expect(same.status == 200, "\(same.json.text())")
    #expect(try studio.text(of: "me.yaml") == Self.workflow)
    let changed = Self.workflow + "# changed\n"
    let old = try await studio.get("/api/workflow?path=me.yaml")["revision"] ?? .null
    try studio.files.replace("/project/me.yaml", with: Array(changed.utf8), privately: false)
    let conflict = try await studio.post(
      "/api/save", ["path": "me.yaml", "name": "offline", "replace": true, "given": [], "revision": old])
    #expect(conflict.status == 409)
    #expect(conflict.json["error"]?.string?.contains("changed on disk") == true)
    #expect(try studio.text(of: "me.yaml") == changed)
    let missing = try await Self.save(studio, "none", ["given": []])
    #expect(missing.status == 400)
  }
}
