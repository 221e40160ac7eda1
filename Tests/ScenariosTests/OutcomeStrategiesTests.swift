import Documents
import Effects
import Scenarios
import SimulatedWorld
import Synchronization
import Testing
import WorkflowModel
import WorkflowRunner

/// Tests that exploration forces every outcome of every step type, except outcomes that are listed as unreachable.
@Suite struct OutcomeStrategiesTests {
  /// A workflow that is loaded from files in memory.
  struct Fixture {
    let loaded: LoadedWorkflow
    let load: @Sendable (String, ReadingOptions) -> ReadResult
    let world: World

    /// - Parameter text: The part of the document after `authflow: 1`, including the settings.
    init(_ text: String, files: [String: String] = [:]) throws {
      var all = ["Settings.yaml": Array(ScenarioHarness.settings.utf8)]
      all["w.yaml"] = Array("authflow: 1\n\(text)".utf8)
      for (name, text) in files { all[name] = Array(text.utf8) }
      let simulation = Simulation(
        seed: "explore", files: MemoryFileSystem(all, workingDirectory: "/app"), workingDirectory: "/app")
      let files = simulation.files
      world = simulation.world
      load = { path, options in
        guard let bytes = try? files.read(path, limit: 1 << 24) else {
          return ReadResult(document: nil, diagnostics: [])
        }
        return DocumentReader.read(bytes, named: path, options: options)
      }
      loaded = try #require(LoadedWorkflow.read("w.yaml", load: load).loaded)
    }

    var explorer: Explorer { Explorer(loaded, load: load, world: world, jobs: 4, tool: "tests") }
  }

  /// - Parameter entries: The path entries to explore. By default, all entries are explored.
  static func explored(
    _ steps: String, entries: Set<String> = []
  ) async throws -> (exploration: Exploration, paths: [ExplorationResult.Path], loaded: LoadedWorkflow) {
    let fixture = try Fixture("settings: Settings.yaml\nsteps: \(steps)\n")
    var exploration = Exploration(fixture.loaded.workflow)
    if !entries.isEmpty {
      let needed = entries.union(exploration.paths.filter { entries.contains($0.entry) }.flatMap(\.entries))
      exploration.paths.removeAll { !needed.contains($0.entry) }
    }
    return (exploration, await fixture.explorer.prove(exploration), fixture.loaded)
  }

  /// The outcomes that scenarios cannot force, by step type.
  static let unreachable: [String: Set<String>] = [
    "interactive": ["interactiveSessionAlreadyRunning", "noViewController"],
    "assert": ["violated"],
    "signout": ["interactiveSessionAlreadyRunning", "noViewController"],
    "parallel": ["noViewController"],
  ]

  @Test(arguments: [
    "[loadAccount, silent, interactive-fallback, callGraph: /me]",
    "[{deviceCode: {}, timeout: 30m}, {assert: {deviceCode.outcome: success}}]",
    "[loadAccount, signout]",
    "[loadAccount, {signout: {signoutFromBrowser: true}}]",
    "[loadAccount, {signout: {signoutFromBrowser: true}, timeout: 2m}]",
    "[loadAccount, {silent: {}, timeout: 20s}, {interactive-fallback: {}, timeout: 10m}, {callGraph: /me, timeout: 30s}]",
    "[listAccounts, deviceInfo, {simulate: [keysRotated]}, {wait: 1d}]",
    "[interactive, {id: both, parallel: [{callGraph: /me}, {callGraph: /me/events}]}]",
    "[{id: both, parallel: [interactive, {id: again, interactive: {}}], on: {interactiveSessionAlreadyRunning: end}}]",
    "[{interactive: {webview: wkWebView}}]",
  ])
  func forcesEveryReachableOutcome(steps: String) async throws {
    let (exploration, paths, _) = try await Self.explored(steps)
    #expect(paths.count == exploration.paths.count)
    for path in paths {
      switch path.proof {
      case .proven:
        let isUnreachable =
          Self.unreachable[path.explored.step.kind.key]?.contains(path.explored.outcome.name.rawValue) ?? false
        #expect(!isUnreachable, "\(path.name) is proven, so it is reachable")
        #expect(path.scenario != nil)
        #expect(!path.transitions.isEmpty)
      case .unproven(let reason, let actual):
        let isUnreachable =
          Self.unreachable[path.explored.step.kind.key]?.contains(path.explored.outcome.name.rawValue) ?? false
        #expect(isUnreachable, "\(path.name): \(reason); instead \(actual)")
        #expect(!reason.isEmpty)
      case .differs, .notTried: Issue.record("\(path.name): \(path.proof)")
      }
    }
  }

