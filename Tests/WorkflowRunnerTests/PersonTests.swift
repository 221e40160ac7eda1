import Documents
import RunTrace
import Testing
import WorkflowRunner

/// Who sits at the keyboard decides how a sign-in ends.
@Suite struct UserBehaviorTests {
  struct Sitting: Sendable, CustomTestStringConvertible {
    /// The language's `user`.
    var user: String
    var outcome: String
    /// The page's or the server's code.
    var code: String?
    var screens: [String]
    var username = "megan@contoso.com"

    var testDescription: String { user }
  }

  static let sittings: [Sitting] = [
    Sitting(user: "megan@contoso.com", outcome: "success", screens: ["username", "password", "consent"]),
    Sitting(user: "{}", outcome: "success", screens: ["username", "password", "consent"]),
    Sitting(
      user: "{ username: megan@contoso.com, password: wrong-password }", outcome: "userCanceled",
      code: "AADSTS50126", screens: ["username", "password", "password"]),
    Sitting(
      user: "nobody@contoso.com", outcome: "userCanceled", code: "AADSTS50034", screens: ["username", "username"]),
    Sitting(user: "{ cancels: true }", outcome: "userCanceled", screens: ["username"]),
    Sitting(user: "{ cancels: consent }", outcome: "userCanceled", screens: ["username", "password", "consent"]),
    Sitting(user: "{ cancels: mfa }", outcome: "success", screens: ["username", "password", "consent"]),
    Sitting(
      user: "{ consent: decline }", outcome: "userCanceled", code: "AADSTS65004",
      screens: ["username", "password", "consent"]),
    Sitting(
      user: "mona@contoso.com", outcome: "success", screens: ["username", "password", "mfa", "consent"],
      username: "mona@contoso.com"),
    Sitting(
      user: "{ username: mona@contoso.com, mfa: deny }", outcome: "userCanceled", code: "AADSTS500121",
      screens: ["username", "password", "mfa", "error"]),
    Sitting(
      user: "{ username: mona@contoso.com, mfa: ignore }", outcome: "userCanceled",
      screens: ["username", "password", "mfa"]),
    Sitting(
      user: "otto@contoso.com", outcome: "success", screens: ["username", "password", "mfa", "consent"],
      username: "otto@contoso.com"),
    Sitting(
      user: "{ username: otto@contoso.com, mfa: { totp: \"${secret:OTTO}\" } }", outcome: "success",
      screens: ["username", "password", "mfa", "consent"], username: "otto@contoso.com"),
    Sitting(
      user: "{ username: paul@contoso.com, newPassword: Fake-New-Password-2 }", outcome: "success",
      screens: ["username", "password", "changePassword", "consent"], username: "paul@contoso.com"),
    Sitting(
      user: "paul@contoso.com", outcome: "userCanceled", code: "AADSTS50055",
      screens: ["username", "password", "changePassword"]),
    Sitting(
      user: "dora@contoso.com", outcome: "userCanceled", code: "AADSTS50057",
      screens: ["username", "password", "error"]),
    Sitting(
      user: "nora@adatum.com", outcome: "userCanceled", code: "AADSTS90094",
      screens: ["username", "password", "adminApproval"]),
    Sitting(
      user: "pat@outlook.com", outcome: "success", screens: ["username", "password", "consent"],
      username: "pat@outlook.com"),
  ]

  @Test(arguments: sittings) func aSittingEndsAsItMust(sitting: Sitting) async throws {
    let scene = try RunScene(environment: ["OTTO": "JBSWY3DPEHPK3PXP"])
    let outcome = try await scene.run(
      steps: "- interactive", "settings: Settings.yaml\nuser: \(sitting.user)")
    #expect(outcome.ending == sitting.outcome)
    #expect(outcome.path == ["interactive.\(sitting.outcome)"])
    let facts = outcome.facts("interactive")
    #expect(facts["screens"]?.array?.compactMap(\.string) == sitting.screens)
    #expect(facts["error"]?["code"]?.string == sitting.code)
    #expect(outcome.record.interactions == 1)
    if sitting.outcome == "success" {
      #expect(facts["account"]?["username"]?.string == sitting.username)
    } else {
      #expect(outcome.events(.tokenAcquired).isEmpty)
      #expect(outcome.record.requests["token"] == nil)
    }
  }

  @Test func aListOfSittingsIsUsedOneByOneAndTheLastRepeats() async throws {
    let outcome = try await RunScene().run(
      steps: """
        - { id: first, interactive: {}, on: { userCanceled: next } }
        - { id: second, interactive: {} }
        - { id: third, interactive: { prompt: login } }
        """, "settings: Settings.yaml\nuser: [{ cancels: true }, {}]")
    #expect(outcome.path == ["first.userCanceled", "second.success", "third.success"])
    #expect(outcome.record.interactions == 3)
  }

  @Test func theStepsUserIsLaidOverTheDocuments() async throws {
    let outcome = try await RunScene().run(
      steps: "- { interactive: {}, user: { mfa: deny } }\n",
      "settings: Settings.yaml\nuser: { username: mona@contoso.com }")
    #expect(outcome.facts("interactive")["error"]?["code"]?.string == "AADSTS500121")
  }

  @Test func whoIsSlowTakesVirtualTime() async throws {
    let scene = try RunScene()
    let outcome = try await scene.run(steps: "- interactive", "settings: Settings.yaml\nuser: { delay: 90s }")
    #expect(outcome.ending == "success")
    #expect((outcome.finished("interactive")["milliseconds"]?.number ?? 0) >= 90_000)
  }

  @Test func withoutAWindowTheStepSaysSoAtOnce() async throws {
    let outcome = try await RunScene().run(steps: "- interactive", hasBrowser: false)
    #expect(outcome.path == ["interactive.noViewController"])
    #expect(outcome.facts("interactive")["error"]?["description"]?.string?.contains("no window here") == true)
  }

  @Test func severalAccountsStayApart() async throws {
    let scene = try RunScene()
    let outcome = try await scene.run(
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
