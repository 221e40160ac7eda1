import Documents
import Effects
import Scenarios
import SimulatedWorld
import Testing
import WorkflowModel
import WorkflowRunner

/// Every outcome of every kind of step is forced by a scenario that was run, or stands in the list of those that nothing
/// on the emulated platform brings about.
@Suite struct ForcingTests {
  static func explored(
    _ steps: String, files: [String: String] = [:]
  ) async throws -> (exploration: Exploration, paths: [ExplorationRecord.Path], loaded: LoadedWorkflow) {
    var all = ["Settings.yaml": Array(ScenarioScene.settings.utf8)]
    all["w.yaml"] = Array("authflow: 1\nsettings: Settings.yaml\nsteps: \(steps)\n".utf8)
    for (name, text) in files { all[name] = Array(text.utf8) }
    let simulation = Simulation(
      seed: "explore", files: MemoryFileSystem(all, workingDirectory: "/app"), workingDirectory: "/app")
    let files = simulation.files
    let load: @Sendable (String, ReadingOptions) -> Reading = { path, options in
      guard let bytes = try? files.read(path, limit: 1 << 24) else { return Reading(document: nil, diagnostics: []) }
      return DocumentReader.read(bytes, named: path, options: options)
    }
    let loaded = try #require(LoadedWorkflow.read("w.yaml", load: load).loaded)
    let exploration = Exploration(loaded.workflow)
    let explorer = Explorer("w.yaml", load: load, world: simulation.world, jobs: 4, tool: "tests")
    return (exploration, await explorer.prove(exploration), loaded)
  }

  /// What cannot be forced, by step; everything else must be.
  static let beyond: [String: Set<String>] = [
    "interactive": [
      "workplaceJoinRequired", "interactiveSessionAlreadyRunning", "noViewController",
      "mdmEnrollmentCompletedNeedsRetry",
    ],
    "deviceCode": ["userCanceled"],
    "deviceInfo": ["brokerNotAvailable"],
    "assert": ["broken"],
    "signout": [
      "interactionRequired", "serverProtectionPoliciesRequired", "userCanceled",
      "serverInvalidRequestResetPasswordRequired", "invalidScope", "invalidClient", "failedAuthorityValidation",
      "invalidResponse", "unhandledResponse", "invalidRequest", "invalidGrant", "unauthorizedClient",
      "authorizationFailed", "serverError", "noViewController",
    ],
  ]

  @Test(arguments: [
    "[loadAccount, silent, interactive-fallback, callGraph: /me]",
    "[{deviceCode: {}, timeout: 30m}, {assert: {deviceCode.outcome: success}}]",
    "[loadAccount, signout]",
    "[listAccounts, deviceInfo, {happens: [keysRotated]}, {wait: 1d}]",
    "[interactive, {id: both, together: [{callGraph: /me}, {callGraph: /me/events}]}]",
  ])
  func everyOutcomeIsForcedOrKnownToBeBeyondReach(steps: String) async throws {
    let (exploration, paths, _) = try await Self.explored(steps)
    #expect(paths.count == exploration.ways.count)
    for path in paths {
      switch path.proof {
      case .proven:
        let known = Self.beyond[path.way.step.kind.key]?.contains(path.way.outcome.name) ?? false
        #expect(!known, "\(path.name) is proven, so it is not beyond reach")
        #expect(path.scenario != nil)
        #expect(!path.transitions.isEmpty)
      case .notForced(let why, let actual):
        let known = Self.beyond[path.way.step.kind.key]?.contains(path.way.outcome.name) ?? false
        #expect(known, "\(path.name): \(why); instead \(actual)")
        #expect(!why.isEmpty)
      case .differs, .notTried: Issue.record("\(path.name): \(path.proof)")
      }
    }
  }

  /// Where the plainest way cannot be gone, a scenario of the workflow's own shows how far one can come.
  @Test func whatTheWorkflowsOwnScenariosKnowIsUsed() async throws {
    let steps = """
      [{happens: [signedOut]}, loadAccount, silent, {signout: {}}]
      scenarios:
        signed in meanwhile:
          matrix:
            - before: {loadAccount: [signedIn: adele@contoso.com]}
              expect: {path: [happens.success, loadAccount.found, silent.success, signout.success]}
      """
    let (_, paths, _) = try await Self.explored(steps)
    let offline = try #require(paths.first { $0.way.entry == "silent.offline" })
    #expect(offline.proof == .proven)
    #expect(offline.way.entries == ["happens.success", "loadAccount.found", "silent.offline"])
    #expect(offline.scenario?["before"]?["loadAccount"] == [["signedIn": "adele@contoso.com"]])
    #expect(paths.first { $0.way.entry == "silent.invalidScope" }?.proof == .proven)
  }

  @Test func whatIsWrittenCoversEverything() async throws {
    let (exploration, paths, loaded) = try await Self.explored(
      "[loadAccount, silent, interactive-fallback, {callGraph: /me, on: {throttled: end}}]")
    let chosen = MissingScenarios.choose(from: paths, of: exploration.workflow, covered: [])
    var tally = CoverageTally(exploration.workflow)
    for path in chosen { tally.take(path.transitions) }
    #expect(tally.report.all.isWhole)
    #expect(chosen.count <= tally.report.all.total)
    // Each adds something: with all of them taken already, none is left to choose.
    #expect(
      MissingScenarios.choose(from: paths, of: exploration.workflow, covered: chosen.map(\.transitions)).isEmpty)
    let bytes = try MissingScenarios.append(chosen, to: loaded.workflow.document)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("authflow: 1\nsettings: Settings.yaml\n"))
    #expect(text.contains("  callGraph ends in throttled:\n"))
    #expect(DocumentReader.read(bytes, named: "w.yaml").document?.root["scenarios"]?.count == chosen.count)
  }
}
