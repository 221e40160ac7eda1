import Documents
import Scenarios
import TestSupport
import Testing
import WorkflowModel
import WorkflowRunner

/// Tests that exploration finds another path to an outcome if the shortest path is impossible, even if no scenario
/// takes the other path.
@Suite struct AlternativePathTests {
  private static func path(
    _ entry: String, in paths: [ExplorationResult.Path]
  ) throws -> ExplorationResult.Path {
    try #require(paths.first { $0.explored.entry == entry }, "no path ends in \(entry)")
  }

  /// The scenarios undo the events of a `simulate` step.
  @Test func undoesEventsOfTheWorkflow() async throws {
    let (_, paths, _) = try await OutcomeStrategiesTests.explored(
      """
      [{id: signIn, interactive: {prompt: login}}, {simulate: [{policyAdded: {name: New password, require: passwordChange}}]},
       {silent: {forceRefresh: true}}, {interactive-fallback: {}}]
      """, entries: ["silent.success", "silent.serverDeclinedScopes", "interactive-fallback.skipped"])
    for entry in ["silent.success", "silent.serverDeclinedScopes"] {
      let path = try Self.path(entry, in: paths)
      #expect(path.proof == .proven, "\(entry): \(path.proof)")
      #expect(path.scenario?.text().contains(#"{"policyRemoved":"New password"}"#) == true, "\(entry)")
    }
    #expect(try Self.path("interactive-fallback.skipped", in: paths).proof == .proven)
  }

  /// The scenario restores a released username before a step needs it.
  @Test func restoresAChangedUsername() async throws {
    let (_, paths, loaded) = try await OutcomeStrategiesTests.explored(
      """
      [{id: signIn, interactive: {}}, {simulate: [{usernameChanged: {to: megan.bowen@contoso.com}}]},
       {silent: {forceRefresh: true}}, {loadAccount: {username: "${upn}"}, on: {notFound: next, found: fail}}]
      inputs: {upn: {type: string, default: megan@contoso.com}}
      """, entries: ["loadAccount.found"])
    let found = try Self.path("loadAccount.found", in: paths)
    #expect(found.proof == .proven, "\(found.proof)")
    #expect(found.scenario?["expect"]?["outcome"] == "found")
    let bytes = try MissingScenarios.append([found], to: loaded.workflow.document)
    #expect(DocumentReader.read(bytes, named: "w.yaml").document?.root["scenarios"]?.count == 1)
  }

  /// A user who forgot the password has a new password, so later steps can also fail.
  @Test func signsInWithTheNewPasswordAfterAReset() async throws {
    let text = String(decoding: try ProjectFiles.bytes(of: "Workflows/b2c.yaml"), as: UTF8.self)
    let start = try #require(text.firstRange(of: "\nauthflow: 1\n")).upperBound
    let end = try #require(text.firstRange(of: "\nscenarios:")).lowerBound
    let fixture = try OutcomeStrategiesTests.Fixture(String(text[start..<end]))
    let exploration = Exploration(fixture.loaded.workflow)
    let paths = await fixture.explorer.prove(exploration)
    for entry in ["resetPassword.success", "resetPassword.invalidState", "resetPassword.invalidResponse"] {
      let path = try Self.path(entry, in: paths)
      #expect(path.proof == .proven, "\(entry): \(path.proof)")
    }
    var tally = CoverageTally(exploration.workflow)
    for path in paths { tally.record(path.transitions) }
    #expect(tally.report.all.isComplete)
  }

  /// If a step runs twice because of a detour, exploration forces each run separately.
  @Test func signsOutOneOfTwoAccounts() async throws {
    let (_, paths, _) = try await OutcomeStrategiesTests.explored(
      """
      [{simulate: [signedOut]},
       {id: first, interactive: {prompt: selectAccount}, user: megan@contoso.com, capture: {megan: $.account.identifier}},
       {id: second, interactive: {prompt: selectAccount}, user: {username: alex@contoso.com, picks: another}},
       {loadAccount: {}, on: {ambiguousAccount: next}}, {silent: {account: "${megan}"}}, {callGraph: /me}]
      """, entries: ["loadAccount.found", "callGraph.claimsChallenge"])
    let found = try Self.path("loadAccount.found", in: paths)
    #expect(found.proof == .proven, "\(found.proof)")
    #expect(found.scenario?["before"]?["loadAccount"]?[0]?["signedOut"] != nil)
    let challenge = try #require(
      paths.first { $0.explored.entry == "callGraph.claimsChallenge" && $0.explored.to == "failure" })
    #expect(challenge.proof == .proven, "\(challenge.proof)")
  }

  /// The app can use an account that is signed in to another app, so the scenario signs the account out of that app.
  @Test func signsOutAccountsOfOtherApps() async throws {
    let fixture = try OutcomeStrategiesTests.Fixture(
      """
      clients:
        mail: {AppId: 11111111-2222-4333-8444-555555555555, GraphScopes: [Mail.Read], BundleId: com.contoso.mail}
        notes: {AppId: 66666666-7777-4888-8999-aaaaaaaaaaaa, GraphScopes: [User.Read], BundleId: com.contoso.notes}
      directory: {extends: contoso, directory: 1, device: shared, registersOnTheFly: true}
      steps:
        - {interactive: {prompt: selectAccount}, client: mail}
        - {loadAccount: {}, client: notes}
        - {interactive-fallback: {}, client: notes}
      """)
    let paths = await fixture.explorer.prove(Exploration(fixture.loaded.workflow))
    let path = try Self.path("loadAccount.notFound", in: paths)
    #expect(path.proof == .proven, "\(path.proof)")
  }

  /// The transition after the step, not the step's outcome, determines the expected result.
  @Test func expectsAFailureIfASuccessHasTheTargetFail() async throws {
    let (_, paths, _) = try await OutcomeStrategiesTests.explored(
      "[{interactive: {}}, {silent: {}, on: {success: fail}}]", entries: ["silent.success"])
    let path = try Self.path("silent.success", in: paths)
    #expect(path.proof == .proven)
    #expect(path.scenario?["expect"]?["outcome"] == "failed")
  }

  @Test func considersInheritedScopesInReasons() async throws {
    let (_, paths, _) = try await OutcomeStrategiesTests.explored(
      "[{silent: {scopes: [https://graph.microsoft.com/.default]}}, {interactive-fallback: {}}]",
      entries: ["interactive-fallback.serverDeclinedScopes"])
    let path = try Self.path("interactive-fallback.serverDeclinedScopes", in: paths)
    guard case .unproven(let reason, _) = path.proof else { return #expect(Bool(false), "\(path.proof)") }
    #expect(reason.hasPrefix("a request for `.default` has no scopes"))
  }
}
