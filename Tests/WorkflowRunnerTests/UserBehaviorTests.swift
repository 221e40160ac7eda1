import Documents
import RunTrace
import Testing
import WorkflowRunner

/// Tests the keys of `user` and their effects on sign-ins.
@Suite struct UserBehaviorTests {
  struct Interaction: Sendable, CustomTestStringConvertible {
    /// The value of `user`.
    var user: String
    var outcome: String
    /// The code that the page or the server reports.
    var code: String?
    var screens: [String]
    var username = "megan@contoso.com"

    var testDescription: String { user }
  }

  static let interactions: [Interaction] = [
    Interaction(user: "megan@contoso.com", outcome: "success", screens: ["username", "password", "consent"]),
    Interaction(user: "{}", outcome: "success", screens: ["username", "password", "consent"]),
    Interaction(
      user: "{ username: megan@contoso.com, password: wrong-password }", outcome: "userCanceled",
      code: "AADSTS50126", screens: ["username", "password", "password"]),
    Interaction(
      user: "unknown@contoso.com", outcome: "userCanceled", code: "AADSTS50034", screens: ["username", "username"]),
    Interaction(user: "{ cancels: true }", outcome: "userCanceled", screens: ["username"]),
    Interaction(user: "{ cancels: consent }", outcome: "userCanceled", screens: ["username", "password", "consent"]),
    Interaction(user: "{ cancels: mfa }", outcome: "success", screens: ["username", "password", "consent"]),
    Interaction(
      user: "{ consent: decline }", outcome: "userCanceled", code: "AADSTS65004",
      screens: ["username", "password", "consent"]),
    Interaction(
      user: "mona@contoso.com", outcome: "success", screens: ["username", "password", "mfa", "consent"],
      username: "mona@contoso.com"),
    Interaction(
      user: "{ username: mona@contoso.com, mfa: deny }", outcome: "userCanceled", code: "AADSTS500121",
      screens: ["username", "password", "mfa", "error"]),
    Interaction(
      user: "{ username: mona@contoso.com, mfa: ignore }", outcome: "userCanceled",
      screens: ["username", "password", "mfa"]),
    Interaction(
      user: "otto@contoso.com", outcome: "success", screens: ["username", "password", "mfa", "consent"],
      username: "otto@contoso.com"),
    Interaction(
      user: "{ username: otto@contoso.com, mfa: { totp: \"${secret:OTTO}\" } }", outcome: "success",
      screens: ["username", "password", "mfa", "consent"], username: "otto@contoso.com"),
    Interaction(
      user: "{ username: paul@contoso.com, newPassword: Fake-New-Password-2 }", outcome: "success",
      screens: ["username", "password", "changePassword", "consent"], username: "paul@contoso.com"),
    Interaction(
      user: "paul@contoso.com", outcome: "userCanceled", code: "AADSTS50055",
      screens: ["username", "password", "changePassword"]),
    Interaction(
      user: "dora@contoso.com", outcome: "userCanceled", code: "AADSTS50057",
      screens: ["username", "password", "error"]),
    Interaction(
      user: "nora@adatum.com", outcome: "userCanceled", code: "AADSTS90094",
      screens: ["username", "password", "adminApproval"]),
    Interaction(
      user: "pat@outlook.com", outcome: "success", screens: ["username", "password", "consent"],
      username: "pat@outlook.com"),
  ]

  @Test(arguments: interactions) func userBehaviorDeterminesTheOutcome(interaction: Interaction) async throws {
    let harness = try RunHarness(environment: ["OTTO": "JBSWY3DPEHPK3PXP"])
    let outcome = try await harness.run(
      steps: "- interactive", "settings: Settings.yaml\nuser: \(interaction.user)")
    #expect(outcome.ending == interaction.outcome)
    #expect(outcome.path == ["interactive.\(interaction.outcome)"])
    let facts = outcome.facts("interactive")
    #expect(facts["screens"]?.array?.compactMap(\.string) == interaction.screens)
    #expect(facts["error"]?["code"]?.string == interaction.code)
    #expect(outcome.record.interactions == 1)
    if interaction.outcome == "success" {
      #expect(facts["account"]?["username"]?.string == interaction.username)
    } else {
      #expect(outcome.events(.tokenAcquired).isEmpty)
      #expect(outcome.record.requests["token"] == nil)
    }
  }

  @Test func usesOneEntryPerInteractionAndThenRepeatsTheLastEntry() async throws {
    let outcome = try await RunHarness().run(
      steps: """
        - { id: first, interactive: {}, on: { userCanceled: next } }
        - { id: second, interactive: {} }
        - { id: third, interactive: { prompt: login } }
        """, "settings: Settings.yaml\nuser: [{ cancels: true }, {}]")
    #expect(outcome.path == ["first.userCanceled", "second.success", "third.success"])
    #expect(outcome.record.interactions == 3)
  }

  @Test func aStepsUserOverridesTheDocumentsUser() async throws {
    let outcome = try await RunHarness().run(
      steps: "- { interactive: {}, user: { mfa: deny } }\n",
      "settings: Settings.yaml\nuser: { username: mona@contoso.com }")
    #expect(outcome.facts("interactive")["error"]?["code"]?.string == "AADSTS500121")
  }

  @Test func delaysAdvanceTheVirtualClock() async throws {
    let harness = try RunHarness()
    let outcome = try await harness.run(steps: "- interactive", "settings: Settings.yaml\nuser: { delay: 90s }")
    #expect(outcome.ending == "success")
    #expect((outcome.finished("interactive")["milliseconds"]?.number ?? 0) >= 90_000)
  }

  @Test func failsImmediatelyWithoutABrowser() async throws {
    let outcome = try await RunHarness().run(steps: "- interactive", hasBrowser: false)
    #expect(outcome.path == ["interactive.noViewController"])
    #expect(outcome.facts("interactive")["error"]?["description"]?.string?.contains("no browser available") == true)
  }

  @Test func selectsAmongSeveralAccounts() async throws {
    let harness = try RunHarness()
    let outcome = try await harness.run(
      steps: """
        - { id: megan, interactive: {}, user: megan@contoso.com, capture: { m: $.account.identifier } }
        - { id: alex, interactive: { prompt: selectAccount }, user: { username: alex@contoso.com, picks: another } }
        - { id: meganAgain, silent: { account: "${m}" }, expect: { account.username: megan@contoso.com } }
        - { id: alexAgain, silent: { account: alex@contoso.com }, expect: { account.username: alex@contoso.com } }
        - { id: out, signout: { account: megan@contoso.com } }
        - listAccounts
        - { id: gone, silent: { account: megan@contoso.com }, on: { error: next } }
        - { id: still, silent: { account: alex@contoso.com }, expect: { tokenSource: cache } }
        """)
    #expect(
      outcome.path == [
        "megan.success", "alex.success", "meganAgain.success", "alexAgain.success", "out.success",
        "listAccounts.found", "gone.interactionRequired", "still.success",
      ])
    #expect(outcome.facts("listAccounts")["$"]?.array?.count == 1)
  }
}