  /// If the shortest path is impossible, a scenario in the workflow provides the preconditions.
  @Test func usesPreconditionsOfExistingScenarios() async throws {
    let steps = """
      [{simulate: [signedOut]}, loadAccount, silent, {signout: {}}]
      scenarios:
        signed in during the run:
          matrix:
            - before: {loadAccount: [signedIn: adele@contoso.com]}
              expect: {path: [simulate.success, loadAccount.found, silent.success, signout.success]}
      """
    let (_, paths, _) = try await Self.explored(steps, entries: ["silent.offline", "silent.invalidScope"])
    let offline = try #require(paths.first { $0.explored.entry == "silent.offline" })
    #expect(offline.proof == .proven)
    #expect(offline.explored.entries == ["simulate.success", "loadAccount.found", "silent.offline"])
    #expect(offline.scenario?["before"]?["loadAccount"] == [["signedIn": "adele@contoso.com"]])
    #expect(paths.first { $0.explored.entry == "silent.invalidScope" }?.proof == .proven)
  }

  /// A path that skips the step cannot force the step's outcomes.
  @Test func reachesConditionalStepsThroughOtherErrors() async throws {
    let steps = """
      [{interactive: {}, on: {error: reset}}, {wait: 1s, on: {success: end}},
       {id: reset, interactive: {prompt: selectAccount}, when: {interactive.error.code: AADSTS65004}, on: {skipped: fail}}]
      """
    let (_, paths, _) = try await Self.explored(steps, entries: ["reset.offline", "reset.invalidScope"])
    let offline = try #require(paths.first { $0.explored.entry == "reset.offline" })
    #expect(offline.proof == .proven, "\(offline.proof)")
    #expect(paths.first { $0.explored.entry == "reset.invalidScope" }?.proof == .proven)
  }

  @Test func stopsMisbehaviorsOfTheWorkflow() async throws {
    let steps = """
      [{simulate: [{misbehaves: missing-access-token}]}, interactive, {callGraph: /me, on: {unauthorized: end}}]
      """
    let (_, paths, _) = try await Self.explored(steps, entries: ["callGraph.forbidden"])
    let forbidden = try #require(paths.first { $0.explored.entry == "callGraph.forbidden" })
    #expect(forbidden.proof == .proven, "\(forbidden.proof)")
    #expect(forbidden.scenario?["before"]?["interactive"] == ["stopsMisbehaving"])
  }

  @Test func signsAccountsInAndOutDuringARun() async throws {
    let entries: Set = [
      "loadAccount.found", "loadAccount.ambiguousAccount", "listAccounts.notFound", "interactive.serverDeclinedScopes",
    ]
    let (_, paths, _) = try await Self.explored(
      "[{simulate: [signedOut]}, {loadAccount: {}, on: {notFound: next}}, {interactive: {scopes: [User.Read]}}, {listAccounts: {}}]",
      entries: entries)
    for entry in entries {
      let path = try #require(paths.first { $0.explored.entry == entry })
      #expect(path.proof == .proven, "\(entry): \(path.proof)")
    }
  }

  @Test func aNamedAccountIsNeverAmbiguous() async throws {
    let (_, paths, _) = try await Self.explored("[{loadAccount: {username: megan@contoso.com}}]")
    guard
      case .unproven(let reason, _)? = paths.first(where: { $0.explored.outcome.name == .ambiguousAccount })?.proof
    else {
      return #expect(Bool(false))
    }
    #expect(reason.hasPrefix("only the current account can be ambiguous"))
  }

