import Diagnostics
import Directory
import Documents
import Testing

import WorkflowModel

@Suite struct ScenarioTests {
  static let text =
    head + """
      inputs: {top: {type: integer, default: 5}}
      user: megan@contoso.com
      steps: [loadAccount, silent, interactive-fallback, callGraph: /me]
      scenarios:
        first run:
          tags: [smoke]
          expect: { path: [loadAccount.notFound, interactive-fallback.success, callGraph.success], interactions: 1 }
        returning user:
          given: [ signedIn: megan@contoso.com, wait: 2d, passwordChanged, offline, offline: 1m ]
          expect: { path: [loadAccount.found, silent.interactionRequired, ...], silent.error.code: AADSTS50173, accounts: 1 }
        busy:
          given: [ signedIn: {user: megan@contoso.com, scopes: [User.Read]}, fault: { at: GET /v1.0/me, response: { status: 429, retryAfter: 2s }, times: always } ]
          expect: { outcome: failed, path: [..., callGraph.throttled], requests: { graph: { greaterThan: 1 } } }
        every way:
          matrix: { mfa: [approve, deny], top: [1, 5] }
          expect: { outcome: success }
        rows:
          user: { mfa: approve, password: a }
          matrix:
            - { description: denied, user: { mfa: deny }, expect: { outcome: userCanceled } }
            - { inputs: { top: 2 } }
          expect: { outcome: success, interactions: 1 }
        empty:
      """

