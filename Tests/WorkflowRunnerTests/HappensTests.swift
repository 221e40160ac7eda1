import Documents
import Testing
import WorkflowRunner

/// What happens in the middle of a run is felt by the steps behind it.
@Suite struct HappensTests {
  static func workflow(_ happenings: String) -> String {
    """
    authflow: 1
    settings: Settings.yaml
    steps:
      - id: signIn
        interactive: {}
      - happens: [\(happenings)]
      - silent: { forceRefresh: true }
    """
  }

  @Test(arguments: [
    ("passwordChanged", "AADSTS50173"), ("sessionsRevoked: megan@contoso.com", "AADSTS50173"),
    ("consentRevoked", "AADSTS65001"), ("userDisabled", "AADSTS50057"), ("wait: 91d", "AADSTS700082"),
    ("refreshTokenExpired: {user: megan@contoso.com}", "AADSTS700082"),
    (
      "fault: {at: token, answer: {status: 400, error: invalid_grant, code: AADSTS50076, suberror: basic_action}}",
      "AADSTS50076"
    ),
  ])
  func theNextStepFeelsIt(happening: String, code: String) async throws {
    let scene = try RunScene(files: ["w.yaml": Self.workflow(happening)])
    let outcome = try await scene.run("w.yaml")
    #expect(outcome.path == ["signIn.success", "happens.success", "silent.interactionRequired"])
    #expect(outcome.facts("silent")["error"]?["code"]?.string == code)
    #expect(outcome.decisions("happening").count == 1)
  }

  @Test func somebodyElsesMishapChangesNothing() async throws {
    let scene = try RunScene(files: ["w.yaml": Self.workflow("passwordChanged: alex@contoso.com")])
    let outcome = try await scene.run("w.yaml")
    #expect(outcome.path == ["signIn.success", "happens.success", "silent.success"])
  }

  @Test(arguments: ["cacheCorrupted", "passwordChanged: nobody@nowhere.example"])
  func whatCannotHappenIsSaid(happening: String) async throws {
    let scene = try RunScene(files: ["w.yaml": Self.workflow(happening)])
    let outcome = try await scene.run("w.yaml")
    #expect(!outcome.record.succeeded)
    let why = outcome.finished("happens")["error"]?["description"]?.string ?? ""
    #expect(why.contains(happening.prefix { $0 != ":" }), "\(why)")
  }

  @Test(arguments: [
    "misbehaves: wrong-nonce", "behaves: wrong-nonce", "behaves", "fault: {at: token, answer: truncated}",
    "fault: {at: /v1.0/me, answer: html}", "fault: {at: GET /v1.0/me, answer: {delay: 1s}, times: always}",
    "policyAdded: {name: MFA, require: mfa, for: {users: all}}", "consentRevoked: [User.Read]",
  ])
  func whatThePlatformUnderstandsHappens(happening: String) async throws {
    let scene = try RunScene(files: ["w.yaml": Self.workflow(happening)])
    let outcome = try await scene.run("w.yaml")
    #expect(outcome.facts("happens")["outcome"]?.string == "success", "\(outcome.facts("happens").text())")
  }
}
