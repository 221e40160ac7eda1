import Diagnostics
import Documents
import Effects
import Scenarios
import Testing
import WorkflowModel
import WorkflowRunner

/// A matrix row has the same result as an equivalent scenario without a matrix.
@Suite struct MatrixTests {
  static let steps = """
    settings: Settings.yaml
    inputs: {top: {type: integer, default: 1}, name: {type: string, default: a}}
    steps: [loadAccount, silent, interactive-fallback]

    """

  @Test func rowsOverrideTheirScenario() throws {
    let fixture = try OutcomeStrategiesTests.Fixture(
      Self.steps + """
        scenarios:
          s:
            description: not inherited
            tags: [slow]
            given: [signedIn]
            before: { "silent[1]": [offline], interactive-fallback: [online] }
            user: [megan@contoso.com, { mfa: deny }]
            inputs: { top: 5 }
            settings: { BundleId: com.contoso.one }
            expect: { path: [...] }
            matrix:
              - {}
              - { before: { silent: [{ wait: 1d }] }, user: { consent: decline }, inputs: { name: b } }
              - { given: [], settings: { Platform: macOS }, expect: { outcome: failed } }
        """)
    let cases = fixture.loaded.workflow.scenarios[0].cases.map(\.overrides)
    let base: JSON = [
      "given": ["signedIn"], "before": ["silent[1]": ["offline"], "interactive-fallback": ["online"]],
      "user": ["megan@contoso.com", ["mfa": "deny"]], "inputs": ["top": 5],
      "settings": ["BundleId": "com.contoso.one"],
    ]
    #expect(cases[0].text() == base.text())
    var second = base
    second["before"] = ["silent[1]": [["wait": "1d"]], "interactive-fallback": ["online"]]
    second["user"] = [["username": "megan@contoso.com", "consent": "decline"], ["mfa": "deny", "consent": "decline"]]
    second["inputs"] = ["top": 5, "name": "b"]
    #expect(cases[1].text() == second.text())
    var third = base
    third["given"] = []
    third["settings"] = [["BundleId": "com.contoso.one"], ["Platform": "macOS"]]
    #expect(cases[2].text() == third.text())
  }

  @Test func axesExpandToAllCombinations() throws {
    let fixture = try OutcomeStrategiesTests.Fixture(
      Self.steps + "scenarios: { s: { inputs: { name: x }, matrix: { top: [1, 2], mfa: [approve, deny] } } }\n")
    let cases = fixture.loaded.workflow.scenarios[0].cases.map(\.overrides)
    #expect(cases.count == 4)
    #expect(cases.map { $0["inputs"]?["top"] } == [1, 2, 1, 2])
    #expect(cases.map { $0["user"]?["mfa"] } == ["approve", "approve", "deny", "deny"])
    #expect(cases.allSatisfy { $0["inputs"]?["name"] == "x" })
  }

  /// Each matrix row of a shipped workflow takes the same path as a separate scenario.
  @Test(arguments: ["b2c.yaml", "national-cloud.yaml", "shared-device.yaml", "declined-scopes.yaml"])
  func shippedCasesTakeTheSamePathsAsSeparateScenarios(name: String) async throws {
    let files = ShippedScenariosTests.files
    let world = GoldenTests.world(GoldenTests.shippedFiles())
    let path = try #require(files.keys.first { $0.hasSuffix("Workflows/\(name)") })
    let load: @Sendable (String, ReadingOptions) -> ReadResult = { path, options in
      guard let bytes = try? world.files.read(path, limit: 1 << 24) else {
        return ReadResult(document: nil, diagnostics: [])
      }
      return DocumentReader.read(bytes, named: path, options: options)
    }
    let loaded = try #require(LoadedWorkflow.read(path, load: load).loaded)
    let cases = loaded.cases().cases
    let file = loaded.workflow.scenarioFileName
    var root = try #require(loaded.workflow.scenarioSource).root.json
    var separate: JSON = [:]
    for test in cases { separate[test.name] = test.scenario.overrides }
    root["scenarios"] = separate
    let text = root.text(sortedKeys: false)
    let reloaded = try #require(
      LoadedWorkflow.read(file) { other, options in
        other == file ? DocumentReader.read(text, named: file, options: options) : load(other, options)
      }.loaded)
    let others = reloaded.cases().cases
    #expect(others.map(\.name) == cases.map(\.name))
    for (one, other) in zip(cases, others) {
      let (first, second) = (await one.run(in: world, tool: "t"), await other.run(in: world, tool: "t"))
      #expect(first.result?.path == second.result?.path, "\(one.name)")
      #expect(first.result?.requests == second.result?.requests, "\(one.name)")
    }
  }

  static let two = """
    clients: {mail: Settings.yaml, notes: Settings.yaml}
    steps: [{deviceInfo: {}, client: mail}, {id: other, deviceInfo: {}, client: notes}]

    """

  @Test func overridesTheSettingsOfOneClient() async throws {
    let harness = ScenarioHarness(
      scenario: """
        clients: { notes: { ValidateAuthority: false } }
        expect: { outcome: brokerNotAvailable, path: [deviceInfo.success, other.brokerNotAvailable] }
        """, of: "authflow: 1\n" + Self.two)
    try await harness.passes()
  }

  @Test(arguments: [
    ("settings: { ValidateAuthority: false }", "settings-and-clients", "use `clients: {mail: …}`"),
    ("clients: { note: { ValidateAuthority: false } }", "unknown-name", "notes"),
  ])
  func rejectsSettingsWithoutAKnownClient(scenario: String, rule: String, help: String) throws {
    let errors = ScenarioHarness(scenario: scenario, of: "authflow: 1\n" + Self.two).diagnostics()
      .filter { $0.severity == .error }
    #expect(errors.count == 1, "\(errors)")
    #expect(errors.first?.help?.contains(help) == true, "\(errors)")
  }
}
