import AppRegistration
import Diagnostics
import Documents
import Effects
import OAuth
import OrderedCollections
import PublicClient
import RunTrace
import Synchronization
import Trust
import WorkflowModel

/// Executes steps and reports their outcomes.
struct StepPerformer: Sendable {
  let workflow: Workflow
  let setup: RunSetup
  let trace: TraceRecorder
  let apps: OrderedDictionary<String, AppClient>
  /// The app's transport, for the platform, Graph, and APIs.
  let transport: TracingTransport
  private let tally = RequestCounter()
  let browser: RunBrowser
  let baseline = PlatformBaseline()

  /// - Throws: An error if an app's public client cannot be created.
  init(workflow: Workflow, setup: RunSetup, trace: TraceRecorder) throws(MSALError) {
    self.workflow = workflow
    self.setup = setup
    self.trace = trace
    let world = setup.world
    transport = TracingTransport(
      world.http, sender: .app, clock: world.clock, trace: trace, tally: tally,
      context: setup.traceID.map { TraceContext(traceID: $0, randomness: world.randomness) })
    let pageTransport = TracingTransport(
      setup.pages ?? world.http, sender: .browser, clock: world.clock, trace: trace, tally: tally)
    let browser = RunBrowser { user in setup.browser(user, pageTransport, trace) }
    self.browser = browser
    // All apps in a run share MSAL's per-process state.
    let process = ClientProcess()
    var apps: OrderedDictionary<String, AppClient> = [:]
    for (name, settings) in setup.clients {
      apps[name] = try AppClient(
        settings, deviceMode: setup.deviceMode, world: world, http: transport, browser: browser,
        store: setup.store(settings), trace: trace,
        process: process)
    }
    self.apps = apps
  }

  var interactions: Int { browser.count }
  var pages: Int { browser.pageCount }

  /// The folders that the workflow can read.
  var projectRoots: ProjectRoots { ProjectRoots(of: [workflow.document.source.name], in: setup.world) }

  /// Returns the number of requests by target since counting started. If the platform does not report these numbers,
  /// the method counts only the requests that this run sent.
  func requests(reportedBy platform: JSON?) -> [String: Int] {
    guard let counted = platform?["requests"] else { return baseline.since(tally.byTarget) }
    return baseline.since(
      ["token", "authorize", "graph"].reduce(into: [:]) { counts, name in
        counts[name] = counted[name]?.integer.map { Int(clamping: $0) }
      })
  }

  /// Restarts the counts of requests and interactions, which exclude the preconditions.
  func startCounting() async {
    browser.startCounting()
    baseline.start(at: requests(reportedBy: await platformState()))
  }

  /// The usernames of the remaining accounts, without duplicates.
  var accounts: [String] {
    var names: OrderedSet<String> = []
    for app in apps.values { names.formUnion((try? app.application.accounts())?.map(\.username) ?? []) }
    return Array(names)
  }

  func perform(_ performance: StepInvocation, facts: StepFacts) async -> StepReport {
    await TraceRecorder.$step.withValue(performance.id) {
      let userBehavior = UserBehaviorProvider(userBehavior(for: performance))
      return await RunBrowser.$userBehavior.withValue(userBehavior) {
        if let delay = performance.delay {
          do { try await setup.world.clock.sleep(for: delay) } catch { return StepReport(.timedOut) }
        }
        let report = await bounded(performance)
        // If a page opened without user behavior, the outcome of the step is meaningless.
        return known(userBehavior.failure.map(unresolved) ?? report, performance.step)
      }
    }
  }

  /// Returns the report with an outcome that the step type declares. Records an undeclared outcome as a decision.
  private func known(_ report: StepReport, _ step: Step) -> StepReport {
    guard step.kind.outcome(named: report.outcome) == nil else { return report }
    let outcome = [OutcomeName.unexpected, .invalidParameter].first { step.kind.outcome(named: $0) != nil }
    guard let outcome else { return report }
    // An interrupted run reports only the interruption.
    if Task.isCancelled { return StepReport(outcome, facts: report.facts) }
    trace.recordDecision(
      "outcome", "unknown", reason: "\(step.spelling) has no outcome `\(report.outcome)`, so it counts as `\(outcome)`")
    return StepReport(outcome, facts: report.facts)
  }

