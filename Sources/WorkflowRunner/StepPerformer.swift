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

/// Performs one step at a time, or several at the same time, and says what became of each.
struct StepPerformer: Sendable {
  let workflow: Workflow
  let setup: RunSetup
  let trace: TraceRecorder
  let apps: OrderedDictionary<String, AppClient>
  /// The app's own way to the platform, to Graph and to its APIs.
  let transport: TracingTransport
  private let tally = RequestCounter()
  let browser: RunBrowser
  let chronicle = PlatformBaseline()

  /// - Throws: where an app's public client cannot be made at all.
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
    let browser = RunBrowser { user in setup.browser(user, pageTransport) }
    self.browser = browser
    // All apps of a run share what MSAL keeps once per process.
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

  /// The folders that the workflow may read from.
  var projectRoots: ProjectRoots { ProjectRoots(of: [workflow.document.source.name], in: setup.world) }

  /// Requests since counting began: as the platform counts them where it tells, else as they were sent.
  func requests(toldBy platform: JSON?) -> [String: Int] {
    guard let counted = platform?["requests"] else { return chronicle.since(tally.byTarget) }
    return chronicle.since(
      ["token", "authorize", "graph"].reduce(into: [:]) { counts, name in
        counts[name] = counted[name]?.integer.map { Int(clamping: $0) }
      })
  }

  /// What is given has happened; from here on it is the workflow's doing.
  func startCounting() async {
    browser.startCounting()
    chronicle.start(at: requests(toldBy: await platformState()))
  }

  /// The usernames of the accounts that are left, each once.
  var accounts: [String] {
    var names: OrderedSet<String> = []
    for app in apps.values { names.formUnion((try? app.application.accounts())?.map(\.username) ?? []) }
    return Array(names)
  }

  func perform(_ performance: StepInvocation, facts: StepFacts) async -> StepReport {
    await TraceRecorder.$step.withValue(performance.id) {
      let seat = UserBehaviorProvider(seat(for: performance))
      return await RunBrowser.$seat.withValue(seat) {
        if let delay = performance.delay {
          do { try await setup.world.clock.sleep(for: delay) } catch { return StepReport("timedOut") }
        }
        let report = await bounded(performance)
        // The step had a browser without its user, so its own outcome means nothing.
        return known(seat.failure.map(unresolved) ?? report, performance.step)
      }
    }
  }

  /// The report, with an outcome of the step's closed set: the error keeps the name of what is beyond it.
  private func known(_ report: StepReport, _ step: Step) -> StepReport {
    guard step.kind.outcome(named: report.outcome) == nil else { return report }
    let outcome = ["unexpected", "invalidParameter"].first { step.kind.outcome(named: $0) != nil }
    guard let outcome else { return report }
    // Who interrupts the run learns that it was interrupted, and nothing else.
    if Task.isCancelled { return StepReport(outcome, facts: report.facts) }
    trace.recordDecision(
      "outcome", "unknown", reason: "\(step.spelling) has no outcome \(report.outcome); it counts as \(outcome)")
    return StepReport(outcome, facts: report.facts)
  }

  /// Who sits down during this step: its own `user` over those of the steps that use its workflow, over the run's, over
  /// the document's. A workflow that another one uses has the caller's user.
  func seat(for performance: StepInvocation) -> UserBehaviorProvider.Occupant {
    seat((callers(of: performance.id) + [performance.step]).map(\.user), performance.scope)
  }

  /// Who sits down where nothing but these layers says more than the run does.
  func seat(_ nearer: [UserBehaviors?], _ scope: ValueScope) -> UserBehaviorProvider.Occupant {
    let layers = [workflow.user, setup.user] + nearer
    let sittings =
      layers.reduce(nil as UserBehaviors?) { below, layer in layer.map { $0.over(below) } ?? below } ?? UserBehaviors()
    return { sitting throws(UnresolvedValue) in try ResolvedUserBehavior(sittings[sitting], in: scope) }
  }

  /// The steps that use the workflow in which this one stands, the outermost first.
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

  /// Keeps the step's `timeout`.
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
      trace.recordDecision("timeout", "over", reason: "it took \(words(took)), the step's timeout is \(words(timeout))")
      return StepReport("timedOut")
    case .canceling:
      return await withTaskGroup(of: StepReport?.self) { group in
        group.addTask { await self.report(performance) }
        group.addTask {
          do { try await clock.sleep(for: timeout) } catch { return nil }
          return StepReport("timedOut")
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        if first?.outcome == "timedOut" {
          trace.recordDecision("timeout", "over", reason: "the step's timeout of \(words(timeout)) is over")
        }
        return first ?? StepReport("timedOut")
      }
    }
  }

  /// A length as the language writes it: `2h`.
  func words(_ length: Duration) -> String { DurationText.write(length) }

  private func report(_ performance: StepInvocation) async -> StepReport {
    guard let app = app(for: performance) else { return StepReport("invalidParameter") }
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
          events, EventContext(scope: performance.scope, seat: seat(for: performance), app: app))
      // The machine performs these by itself.
      case .assert, .use, .parallel: return StepReport("unexpected")
      }
    } catch {
      return unresolved(error)
    }
  }

  /// The report of a step that lacks a value.
  private func unresolved(_ value: UnresolvedValue) -> StepReport {
    let reason = value.message + (value.help.map { "; \($0)" } ?? "")
    trace.recordDecision("value", "unresolved", reason: reason)
    return StepReport(
      "invalidParameter", facts: ["error": ["msal": "invalidParameter", "description": .string(reason)]])
  }

  /// The app that the step names, else the nearest step that uses its workflow, else the first.
  private func app(for performance: StepInvocation) -> AppClient? {
    let named = ([performance.step] + callers(of: performance.id).reversed()).lazy.compactMap { $0.client?.value }
    guard let name = named.first else { return apps.values.first }
    return apps[name]
  }
}
