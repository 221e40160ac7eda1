import Documents
import Effects
import Scenarios
import SimulatedWorld
import Synchronization
import Testing
import WorkflowModel
import WorkflowRunner

/// Every outcome of every kind of step is forced by a scenario that was run, or stands in the list of those that nothing
/// on the emulated platform brings about.
@Suite struct OutcomeStrategiesTests {
  /// A workflow as it is loaded from files in memory.
  struct Loaded {
    let loaded: LoadedWorkflow
    let load: @Sendable (String, ReadingOptions) -> ReadResult
    let world: World

    /// - Parameter text: everything behind `authflow: 1`, which names the settings or brings its own.
    init(_ text: String, files: [String: String] = [:]) throws {
      var all = ["Settings.yaml": Array(ScenarioScene.settings.utf8)]
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

  /// - Parameter entries: proves only the ways to these entries, and to entries on these ways; all by default.
  static func explored(
    _ steps: String, entries: Set<String> = []
  ) async throws -> (exploration: Exploration, paths: [ExplorationResult.Path], loaded: LoadedWorkflow) {
    let scene = try Loaded("settings: Settings.yaml\nsteps: \(steps)\n")
    var exploration = Exploration(scene.loaded.workflow)
    if !entries.isEmpty {
      let needed = entries.union(exploration.ways.filter { entries.contains($0.entry) }.flatMap(\.entries))
      exploration.ways.removeAll { !needed.contains($0.entry) }
    }
    return (exploration, await scene.explorer.prove(exploration), scene.loaded)
  }

  /// What cannot be forced, by step; everything else must be.
  static let beyond: [String: Set<String>] = [
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
      case .notForced(let reason, let actual):
        let known = Self.beyond[path.way.step.kind.key]?.contains(path.way.outcome.name) ?? false
        #expect(known, "\(path.name): \(reason); instead \(actual)")
        #expect(!reason.isEmpty)
      case .differs, .notTried: Issue.record("\(path.name): \(path.proof)")
      }
    }
  }

  /// Where the plainest way cannot be gone, a scenario of the workflow's own shows how far one can come.
  @Test func whatTheWorkflowsOwnScenariosKnowIsUsed() async throws {
    let steps = """
      [{simulate: [signedOut]}, loadAccount, silent, {signout: {}}]
      scenarios:
        signed in meanwhile:
          matrix:
            - before: {loadAccount: [signedIn: adele@contoso.com]}
              expect: {path: [simulate.success, loadAccount.found, silent.success, signout.success]}
      """
    let (_, paths, _) = try await Self.explored(steps, entries: ["silent.offline", "silent.invalidScope"])
    let offline = try #require(paths.first { $0.way.entry == "silent.offline" })
    #expect(offline.proof == .proven)
    #expect(offline.way.entries == ["simulate.success", "loadAccount.found", "silent.offline"])
    #expect(offline.scenario?["before"]?["loadAccount"] == [["signedIn": "adele@contoso.com"]])
    #expect(paths.first { $0.way.entry == "silent.invalidScope" }?.proof == .proven)
  }

  /// A run that skipped the step shows nothing of how to come to it.
  @Test func whatIsBehindAConditionIsReachedByAnotherWayToEndSo() async throws {
    let steps = """
      [{interactive: {}, on: {error: reset}}, {wait: 1s, on: {success: end}},
       {id: reset, interactive: {prompt: selectAccount}, when: {interactive.error.code: AADSTS65004}, on: {skipped: fail}}]
      """
    let (_, paths, _) = try await Self.explored(steps, entries: ["reset.offline", "reset.invalidScope"])
    let offline = try #require(paths.first { $0.way.entry == "reset.offline" })
    #expect(offline.proof == .proven, "\(offline.proof)")
    #expect(paths.first { $0.way.entry == "reset.invalidScope" }?.proof == .proven)
  }

  /// Where the workflow itself breaks the platform, mending it comes first.
  @Test func whatTheWorkflowBreaksIsMendedFirst() async throws {
    let steps = """
      [{simulate: [{misbehaves: missing-access-token}]}, interactive, {callGraph: /me, on: {unauthorized: end}}]
      """
    let (_, paths, _) = try await Self.explored(steps, entries: ["callGraph.forbidden"])
    let forbidden = try #require(paths.first { $0.way.entry == "callGraph.forbidden" })
    #expect(forbidden.proof == .proven, "\(forbidden.proof)")
    #expect(forbidden.scenario?["before"]?["interactive"] == ["stopsMisbehaving"])
  }

