import AuthflowTesting
import Testing

/// Runs workflows as an app's tests do.
@Suite struct WorkflowTests {
  // shown: workflow
  @Test(arguments: try WorkflowSuite(contentsOf: "Workflows/me.yaml").scenarios)
  func workflow(scenario: WorkflowScenario) async throws {
    try await scenario.check()
  }
  // shown: end

  @Test func reportsTheResultOfAScenario() async throws {
    let suite = try WorkflowSuite(contentsOf: "Workflows/me.yaml")
    #expect(suite.name == "Read my profile")
    let result = try await suite.run(scenario: "returning user")
    #expect(result.passed, "\(result.explanation)")
    #expect(result.path.prefix(2) == ["loadAccount.found", "silent.success"])
    #expect(result.outcome == "success" && result.interactions == 0 && result.requests.graph == 1)
    #expect(result.explanation == "returning user: passed")
  }

  @Test func aScenariosFileContainsTheSameScenarios() async throws {
    let suite = try WorkflowSuite(contentsOf: "Workflows/me.scenarios.yaml")
    let workflow = try WorkflowSuite(contentsOf: "Workflows/me.yaml")
    #expect(suite.name == "Read my profile")
    #expect(suite.scenarios.map(\.id) == workflow.scenarios.map(\.id))
    #expect(suite.scenarios.allSatisfy { $0.file == "Workflows/me.scenarios.yaml" })
    #expect(try await suite.run(scenario: "returning user").passed)
  }

  static let failing = """
    authflow: 1
    settings: {AppId: 6731de76-14a6-49ae-97bc-6eba6914391e, GraphScopes: [User.Read], BundleId: com.contoso.app}
    steps: [loadAccount, silent, interactive-fallback]
    scenarios:
      wrong:
        given: [signedIn: megan@contoso.com]
        expect: {path: [loadAccount.found, silent.interactionRequired, ...], interactions: 2}
      unused fault:
        given: [{fault: {at: graph, response: reset}}]
      right: {expect: {interactions: 1}}
    """

  @Test func failuresIncludeTheExpectationAndItsLocation() async throws {
    let suite = try WorkflowSuite(text: Self.failing, named: "failing.yaml")
    #expect(suite.scenarios.map(\.description) == ["wrong", "unused fault", "right"])
    #expect(suite.scenarios.first?.id == "failing.yaml#wrong")
    let result = try await suite.run(scenario: "wrong")
    #expect(result.verdict == .failed && !result.passed)
    #expect(result.problems.map(\.line) == [7, 7])
    #expect(result.problems.allSatisfy { $0.file == "failing.yaml" && $0.column != nil })
    let lines = result.explanation.split(separator: "\n")
    #expect(
      lines.contains { $0.contains("▶") && $0.contains("silent.interactionRequired") && $0.contains("silent.success") },
      "the explanation compares both paths: \(result.explanation)")
    #expect(result.explanation.contains("silent ended with success:"), "the explanation contains the deciding step")
    #expect(!result.explanation.contains("authflow test"), "the explanation does not contain commands")
    #expect(result.explanation.contains("failing.yaml:7:"))
    #expect(result.explanation.contains("expected interactions to be 2, found 0"))
    let failure = await #expect(throws: ScenarioFailure.self) { try await suite.scenarios[0].check() }
    #expect(failure?.description == result.explanation)
    #expect(try await suite.run(scenario: "unused fault").verdict == .error)
    #expect(try await suite.run(scenario: "right").passed)
  }

  @Test func reportsAllErrorsTogether() throws {
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
    #expect(error.description.contains("loadAccount"), "the error suggests a step type")
  }

  @Test func reportsMissingFilesAndScenarios() async throws {
    let missing = try #require(throws: AuthflowError.self) { try WorkflowSuite(contentsOf: "Workflows/none.yaml") }
    #expect(missing.diagnostics.map(\.rule) == ["unreadable-file"])
    let suite = try WorkflowSuite(contentsOf: "Workflows/me.yaml")
    let unknown = await #expect(throws: AuthflowError.self) { try await suite.run(scenario: "returning users") }
    #expect(unknown?.description.contains("did you mean `returning user`?") == true)
    let empty =
      "authflow: 1\nsettings: {AppId: 6731de76-14a6-49ae-97bc-6eba6914391e, GraphScopes: [User.Read], BundleId: a.b}\nsteps: [loadAccount]\n"
    let none = try #require(throws: AuthflowError.self) { try WorkflowSuite(text: empty) }
    #expect(none.diagnostics.contains { $0.rule == "no-scenarios" })
  }

  @Test func concurrentRunsHaveTheSameResult() async throws {
    let suite = try WorkflowSuite(contentsOf: "Workflows/me.yaml")
    let scenario = try #require(suite[scenario: "access token expired"])
    let single = await scenario.run()
    let concurrent = await withTaskGroup(of: ScenarioResult.self) { group in
      for _ in 0..<8 { group.addTask { await scenario.run() } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(
      concurrent.allSatisfy { $0.path == single.path && $0.elapsed == single.elapsed && $0.requests == single.requests }
    )
    #expect(single.elapsed >= .seconds(7200))
  }
}