  @Test func explainsUnreachableOutcomes() async throws {
    let (_, paths, _) = try await Self.explored("[interactive, {signout: {signoutFromBrowser: true}}]")
    func reason(_ entry: String) -> String? {
      guard case .unproven(let reason, _)? = paths.first(where: { $0.explored.entry == entry })?.proof else {
        return nil
      }
      return reason
    }
    #expect(reason("interactive.noViewController")?.contains("only if the app's window closes") == true)
    #expect(reason("interactive.interactiveSessionAlreadyRunning")?.contains("parallel: [interactive") == true)
    #expect(reason("signout.invalidClient")?.contains("an earlier step in the process") == true)
    for path in paths {
      guard case .unproven(let reason, _) = path.proof else { continue }
      #expect(reason != "no tried scenario reaches this outcome", "\(path.name)")
    }
  }

  /// The scenario sets an embedded web view only if the workflow does not set another web view.
  @Test func choosesAnEmbeddedWebViewForWorkplaceJoin() async throws {
    let (_, open, _) = try await Self.explored("[interactive]", entries: ["interactive.workplaceJoinRequired"])
    let forced = try #require(open.first { $0.explored.entry == "interactive.workplaceJoinRequired" })
    #expect(forced.proof == .proven)
    #expect(forced.scenario?["settings"] == ["WebviewType": "wkWebView"])
    let (_, system, _) = try await Self.explored(
      "[{interactive: {webview: authenticationSession}}]", entries: ["interactive.workplaceJoinRequired"])
    let unreachable = try #require(system.first { $0.explored.entry == "interactive.workplaceJoinRequired" })
    guard case .unproven(let reason, _) = unreachable.proof else {
      return #expect(Bool(false), "\(unreachable.proof)")
    }
    #expect(reason.contains("webview: wkWebView"))
  }

  @Test func runsExistingScenariosOnce() async throws {
    let fixture = try Fixture(
      "settings: Settings.yaml\nsteps: [{wait: 1d}]\nscenarios:\n  a:\n  b: {matrix: [{given: [{wait: 1d}]}, {given: [{wait: 2d}]}]}\n"
    )
    let runs = Mutex(0)
    var explorer = fixture.explorer
    explorer.onProgress = { if case .ran = $0 { runs.withLock { $0 += 1 } } }
    #expect(await explorer.ownTransitions().count == 3)
    #expect(await explorer.ownTransitions().count == 3)
    #expect(runs.withLock { $0 } == 3)
  }

  @Test func reportsPathsBeyondTheStepLimitAsNotTried() async throws {
    let fixture = try Fixture(
      "settings: Settings.yaml\nsteps: [loadAccount, silent, interactive-fallback, callGraph: /me]\n")
    var explorer = fixture.explorer
    explorer.mostSteps = 12
    let paths = await explorer.prove(Exploration(fixture.loaded.workflow))
    #expect(paths.contains { $0.proof == .proven })
    #expect(paths.contains { $0.proof == .notTried })
    #expect(!paths.contains { if case .unproven = $0.proof { true } else { false } })
  }

  @Test func chosenScenariosCoverTheWorkflow() async throws {
    let (exploration, paths, loaded) = try await Self.explored(
      "[loadAccount, silent, interactive-fallback, {callGraph: /me, on: {throttled: end}}]")
    let chosen = MissingScenarios.choose(from: paths, of: exploration.workflow, covered: [])
    var tally = CoverageTally(exploration.workflow)
    for path in chosen { tally.record(path.transitions) }
    #expect(tally.report.all.isComplete)
    #expect(chosen.count <= tally.report.all.total)
    // Each selected path increases coverage. If everything is covered, no path is selected.
    #expect(
      MissingScenarios.choose(from: paths, of: exploration.workflow, covered: chosen.map(\.transitions)).isEmpty)
    let bytes = try MissingScenarios.append(chosen, to: loaded.workflow.document)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("authflow: 1\nsettings: Settings.yaml\n"))
    #expect(text.contains("  callGraph ends in throttled:\n"))
    #expect(DocumentReader.read(bytes, named: "w.yaml").document?.root["scenarios"]?.count == chosen.count)
  }
}
