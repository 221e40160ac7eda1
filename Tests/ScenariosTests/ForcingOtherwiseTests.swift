import Documents
import Scenarios
import TestSupport
import Testing
import WorkflowModel
import WorkflowRunner

/// Where the plainest way cannot be gone, another is found without a scenario of the workflow's own that shows it.
@Suite struct ForcingOtherwiseTests {
  private static func path(
    _ entry: String, in paths: [ExplorationResult.Path]
  ) throws -> ExplorationResult.Path {
    try #require(paths.first { $0.way.entry == entry }, "\(entry) is no way")
  }

  /// What a step lets happen comes first, and is undone.
  @Test func whatTheWorkflowLetsHappenIsUndone() async throws {
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

  /// A name that was given up is given back before it is looked for.
  @Test func whoIsRenamedGetsTheOldNameBack() async throws {
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

  /// Who forgot the password has a new one when asked for it; everything later can then go wrong too.
  @Test func whoForgotThePasswordSetsANewOne() async throws {
    let whole = String(decoding: try ProjectFiles.bytes(of: "Workflows/b2c.yaml"), as: UTF8.self)
    let start = try #require(whole.firstRange(of: "\nauthflow: 1\n")).upperBound
    let end = try #require(whole.firstRange(of: "\nscenarios:")).lowerBound
    let scene = try OutcomeStrategiesTests.Loaded(String(whole[start..<end]))
    let exploration = Exploration(scene.loaded.workflow)
    let paths = await scene.explorer.prove(exploration)
    for entry in ["resetPassword.success", "resetPassword.invalidState", "resetPassword.invalidResponse"] {
      let path = try Self.path(entry, in: paths)
      #expect(path.proof == .proven, "\(entry): \(path.proof)")
    }
    var tally = CoverageTally(exploration.workflow)
    for path in paths { tally.take(path.transitions) }
    #expect(tally.report.all.isWhole)
  }

  /// Of two who are there, one goes; and what comes a second time on a detour is forced a second time.
  @Test func peopleLeaveAndDetoursRepeat() async throws {
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
    let again = try #require(paths.first { $0.way.entry == "callGraph.claimsChallenge" && $0.way.to == "failure" })
    #expect(again.proof == .proven, "\(again.proof)")
  }

  /// An app sees an account that another signed in: it goes when that one's does.
  @Test func theAccountOfAnotherAppLeaves() async throws {
    let scene = try OutcomeStrategiesTests.Loaded(
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
    let paths = await scene.explorer.prove(Exploration(scene.loaded.workflow))
    let path = try Self.path("loadAccount.notFound", in: paths)
    #expect(path.proof == .proven, "\(path.proof)")
  }

  /// Where a success is what fails, the written scenario says so in words that validate.
  @Test func aSuccessThatFailsIsExpectedAsAFailure() async throws {
    let (_, paths, _) = try await OutcomeStrategiesTests.explored(
      "[{interactive: {}}, {silent: {}, on: {success: fail}}]", entries: ["silent.success"])
    let path = try Self.path("silent.success", in: paths)
    #expect(path.proof == .proven)
    #expect(path.scenario?["expect"]?["outcome"] == "failed")
  }

  /// Reasons are those of the step, also where it asks for what another asked for.
  @Test func whatAFallbackInheritsExplainsIt() async throws {
    let (_, paths, _) = try await OutcomeStrategiesTests.explored(
      "[{silent: {scopes: [https://graph.microsoft.com/.default]}}, {interactive-fallback: {}}]",
      entries: ["interactive-fallback.serverDeclinedScopes"])
    let path = try Self.path("interactive-fallback.serverDeclinedScopes", in: paths)
    guard case .notForced(let reason, _) = path.proof else { return #expect(Bool(false), "\(path.proof)") }
    #expect(reason.hasPrefix("with .default nothing is asked for by name"))
  }
}