  /// Returns the user behavior during a step. The step's own `user` has the highest precedence, followed by the `user`
  /// of the enclosing `use` steps, the run, and the document. A nested workflow therefore inherits the user behavior of
  /// the outer workflow.
  func userBehavior(for performance: StepInvocation) -> UserBehaviorProvider.Occupant {
    userBehavior((callers(of: performance.id) + [performance.step]).map(\.user), performance.scope)
  }

  /// Returns the run's user behavior with these overrides applied.
  func userBehavior(_ nearer: [UserBehaviors?], _ scope: ValueScope) -> UserBehaviorProvider.Occupant {
    let layers = [workflow.user, setup.user] + nearer
    let sittings =
      layers.reduce(nil as UserBehaviors?) { below, layer in layer.map { $0.over(below) } ?? below } ?? UserBehaviors()
    return { sitting throws(UnresolvedValue) in try ResolvedUserBehavior(sittings[sitting], in: scope) }
  }

  /// Returns the `use` steps that contain this step, outermost first.
  private func callers(of id: String) -> [Step] {
    var callers: [Step] = []
    var inner: Workflow? = workflow
    for name in id.utf8.split(separator: UInt8(ascii: "/")).dropLast() {
      guard let steps = inner.map({ $0.steps + $0.finally }),
        let step = steps.first(where: { $0.id.utf8.elementsEqual(name) }),
        case .use(let use) = step.action
      else { break }
      callers.append(step)
      inner = use.workflow
    }
    return callers
  }

  /// Executes the step within its `timeout`.
  private func bounded(_ performance: StepInvocation) async -> StepReport {
    guard let timeout = performance.step.timeout, performance.step.kind.usesNetwork else {
      return await report(performance)
    }
    let clock = setup.world.clock
    switch setup.timeouts {
    case .measured:
      let start = clock.now
      let report = await report(performance)
      let took = clock.now - start
      guard took > timeout else { return report }
      trace.recordDecision("timeout", "exceeded", reason: "took \(words(took)); the timeout is \(words(timeout))")
      return StepReport(.timedOut)
    case .canceling:
      return await withTaskGroup(of: StepReport?.self) { group in
        group.addTask { await self.report(performance) }
        group.addTask {
          do { try await clock.sleep(for: timeout) } catch { return nil }
          return StepReport(.timedOut)
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        if first?.outcome == .timedOut {
          trace.recordDecision("timeout", "exceeded", reason: "the timeout is \(words(timeout))")
        }
        return first ?? StepReport(.timedOut)
      }
    }
  }

  /// Returns a duration in the format of the workflow language, such as `2h`.
  func words(_ length: Duration) -> String { DurationText.write(length) }

  private func report(_ performance: StepInvocation) async -> StepReport {
    guard let app = app(for: performance) else { return StepReport(.invalidParameter) }
    do throws(UnresolvedValue) {
      switch performance.step.action {
      case .loadAccount(let step): return try loadAccount(step, performance, app)
      case .listAccounts(let step): return try listAccounts(step, performance, app)
      case .silent(let step): return try await silent(step, performance, app)
      case .interactive(let step): return try await interactive(step, performance, app)
      case .deviceCode(let step): return try await deviceCode(step, performance, app)
      case .callGraph(let step): return try await callGraph(step, performance, app)
      case .callAPI(let step): return try await callAPI(step, performance, app)
      case .signout(let step): return try await signOut(step, performance, app)
      case .deviceInfo: return deviceInfo(app)
      case .wait(let duration): return try await wait(duration, performance)
      case .simulate(let events):
        return try await simulate(
          events, EventContext(scope: performance.scope, userBehavior: userBehavior(for: performance), app: app))
      // The machine executes these steps.
      case .assert, .use, .parallel: return StepReport(.unexpected)
      }
    } catch {
      return unresolved(error)
    }
  }

  /// Returns the report for a step that has an unresolved value.
  private func unresolved(_ value: UnresolvedValue) -> StepReport {
    let reason = value.message + (value.help.map { "; \($0)" } ?? "")
    trace.recordDecision("value", "unresolved", reason: reason)
    return StepReport(
      .invalidParameter, facts: ["error": ["msal": "invalidParameter", "description": .string(reason)]])
  }

  /// Returns the app of a step. A step that does not specify an app uses the app of the nearest enclosing `use` step,
  /// or the first app.
  private func app(for performance: StepInvocation) -> AppClient? {
    let named = ([performance.step] + callers(of: performance.id).reversed()).lazy.compactMap { $0.client?.value }
    guard let name = named.first else { return apps.values.first }
    return apps[name]
  }
}
