import Diagnostics
import Documents
import Testing
import WorkflowRunner

/// Tests the keys of `user`.
@Suite struct UserKeyTests {
  static let signIn = """
    authflow: 1
    settings: Settings.yaml
    steps: [interactive]
    """

  @Test(arguments: [
    ("user: megan@contoso.com", "interactive.screens: [username, password, consent]"),
    (
      "user: {username: megan@contoso.com, password: wrong}",
      "{outcome: userCanceled, interactive.error.code: AADSTS50126, interactive.screens: [username, password, password]}"
    ),
    ("user: {username: mona@contoso.com, mfa: approve}", "interactive.screens: {contains: mfa}"),
    (
      "user: {username: mona@contoso.com, mfa: deny}",
      "{outcome: userCanceled, interactive.error.code: AADSTS500121}"
    ),
    (
      "user: {username: mona@contoso.com, mfa: ignore}",
      "{outcome: userCanceled, interactive.screens: [username, password, mfa]}"
    ),
    ("user: {username: otto@contoso.com, mfa: {totp: JBSWY3DPEHPK3PXP}}", "interactive.screens: {contains: mfa}"),
    (
      "user: {username: otto@contoso.com, mfa: {totp: GEZDGNBVGY3TQOJQ}}",
      "{outcome: userCanceled, interactive.screens: {contains: mfa}}"
    ),
    ("user: {consent: accept}", "interactive.scopes: {contains: Calendars.Read}"),
    ("user: {consent: decline}", "{outcome: userCanceled, interactive.error.code: AADSTS65004}"),
    (
      "user: {consent: [User.Read]}",
      "{outcome: serverDeclinedScopes, interactive.error.declinedScopes: {contains: Calendars.Read}}"
    ),
    (
      "user: {username: paul@contoso.com, newPassword: Fake-New-2}",
      "interactive.screens: [username, password, changePassword, consent]"
    ),
    ("user: paul@contoso.com", "{outcome: userCanceled, interactive.error.code: AADSTS50055}"),
    ("user: {cancels: true}", "{outcome: userCanceled, interactive.screens: [username]}"),
    ("user: {cancels: password}", "{outcome: userCanceled, interactive.screens: [username, password]}"),
    (
      "user: {username: mona@contoso.com, cancels: mfa}",
      "{outcome: userCanceled, interactive.screens: [username, password, mfa]}"
    ),
    ("user: {cancels: consent}", "{outcome: userCanceled, interactive.screens: [username, password, consent]}"),
    (
      "user: {username: paul@contoso.com, cancels: changePassword}",
      "{outcome: userCanceled, interactive.screens: [username, password, changePassword]}"
    ),
    ("user: {cancels: adminApproval}", "interactive.screens: {not: {contains: adminApproval}}"),
    ("user: {cancels: false}", "outcome: success"),
    (
      "given: [signedIn: megan@contoso.com, signedIn: alex@contoso.com]\nuser: {picks: alex@contoso.com}",
      "{interactive.screens: {contains: pickAccount}, interactive.account.username: alex@contoso.com}"
    ),
    (
      "given: [signedIn: megan@contoso.com, signedIn: alex@contoso.com]\nuser: {username: adele@contoso.com, picks: another}",
      "{interactive.screens: {contains: username}, interactive.account.username: adele@contoso.com, accounts: 3}"
    ),
    (
      "given: [signedIn: megan@contoso.com, signedIn: alex@contoso.com]\nuser: {cancels: pickAccount}",
      "{outcome: userCanceled, interactive.screens: [pickAccount]}"
    ),
  ])
  func keysAffectOutcomesAndScreens(_ scenario: String, _ expect: String) async throws {
    let expect = expect.hasPrefix("{") ? expect : "{\(expect)}"
    try await ScenarioHarness(scenario: "\(scenario)\nexpect: \(expect)", of: Self.signIn).passes()
  }

  @Test(arguments: [("90s", 90, "success"), ("59m", 3_540, "success"), ("2h", 7_200, "userCanceled")])
  func delaysAdvanceTheVirtualClock(_ delay: String, _ seconds: Int, _ outcome: String) async throws {
    let run = try await ScenarioHarness(
      scenario: "user: {delay: \(delay)}\nexpect: {outcome: \(outcome)}", of: Self.signIn
    ).passes()
    #expect(run.report.elapsed == .seconds(seconds))
    #expect(run.facts("interactive")["error"]?["code"]?.string == (outcome == "success" ? nil : "AADSTS50089"))
  }

  static let customers = ScenarioHarness.customers(steps: "[interactive]")

  @Test(arguments: [
    ("user: {forgetsPassword: true}", "{outcome: userCanceled, interactive.error.code: AADB2C90118}"),
    ("user: {forgetsPassword: false}", "{interactive.screens: [username]}"),
    (
      "user: {signsUp: {email: nina@example.com, password: Fake-Nina-1, displayName: Nina}}",
      "{interactive.screens: [username, signUp], accounts: 1, interactive.idToken.name: Nina}"
    ),
    ("user: {signsUp: {email: nina@example.com}, cancels: signUp}", "{outcome: userCanceled}"),
  ])
  func customerKeysAffectOutcomesAndScreens(_ scenario: String, _ expect: String) async throws {
    try await ScenarioHarness(scenario: "\(scenario)\nexpect: \(expect)", of: Self.customers).passes()
  }

  @Test func usesOneEntryPerInteractionAndThenRepeatsTheLastEntry() async throws {
    try await ScenarioHarness(
      scenario: """
        user: [{username: mona@contoso.com, mfa: deny}, {mfa: ignore}, {mfa: approve}]
        expect:
          path: [first.userCanceled, second.userCanceled, third.success, fourth.success]
          interactions: 4
        """,
      of: """
        authflow: 1
        settings: Settings.yaml
        user: mona@contoso.com
        steps:
          - {id: first, interactive: {}, on: {userCanceled: next}}
          - {id: second, interactive: {}, on: {userCanceled: next}}
          - {id: third, interactive: {}}
          - {id: fourth, interactive: {prompt: login}}
        """
    ).passes()
  }

  static let device = """
    authflow: 1
    settings: Settings.yaml
    steps: [deviceCode]
    """

  /// The app polls until the code expires, even if the user closes the page.
  @Test(arguments: [
    ("{delay: 8m}", "success", 480), ("{delay: 16m}", "expiredToken", 900),
    ("{consent: decline}", "authorizationDeclined", 5),
    ("{cancels: true}", "expiredToken", 900), ("{username: mona@contoso.com, mfa: deny}", "expiredToken", 900),
  ])
  func deviceCodesWaitForTheUser(_ user: String, _ outcome: String, _ seconds: Int) async throws {
    let run = try await ScenarioHarness(
      scenario: "user: \(user)\nexpect: {outcome: \(outcome), path: [deviceCode.\(outcome)], interactions: 1}",
      of: Self.device
    ).passes()
    #expect(run.report.elapsed == .seconds(seconds))
  }
}
