import Diagnostics
import Documents
import Effects
import Scenarios
import Testing
import WorkflowModel
import WorkflowRunner

/// What a case of a scenario says is the same whether it is written as a row or by itself.
@Suite struct CircumstancesTests {
  static let steps = """
    settings: Settings.yaml
    inputs: {top: {type: integer, default: 1}, name: {type: string, default: a}}
    steps: [loadAccount, silent, interactive-fallback]

    """

  @Test func rowsAreLaidOverTheirScenario() throws {
    let scene = try OutcomeStrategiesTests.Loaded(
      Self.steps + """
        scenarios:
          s:
            description: not told
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
    let cases = scene.loaded.workflow.scenarios[0].cases.map(\.circumstances)
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

  @Test func axesAreWrittenOut() throws {
    let scene = try OutcomeStrategiesTests.Loaded(
      Self.steps + "scenarios: { s: { inputs: { name: x }, matrix: { top: [1, 2], mfa: [approve, deny] } } }\n")
    let cases = scene.loaded.workflow.scenarios[0].cases.map(\.circumstances)
    #expect(cases.count == 4)
    #expect(cases.map { $0["inputs"]?["top"] } == [1, 2, 1, 2])
    #expect(cases.map { $0["user"]?["mfa"] } == ["approve", "approve", "deny", "deny"])
    #expect(cases.allSatisfy { $0["inputs"]?["name"] == "x" })
  }

  /// Each case of a shipped workflow goes the same way when it is a scenario of its own.
  @Test(arguments: ["b2c.yaml", "national-cloud.yaml", "shared-device.yaml", "declined-scopes.yaml"])
  func shippedCasesGoTheSameWayByThemselves(name: String) async throws {
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
    var alone: JSON = [:]
    for test in cases { alone[test.name] = test.scenario.circumstances }
    root["scenarios"] = alone
    let text = root.text(sortedKeys: false)
    let again = try #require(
      LoadedWorkflow.read(file) { other, options in
        other == file ? DocumentReader.read(text, named: file, options: options) : load(other, options)
      }.loaded)
    let others = again.cases().cases
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

  @Test func eachOfSeveralAppsHasSettingsOfItsOwn() async throws {
    let scene = ScenarioScene(
      scenario: """
        clients: { notes: { ValidateAuthority: false } }
        expect: { outcome: brokerNotAvailable, path: [deviceInfo.success, other.brokerNotAvailable] }
        """, of: "authflow: 1\n" + Self.two)
    try await scene.passes()
  }

  @Test(arguments: [
    ("settings: { ValidateAuthority: false }", "settings-and-clients", "write clients: {mail: …}"),
    ("clients: { note: { ValidateAuthority: false } }", "unknown-name", "notes"),
  ])
  func settingsThatDoNotSayWhoseTheyAreAreRefused(scenario: String, rule: String, help: String) throws {
    let told = ScenarioScene(scenario: scenario, of: "authflow: 1\n" + Self.two).diagnostics()
      .filter { $0.severity == .error }
    #expect(told.count == 1, "\(told)")
    #expect(told.first?.help?.contains(help) == true, "\(told)")
  }
}
