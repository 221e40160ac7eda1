import Diagnostics
import Documents
import Testing

import WorkflowModel

/// Tests scenarios in a separate file, with references in both directions and the location of every error.
@Suite struct ScenariosFileTests {
  static let steps = "authflow: 1\nsettings: S.plist\nsteps: [loadAccount, silent]\n"
  static let scenarios = """
    authflow: 1
    workflow: me.yaml
    scenarios:
      signed in: { given: [signedIn: megan@contoso.com], expect: { path: [loadAccount.found, silent.success] } }
      signed out: { expect: { outcome: notFound } }

    """

  /// Reads a file and checks its workflow.
  static func read(
    _ files: [String: String], _ name: String = "me.yaml"
  ) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    let (workflow, diagnostics) = readWorkflow(files[name] ?? "", named: name, files: files)
    let all = diagnostics + (workflow.map { WorkflowChecks.run($0) } ?? [])
    // The short workflow intentionally has no fallback.
    return (workflow, all.filter { $0.rule != "missing-fallback" })
  }

  static func texts(_ diagnostics: [Diagnostic]) -> [String] {
    diagnostics.map { "\($0.place.source.name):\($0.place.start.line) \($0.rule): \($0.message)" }
  }

  @Test(arguments: ["me.yaml", "me.scenarios.yaml"])
  func readsAWorkflowAndItsScenariosFileFromEitherFile(name: String) throws {
    let files = ["me.yaml": Self.steps + "scenarios: me.scenarios.yaml\n", "me.scenarios.yaml": Self.scenarios]
    let (found, diagnostics) = Self.read(files, name)
    #expect(Self.texts(diagnostics) == [])
    let workflow = try #require(found)
    #expect(workflow.document.source.name == "me.yaml")
    #expect(workflow.scenarioFileName == "me.scenarios.yaml")
    #expect(workflow.scenarios.map(\.name) == ["signed in", "signed out"])
    #expect(workflow.scenarios.allSatisfy { $0.place.source.name == "me.scenarios.yaml" })
  }

  @Test func aWorkflowDoesNotHaveToReferToItsScenarios() throws {
    let files = [
      "a/me.yaml": Self.steps, "b/more.json": #"{"authflow": 1, "workflow": "../a/me.yaml", "scenarios": {"x": {}}}"#,
    ]
    let (found, diagnostics) = Self.read(files, "b/more.json")
    #expect(Self.texts(diagnostics) == [])
    #expect(found?.document.source.name == "a/me.yaml")
    #expect(found?.scenarios.map(\.name) == ["x"])
    #expect(Self.read(files, "a/me.yaml").workflow?.scenarios.isEmpty == true)
  }

  @Test func aScenariosFileReplacesInlineScenarios() throws {
    let files = ["me.yaml": Self.steps + "scenarios: { own: {} }\n", "me.scenarios.yaml": Self.scenarios]
    #expect(Self.read(files).workflow?.scenarios.map(\.name) == ["own"])
    #expect(Self.read(files, "me.scenarios.yaml").workflow?.scenarios.map(\.name) == ["signed in", "signed out"])
  }

  /// The contents of a scenarios file and the expected diagnostics.
  @Test(
    arguments: [
      ("authflow: 1\nworkflow: me.yaml\n", ["s.yaml:1 missing-key: missing key `scenarios` in a scenarios file"]),
      ("authflow: 1\nscenarios: {a: {}}\n", ["s.yaml:1 missing-key: missing key `workflow` in a scenarios file"]),
      (
        "workflow: me.yaml\nscenarios: {a: {}}\n", ["s.yaml:1 missing-key: missing key `authflow` in a scenarios file"]
      ),
      ("authflow: 2\nworkflow: me.yaml\nscenarios: {a: {}}\n", ["s.yaml:1 language-version: unsupported version 2"]),
      (
        "authflow: 1\nworkflow: me.yaml\nscenarois: {}\nscenarios: {a: {}}\n",
        ["s.yaml:3 unknown-key: unknown key `scenarois` in a scenarios file"]
      ),
      (
        "authflow: 1\nworkflow: me.yaml\nsettings: S.plist\nscenarios: {a: {}}\n",
        ["s.yaml:3 unknown-key: unknown key `settings` in a scenarios file"]
      ),
      ("authflow: 1\nworkflow: me.yaml\nscenarios:\n", ["s.yaml:3 empty-value: scenarios file contains no scenarios"]),
      ("authflow: 1\nworkflow: me.yaml\nscenarios: [a]\n", ["s.yaml:3 wrong-type: expected a mapping from names"]),
      (
        "authflow: 1\nworkflow: me.yaml\nscenarios: more.yaml\n", ["s.yaml:3 wrong-type: expected a mapping from names"]
      ),
      (
        "authflow: 1\nworkflow: you.yaml\nscenarios: {a: {}}\n",
        ["s.yaml:2 scenarios-file: scenarios file is for another workflow: `you.yaml`"]
      ),
      (
        "authflow: 1\nsettings: S.plist\nsteps: [silent]\n",
        ["me.yaml:4 scenarios-file: `s.yaml` is a workflow, not a scenarios file"]
      ),
      ("AppId: x\n", ["me.yaml:4 scenarios-file: `s.yaml` is not a scenarios file"]),
      ("[]\n", ["me.yaml:4 scenarios-file: `s.yaml` is not a scenarios file"]),
      ("authflow: [\n", ["s.yaml:"]),
      ("authflow: 1\u{0}\n", ["s.yaml:1"]),
      ("", ["s.yaml:1 empty-document"]),
      (nil, ["me.yaml:4 scenarios-file: cannot read `s.yaml`: no such file"]),
    ] as [(String?, [String])])
  func reportsErrorsAtTheirLocation(text: String?, expected: [String]) throws {
    var files = ["me.yaml": Self.steps + "scenarios: s.yaml\n", "you.yaml": Self.steps]
    files["s.yaml"] = text
    let (found, diagnostics) = Self.read(files)
    let texts = Self.texts(diagnostics)
    for line in expected { #expect(texts.contains { $0.hasPrefix(line) }, "\(texts)") }
    // The steps are valid, so the workflow can still run.
    let workflow = try #require(found)
    #expect(Self.texts(workflow.separate(diagnostics).relevant) == [])
    #expect(workflow.separate(diagnostics).unused.count == diagnostics.count)
  }

  /// Values for `workflow` that do not refer to a workflow.
  @Test(arguments: [
    ("other.yaml", "`other.yaml` is a scenarios file, not a workflow"),
    ("s.yaml", "`s.yaml` is a scenarios file, not a workflow"), ("S.yaml", "`S.yaml` is not a workflow"),
    ("none.yaml", "cannot read `none.yaml`: no such file"), ("", "empty string"),
  ])
  func aScenariosFileMustReferToAWorkflow(path: String, message: String) {
    let text = "authflow: 1\nworkflow: \"\(path)\"\nscenarios: {a: {}}\n"
    let files = ["s.yaml": text, "other.yaml": Self.scenarios, "S.yaml": "AppId: x\n", "me.yaml": Self.steps]
    let (workflow, diagnostics) = Self.read(files, "s.yaml")
    #expect(workflow == nil)
    #expect(Self.texts(diagnostics).contains { $0.hasPrefix("s.yaml:2") && $0.contains(message) }, "\(diagnostics)")
  }

  @Test func aWorkflowCannotBeItsOwnScenariosFile() {
    let (_, diagnostics) = Self.read(["me.yaml": Self.steps + "scenarios: me.yaml\n"])
    #expect(
      Self.texts(diagnostics) == ["me.yaml:4 scenarios-file: `me.yaml` is a workflow, not a scenarios file"])
  }

  @Test func aUseStepRequiresAWorkflow() {
    let files = [
      "me.yaml": "authflow: 1\nsettings: S.plist\nsteps: [use: s.yaml]\n", "s.yaml": Self.scenarios,
    ]
    #expect(
      Self.texts(Self.read(files).diagnostics).contains { $0.contains("`s.yaml` is a scenarios file, not a workflow") })
  }

  /// Reading either file reports errors in steps, and these errors are always relevant.
  @Test func errorsInStepsAreRelevantInBothFiles() {
    let files = [
      "me.yaml": "authflow: 1\nsettings: S.plist\nsteps: [slient]\nscenarios: s.yaml\n", "s.yaml": Self.scenarios,
    ]
    for name in files.keys {
      let (workflow, diagnostics) = Self.read(files, name)
      let relevant = workflow?.separate(diagnostics).relevant ?? diagnostics
      #expect(relevant.contains { $0.place.source.name == "me.yaml" && $0.message.contains("slient") }, "\(name)")
    }
  }

  @Test func reportsUndefinedNamesInTheScenariosFile() {
    let files = [
      "me.yaml": Self.steps + "scenarios: s.yaml\n",
      "s.yaml": "authflow: 1\nworkflow: me.yaml\nscenarios:\n  a: { user: \"${missing}\" }\n",
    ]
    #expect(Self.texts(Self.read(files).diagnostics).contains { $0.hasPrefix("s.yaml:4 unknown-name") })
  }

  // MARK: Separating

  static let mixed = """
    authflow: 1
    settings: S.plist
    steps: [loadAccount, silent]
    scenarios:
      first: { expect: { path: [nothing.found] } }
      second: { expect: { path: [loadAccount.found, silent.success] } }
      rows: { expekt: {}, matrix: [{description: one}] }
    user: { passwort: x }

    """

  @Test func separatesDiagnosticsInScenariosFromOtherDiagnostics() throws {
    let (found, diagnostics) = Self.read(["me.yaml": Self.mixed])
    let workflow = try #require(found)
    let (relevant, unused) = workflow.separate(diagnostics)
    #expect(relevant.map(\.place.start.line) == [8])
    #expect(unused.map(\.place.start.line).sorted() == [5, 7])
  }

  @Test(
    arguments: [("first", [5]), ("second", []), ("rows (one)", [7]), ("rows", [7]), ("none", [])] as [(String, [Int])])
  func keepsDiagnosticsInTheScenarioThatRuns(name: String, lines: [Int]) throws {
    let (found, diagnostics) = Self.read(["me.yaml": Self.mixed])
    let (relevant, _) = try #require(found).separate(diagnostics, running: name)
    #expect(relevant.map(\.place.start.line).sorted() == lines + [8])
  }

  /// A duplicate scenario name affects only runs of a scenario with that name.
  @Test func aDuplicateNameAffectsOnlyScenariosWithThatName() throws {
    let text = Self.steps + "scenarios:\n  a: {}\n  b: {}\n  a: {}\n"
    let (found, diagnostics) = Self.read(["me.yaml": text])
    let workflow = try #require(found)
    #expect(diagnostics.map(\.rule) == ["duplicate-key"])
    #expect(workflow.separate(diagnostics).relevant.isEmpty)
    #expect(workflow.separate(diagnostics, running: "b").relevant.isEmpty)
    #expect(workflow.separate(diagnostics, running: "a").relevant.count == 1)
  }

  /// Errors outside of scenarios affect all scenarios in the file.
  @Test func errorsOutsideOfScenariosAffectAllScenarios() throws {
    let files = [
      "me.yaml": Self.steps + "scenarios: s.yaml\n",
      "s.yaml": "authflow: 1\nworkflow: me.yaml\nscenarois: 3\nscenarios: { a: {} }\n",
    ]
    let (found, diagnostics) = Self.read(files)
    let workflow = try #require(found)
    #expect(workflow.separate(diagnostics).relevant.isEmpty)
    #expect(workflow.separate(diagnostics, running: "a").relevant.count == 1)
  }

  @Test func separatesDiagnosticsInNestedWorkflows() throws {
    let files = [
      "me.yaml": "authflow: 1\nsettings: S.plist\nsteps: [use: sub.yaml]\n",
      "sub.yaml": Self.steps + "scenarios: { a: { expect: { outcome: nothing } } }\n",
    ]
    let (found, diagnostics) = Self.read(files)
    #expect(diagnostics.contains { $0.rule == "scenario-outcome" })
    #expect(try #require(found).separate(diagnostics).relevant.isEmpty)
  }

  /// A large scenarios file is read only once and in limited time.
  @Test func readsHugeScenariosFiles() throws {
    let count = 20_000
    let body = (0..<count).map { "  s\($0): {}\n" }.joined()
    let files = [
      "me.yaml": Self.steps + "scenarios: s.yaml\n", "s.yaml": "authflow: 1\nworkflow: me.yaml\nscenarios:\n" + body,
    ]
    let (workflow, diagnostics) = Self.read(files)
    #expect(diagnostics.isEmpty)
    #expect(workflow?.scenarios.count == count)
  }

  @Test(arguments: ["3", "[a]", "true", "1.5"])
  func scenariosMustBeAMappingOrAPath(value: String) {
    let (_, diagnostics) = Self.read(["me.yaml": Self.steps + "scenarios: \(value)\n"])
    #expect(diagnostics.map(\.rule) == ["wrong-type"])
  }
}
