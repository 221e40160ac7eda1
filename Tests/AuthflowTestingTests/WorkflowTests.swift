import AuthflowTesting
import Testing

/// Workflows as an app's tests run them.
@Suite struct WorkflowTests {
  // shown: a workflow
  @Test(arguments: try WorkflowSuite(contentsOf: "Workflows/me.yaml").scenarios)
  func workflow(scenario: WorkflowScenario) async throws {
    try await scenario.check()
  }
  // shown: end

  @Test func whatHappenedIsTold() async throws {
    let suite = try WorkflowSuite(contentsOf: "Workflows/me.yaml")
    #expect(suite.name == "Read my profile")
    let result = try await suite.run(scenario: "returning user")
    #expect(result.passed, "\(result.explanation)")
    #expect(result.path.prefix(2) == ["loadAccount.found", "silent.success"])
    #expect(result.outcome == "success" && result.interactions == 0 && result.requests.graph == 1)
    #expect(result.explanation == "returning user: passed")
  }

  @Test func aScenariosFileGivesTheSameScenarios() async throws {
    let suite = try WorkflowSuite(contentsOf: "Workflows/me.scenarios.yaml")
    let whole = try WorkflowSuite(contentsOf: "Workflows/me.yaml")
    #expect(suite.name == "Read my profile")
    #expect(suite.scenarios.map(\.id) == whole.scenarios.map(\.id))
    #expect(suite.scenarios.allSatisfy { $0.file == "Workflows/me.scenarios.yaml" })
    #expect(try await suite.run(scenario: "returning user").passed)
  }

  static let broken = """
    authflow: 1
    settings: {AppId: 6731de76-14a6-49ae-97bc-6eba6914391e, GraphScopes: [User.Read], BundleId: com.contoso.app}
    steps: [loadAccount, silent, interactive-fallback]
    scenarios:
      wrong:
        given: [signedIn: megan@contoso.com]
        expect: {path: [loadAccount.found, silent.interactionRequired, ...], interactions: 2}
      met by nobody:
        given: [{fault: {at: graph, response: reset}}]
      right: {expect: {interactions: 1}}
    """

  @Test func aFailureNamesWhatWasExpectedAndWhere() async throws {
    let suite = try WorkflowSuite(text: Self.broken, named: "broken.yaml")
    #expect(suite.scenarios.map(\.description) == ["wrong", "met by nobody", "right"])
    #expect(suite.scenarios.first?.id == "broken.yaml#wrong")
    let result = try await suite.run(scenario: "wrong")
    #expect(result.verdict == .failed && !result.passed)
    #expect(result.problems.map(\.line) == [7, 7])
    #expect(result.problems.allSatisfy { $0.file == "broken.yaml" && $0.column != nil })
    let lines = result.explanation.split(separator: "\n")
    #expect(
      lines.contains { $0.contains("▶") && $0.contains("silent.interactionRequired") && $0.contains("silent.success") },
      "both paths stand side by side: \(result.explanation)")
    #expect(result.explanation.contains("silent came out as success:"), "the step that decided it is told")
    #expect(!result.explanation.contains("authflow test"), "no command stands in a test's failure")
    #expect(result.explanation.contains("broken.yaml:7:"))
    #expect(result.explanation.contains("expected interactions to be 2, found 0"))
    let failure = await #expect(throws: ScenarioFailure.self) { try await suite.scenarios[0].check() }
    #expect(failure?.description == result.explanation)
    #expect(try await suite.run(scenario: "met by nobody").verdict == .error)
    #expect(try await suite.run(scenario: "right").passed)
  }

  @Test func everyMistakeIsToldAtOnce() throws {
    let text = """
      authflow: 1
      settings: {AppId: 6731de76-14a6-49ae-97bc-6eba6914391e, GraphScopes: [User.Read], BundleId: com.contoso.app}
      steps: [loadAcount, silent]
      scenarioss: {}
      """
    let error = try #require(throws: AuthflowError.self) { try WorkflowSuite(text: text, named: "bad.yaml") }
    let errors = error.diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.line).contains(3) && errors.map(\.line).contains(4))
    #expect(error.description.contains("bad.yaml:3:9: error:") && error.description.contains("^"))
    #expect(error.description.contains("loadAccount"), "what was meant is said")
  }

  @Test func whatIsNotThereIsSaid() async throws {
    let missing = try #require(throws: AuthflowError.self) { try WorkflowSuite(contentsOf: "Workflows/none.yaml") }
    #expect(missing.diagnostics.map(\.rule) == ["unreadable-file"])
    let suite = try WorkflowSuite(contentsOf: "Workflows/me.yaml")
    let unknown = await #expect(throws: AuthflowError.self) { try await suite.run(scenario: "returning users") }
    #expect(unknown?.description.contains("did you mean \"returning user\"?") == true)
    let empty =
      "authflow: 1\nsettings: {AppId: 6731de76-14a6-49ae-97bc-6eba6914391e, GraphScopes: [User.Read], BundleId: a.b}\nsteps: [loadAccount]\n"
    let none = try #require(throws: AuthflowError.self) { try WorkflowSuite(text: empty) }
    #expect(none.diagnostics.contains { $0.rule == "no-scenarios" })
  }

  @Test func aScenarioGoesTheSameWayBesideOthers() async throws {
    let suite = try WorkflowSuite(contentsOf: "Workflows/me.yaml")
    let scenario = try #require(suite[scenario: "back after lunch"])
    let alone = await scenario.run()
    let beside = await withTaskGroup(of: ScenarioResult.self) { group in
      for _ in 0..<8 { group.addTask { await scenario.run() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(beside.allSatisfy { $0.path == alone.path && $0.elapsed == alone.elapsed && $0.requests == alone.requests })
    #expect(alone.elapsed >= .seconds(7200))
  }
}