  @Test func decodes() throws {
    let (workflow, diagnostics) = readWorkflow(Self.text)
    #expect(diagnostics.map(\.message) == [])
    let scenarios = try #require(workflow).scenarios
    #expect(scenarios.map(\.name) == ["first run", "returning user", "busy", "every way", "rows", "empty"])
    #expect(scenarios[0].body.tags == ["smoke"])
    #expect(scenarios[1].body.given?.map(\.kind) == [.signedIn, .wait, .passwordChanged, .offline, .offline])
    #expect(
      scenarios[1].body.given?.map(\.details) == ["megan@contoso.com", "2d", nil, nil, "1m"])
    #expect(
      scenarios[2].body.given?[1].details
        == ["at": "GET /v1.0/me", "response": ["status": 429, "retryAfter": "2s"], "times": "always"])
    #expect(WorkflowChecks.run(try #require(workflow)).map(\.message) == [])
  }

  @Test(arguments: AccessPolicy.Requirement.allCases)
  func acceptsEveryPolicyRequirement(_ requirement: AccessPolicy.Requirement) {
    let (workflow, diagnostics) = readWorkflow(
      head + """
        steps: [loadAccount]
        scenarios:
          a new rule:
            given: [policyAdded: { name: Rule, require: \(requirement.rawValue), challengeWith: signIn }]
        """)
    #expect(diagnostics.map(\.message) == [])
    #expect(
      workflow?.scenarios[0].body.given?[0].details
        == ["name": "Rule", "require": .string(requirement.rawValue), "challengeWith": "signIn"])
  }

  @Test func combinesAxes() throws {
    let scenario = try #require(readWorkflow(Self.text).workflow).scenarios[3]
    #expect(
      scenario.cases.map(\.name) == [
        "every way (mfa: approve, top: 1)", "every way (mfa: deny, top: 1)", "every way (mfa: approve, top: 5)",
        "every way (mfa: deny, top: 5)",
      ])
    #expect(scenario.cases.map { JSON.object($0.body.inputs)["top"] } == [1, 1, 5, 5])
    guard case .deny? = scenario.cases[1].body.user?[0].mfa?.literal else {
      Issue.record("the second case does not deny the second factor")
      return
    }
  }

  @Test func appliesRows() throws {
    let scenario = try #require(readWorkflow(Self.text).workflow).scenarios[4]
    #expect(scenario.cases.map(\.name) == ["rows (denied)", "rows (row 2)"])
    let denied = scenario.cases[0].body
    guard case .deny? = denied.user?[0].mfa?.literal else {
      Issue.record("the first row does not deny the second factor")
      return
    }
    #expect(denied.user?[0].password?.literal == "a")
    #expect(denied.expect?.interactions?.constant == 1)
    let plain = scenario.cases[1].body
    guard case .approve? = plain.user?[0].mfa?.literal else {
      Issue.record("the second row does not approve the second factor")
      return
    }
    #expect(JSON.object(plain.inputs) == ["top": 2])
  }

  @Test(arguments: [
    ("[a.x, b.y]", ["a.x", "b.y"], true), ("[a.x]", ["a.x", "b.y"], false), ("[a.x, ...]", ["a.x"], true),
    ("[...]", [], true),
    ("[..., b.y]", ["a.x", "b.y"], true), ("[..., b.y]", ["b.y", "a.x"], false), ("[a.x, ..., a.x]", ["a.x"], false),
    ("[a.x, ..., a.x]", ["a.x", "a.x"], true),
    ("[..., a.x, ..., b.y, ...]", ["c.z", "a.x", "a.x", "b.y", "c.z"], true),
    ("[]", [], true), ("[]", ["a.x"], false), ("[..., ...]", ["a.x"], true),
    ("[a.x, …, c.z]", ["a.x", "b.y", "c.z"], true),
  ])
  func matchesPaths(_ pattern: String, _ path: [String], _ matches: Bool) throws {
    let text = head + "steps: [listAccounts]\nscenarios: {s: {expect: {path: \(pattern)}}}"
    let parsed = try #require(readWorkflow(text).workflow?.scenarios[0].body.expect?.path)
    #expect(parsed.matches(path) == matches)
  }

  @Test func matchesManyEllipsesInLinearTime() throws {
    let text =
      head
      + "steps: [listAccounts]\nscenarios: {s: {expect: {path: [\(String(repeating: "..., a.x, ", count: 60))b.y]}}}"
    let parsed = try #require(readWorkflow(text).workflow?.scenarios[0].body.expect?.path)
    #expect(!parsed.matches(Array(repeating: "a.x", count: 5_000)))
  }

  static func result(_ outcome: OutcomeName, path: [String] = [], accounts: [String] = []) -> ScenarioResult {
    var facts = StepFacts()
    facts.record("silent", ["tokenSource": "cache"])
    return ScenarioResult(
      outcome: outcome, succeeded: outcome == .success, path: path, interactions: 1, requests: ["token": 2],
      accounts: accounts, context: EvaluationContext(facts: facts, scope: ValueScope(), stepIDs: ["silent"]))
  }

  @Test(arguments: [
    ("{}", "success", true), ("{}", "userCanceled", false), ("{outcome: failed}", "userCanceled", true),
    ("{outcome: failed}", "success", false),
    ("{outcome: userCanceled}", "userCanceled", true), ("{outcome: userCanceled}", "offline", false),
    ("{interactions: 1}", "success", true),
    ("{interactions: {lessThan: 1}}", "success", false), ("{requests: {token: 2, graph: 0}}", "success", true),
    ("{requests.token: 3}", "success", false),
    ("{accounts: 2}", "success", true), ("{accounts: 1}", "success", false),
    ("{accounts: [megan, alex]}", "success", true),
    ("{accounts: {contains: megan}}", "success", true), ("{accounts: {lessThan: 3}}", "success", true),
    ("{accounts: {count: 2}}", "success", true),
    ("{silent.tokenSource: cache}", "success", true), ("{silent.tokenSource: refreshToken}", "success", false),
  ])
  func evaluatesExpectations(_ expect: String, _ outcome: String, _ holds: Bool) throws {
    let text = head + "steps: [silent]\nscenarios: {s: {expect: \(expect)}}"
    let (workflow, diagnostics) = readWorkflow(text)
    #expect(diagnostics.map(\.message) == [])
    let expectation = try #require(workflow?.scenarios[0].body.expect)
    let results = try expectation.evaluate(
      Self.result(try #require(OutcomeName(rawValue: outcome)), accounts: ["megan", "alex"]))
    #expect(results.allSatisfy(\.holds) == holds, "\(results.map(\.message))")
  }

  @Test func aFailedPathIsLocatedAtTheFirstDifference() throws {
    let text = head + "steps: [silent]\nscenarios: {s: {expect: {path: [silent.success, silent.skipped]}}}"
    let pattern = try #require(readWorkflow(text).workflow?.scenarios[0].body.expect?.path)
    let result = pattern.evaluate(["silent.success", "silent.offline"])
    #expect(
      result.message == "expected path to be [silent.success, silent.skipped], found [silent.success, silent.offline]")
    let place = result.place
    #expect(place.span.map { place.source.text(in: $0) } == "silent.skipped")
  }

  @Test func userBehaviorsMergeByInteraction() throws {
    let text =
      head + """
        user: {password: p, mfa: approve}
        steps:
          - interactive: {prompt: login}
            user: [{mfa: deny}, {mfa: ignore}]
        """
    let workflow = try #require(readWorkflow(text).workflow)
    let behaviors = try #require(workflow.steps[0].user).over(workflow.user)
    #expect(behaviors.entries.count == 2)
    #expect(behaviors[0].password?.literal == "p")
    guard case .deny? = behaviors[0].mfa?.literal, case .ignore? = behaviors[1].mfa?.literal,
      case .ignore? = behaviors[9].mfa?.literal
    else {
      Issue.record("the user behaviors are not merged")
      return
    }
  }
}
