import Documents
import OrderedCollections
import Synchronization
import Testing
import WorkflowModel
import WorkflowRunner

@Suite struct DebuggerTests {
  @Test("reports steps, outcomes, and expectations in order")
  func reportsPoints() async throws {
    let debugger = RecordingDebugger()
    let outcome = try await RunHarness().run(
      steps: """
        - deviceInfo
        - id: check
          assert: { deviceInfo.outcome: success }
        - id: page
          interactive: { scopes: [User.Read] }
          expect: { account.username: megan@contoso.com }
        - id: leave
          when: { page.outcome: userCanceled }
          signout: {}
        """, debugger: debugger)
    #expect(outcome.ending == "success")
    #expect(
      debugger.points == [
        "deviceInfo", "deviceInfo.success -> check", "check", "check expects deviceInfo.outcome",
        "check.holds -> page", "page", "page expects account.username", "page.success -> leave",
        "leave.skipped -> success",
      ])
  }

  @Test("reports nested workflows and members of `parallel` with their enclosing steps")
  func reportsFrames() async throws {
    let debugger = RecordingDebugger()
    _ = try await RunHarness().run(
      steps: """
        - id: login
          use: inner.yaml
        - parallel: [deviceInfo, deviceInfo]
        """,
      files: ["inner.yaml": "authflow: 1\nsettings: Settings.yaml\nsteps: [deviceInfo]\n"], debugger: debugger)
    #expect(
      debugger.points == [
        "login", "login/deviceInfo < login", "login/deviceInfo.success -> success < login",
        "login.success -> parallel", "parallel", "deviceInfo#1 < parallel", "deviceInfo#2 < parallel",
        "deviceInfo#1.success < parallel", "deviceInfo#2.success < parallel", "parallel.success -> success",
      ])
  }

  @Test("shows the state at each point, even if the machine has continued")
  func showsState() async throws {
    let results = Mutex<[String]>([])
    let debugger = RecordingDebugger { point, run in
      guard case .step = point else { return true }
      results.withLock { $0.append("\(run.frames.last?.id ?? ""): \(run.facts.runs.keys.joined(separator: " "))") }
      return true
    }
    _ = try await RunHarness().run(
      steps: """
        - deviceInfo
        - id: first
          assert: { deviceInfo.outcome: success }
        - id: second
          assert: { first.outcome: holds }
        """, debugger: debugger)
    #expect(
      results.withLock { $0 } == ["deviceInfo: ", "first: deviceInfo", "second: deviceInfo first"])
  }

  @Test("ends the run if the debugger does not continue it")
  func endsRun() async throws {
    let debugger = RecordingDebugger { point, run in
      if case .outcome(.notFound, _) = point { false } else { true }
    }
    let outcome = try await RunHarness().run(steps: "- loadAccount\n- interactive", debugger: debugger)
    #expect(outcome.ending == "stopped")
    #expect(outcome.path == ["loadAccount.notFound"])
  }

  @Test("simulates events while the run is suspended")
  func simulatesEvents() async throws {
    let debugger = RecordingDebugger { point, run in
      guard case .step = point, run.frames.last?.id == "page" else { return true }
      let events = ScriptedEvent.parse("offline").events
      try? await run.simulate(events ?? [], in: run.frames.last)
      return true
    }
    let outcome = try await RunHarness().run(steps: "- deviceInfo\n- id: page\n  interactive: {}", debugger: debugger)
    #expect(outcome.ending == "offline")
  }
}

/// A debugger that records the points that a run reaches.
final class RecordingDebugger: RunDebugger {
  private let recorded = Mutex<[String]>([])
  private let continues: @Sendable (RunPoint, RunInspection) async -> Bool

  init(_ continues: @escaping @Sendable (RunPoint, RunInspection) async -> Bool = { _, _ in true }) {
    self.continues = continues
  }

  var points: [String] { recorded.withLock { $0 } }

  func reached(_ point: RunPoint, in run: RunInspection) async -> Bool {
    let id = run.frames.last?.id ?? "scenario"
    var text: String
    switch point {
    case .step: text = id
    case .outcome(let outcome, let transition): text = "\(id).\(outcome)" + (transition.map { " -> \($0.to)" } ?? "")
    case .expectation(let result): text = "\(id) expects \(result.subject)"
    }
    for frame in run.frames.dropLast().reversed() { text += " < \(frame.id)" }
    recorded.withLock { [text] in $0.append(text) }
    return await continues(point, run)
  }
}
