import Documents
import Testing
import WorkflowRunner

/// Tests the `simulate` step.
@Suite struct SimulateTests {
  static func workflow(_ events: String) -> String {
    """
    authflow: 1
    settings: Settings.yaml
    steps:
      - id: signIn
        interactive: {}
      - simulate: [\(events)]
      - silent: { forceRefresh: true }
    """
  }

  @Test(arguments: [
    ("passwordChanged", "AADSTS50173"), ("sessionsRevoked: megan@contoso.com", "AADSTS50173"),
    ("consentRevoked", "AADSTS65001"), ("userDisabled", "AADSTS50057"), ("wait: 91d", "AADSTS700082"),
    ("refreshTokenExpired: {user: megan@contoso.com}", "AADSTS700082"),
    (
      "fault: {at: token, response: {status: 400, error: invalid_grant, code: AADSTS50076, suberror: basic_action}}",
      "AADSTS50076"
    ),
  ])
  func eventsAffectTheNextStep(event: String, code: String) async throws {
    let harness = try RunHarness(files: ["w.yaml": Self.workflow(event)])
    let outcome = try await harness.run("w.yaml")
    #expect(outcome.path == ["signIn.success", "simulate.success", "silent.interactionRequired"])
    #expect(outcome.facts("silent")["error"]?["code"]?.string == code)
    #expect(outcome.decisions("event").count == 1)
  }

  @Test func eventsForOtherUsersDoNotAffectTheRun() async throws {
    let harness = try RunHarness(files: ["w.yaml": Self.workflow("passwordChanged: alex@contoso.com")])
    let outcome = try await harness.run("w.yaml")
    #expect(outcome.path == ["signIn.success", "simulate.success", "silent.success"])
  }

  @Test(arguments: ["cacheCorrupted", "passwordChanged: unknown@nowhere.example"])
  func reportsImpossibleEvents(event: String) async throws {
    let harness = try RunHarness(files: ["w.yaml": Self.workflow(event)])
    let outcome = try await harness.run("w.yaml")
    #expect(!outcome.record.succeeded)
    let reason = outcome.finished("simulate")["error"]?["description"]?.string ?? ""
    #expect(reason.contains(event.prefix { $0 != ":" }), "\(reason)")
  }

  @Test(arguments: [
    "misbehaves: wrong-nonce", "stopsMisbehaving: wrong-nonce", "stopsMisbehaving",
    "fault: {at: token, response: truncated}",
    "fault: {at: /v1.0/me, response: html}", "fault: {at: GET /v1.0/me, response: {delay: 1s}, times: always}",
    "policyAdded: {name: MFA, require: mfa, for: {users: all}}", "consentRevoked: [User.Read]",
  ])
  func acceptsEventsOfThePlatform(event: String) async throws {
    let harness = try RunHarness(files: ["w.yaml": Self.workflow(event)])
    let outcome = try await harness.run("w.yaml")
    #expect(outcome.facts("simulate")["outcome"]?.string == "success", "\(outcome.facts("simulate").text())")
  }
}