  /// Somebody who has to come or to go in the middle does.
  @Test func peopleComeAndGoInTheMiddle() async throws {
    let entries: Set = [
      "loadAccount.found", "loadAccount.ambiguousAccount", "listAccounts.notFound", "interactive.serverDeclinedScopes",
    ]
    let (_, paths, _) = try await Self.explored(
      "[{simulate: [signedOut]}, {loadAccount: {}, on: {notFound: next}}, {interactive: {scopes: [User.Read]}}, {listAccounts: {}}]",
      entries: entries)
    for entry in entries {
      let path = try #require(paths.first { $0.way.entry == entry })
      #expect(path.proof == .proven, "\(entry): \(path.proof)")
    }
  }

  @Test func aLookUpIsNeverAmbiguous() async throws {
    let (_, paths, _) = try await Self.explored("[{loadAccount: {username: megan@contoso.com}}]")
    guard case .notForced(let reason, _)? = paths.first(where: { $0.way.outcome.name == "ambiguousAccount" })?.proof
    else {
      return #expect(Bool(false))
    }
    #expect(reason.hasPrefix("only the current account can be ambiguous"))
  }

  /// What no world gives is said for what it is.
  @Test func whatOnlyADeviceMeetsIsSaidSo() async throws {
    let (_, paths, _) = try await Self.explored("[interactive, {signout: {signoutFromBrowser: true}}]")
    func reason(_ entry: String) -> String? {
      guard case .notForced(let reason, _)? = paths.first(where: { $0.way.entry == entry })?.proof else { return nil }
      return reason
    }
    #expect(reason("interactive.noViewController")?.hasPrefix("only an app on a device meets this") == true)
    #expect(reason("interactive.interactiveSessionAlreadyRunning")?.contains("parallel: [interactive") == true)
    #expect(reason("signout.invalidClient")?.contains("MSAL asks once per process") == true)
    for path in paths {
      guard case .notForced(let reason, _) = path.proof else { continue }
      #expect(reason != "nothing that was tried leads here", "\(path.name)")
    }
  }

  /// A web view of the app's own is set where the workflow leaves it open, and never where it does not.
  @Test func onlyAWebViewOfTheAppsOwnIsToldOfTheDevice() async throws {
    let (_, open, _) = try await Self.explored("[interactive]", entries: ["interactive.workplaceJoinRequired"])
    let forced = try #require(open.first { $0.way.outcome.name == "workplaceJoinRequired" })
    #expect(forced.proof == .proven)
    #expect(forced.scenario?["settings"] == ["WebviewType": "wkWebView"])
    let (_, system, _) = try await Self.explored(
      "[{interactive: {webview: authenticationSession}}]", entries: ["interactive.workplaceJoinRequired"])
    let not = try #require(system.first { $0.way.outcome.name == "workplaceJoinRequired" })
    guard case .notForced(let reason, _) = not.proof else { return #expect(Bool(false), "\(not.proof)") }
    #expect(reason.contains("webview: wkWebView"))
  }

  /// However many ask, the workflow's own scenarios are run once.
  @Test func ownScenariosAreRunOnce() async throws {
    let scene = try Loaded(
      "settings: Settings.yaml\nsteps: [{wait: 1d}]\nscenarios:\n  a:\n  b: {matrix: [{given: [{wait: 1d}]}, {given: [{wait: 2d}]}]}\n"
    )
    let runs = Mutex(0)
    var explorer = scene.explorer
    explorer.tell = { if case .ran = $0 { runs.withLock { $0 += 1 } } }
    #expect(await explorer.ownTransitions().count == 3)
    #expect(await explorer.ownTransitions().count == 3)
    #expect(runs.withLock { $0 } == 3)
  }

  /// Time is bounded, whatever the workflow: what the bound leaves out is told as not tried.
  @Test func whatTheBoundLeavesOutIsNotTried() async throws {
    let scene = try Loaded(
      "settings: Settings.yaml\nsteps: [loadAccount, silent, interactive-fallback, callGraph: /me]\n")
    var explorer = scene.explorer
    explorer.mostSteps = 12
    let paths = await explorer.prove(Exploration(scene.loaded.workflow))
    #expect(paths.contains { $0.proof == .proven })
    #expect(paths.contains { $0.proof == .notTried })
    #expect(!paths.contains { if case .notForced = $0.proof { true } else { false } })
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
