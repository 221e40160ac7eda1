import AppRegistration
import Documents
import Effects
import OAuth
import OrderedCollections
import PublicClient
import RunTrace
import TokenCache
import WorkflowModel

/// The state of a suspended run. The values in this type do not contain unmasked secrets.
package struct RunInspection: Sendable {
  /// A step that is running or about to start.
  package struct Frame: Sendable {
    /// The full step ID: `silent`, `login/silent`, `silent#1`.
    package var id: String
    package var step: Step
    /// The workflow that contains the step.
    package var workflow: Workflow
    /// The prefix of the step IDs in this workflow: empty, or a prefix such as `login/`.
    package var prefix: String
  }

  /// The step and its enclosing `use` and `parallel` steps, outermost first. Empty for an expectation of the scenario.
  package let frames: [Frame]
  private let workflow: Workflow
  private let ledger: RunLedger
  private let performer: StepPerformer

  init(_ frames: [Frame], workflow: Workflow, ledger: RunLedger, performer: StepPerformer) {
    self.frames = frames
    self.workflow = workflow
    self.ledger = ledger
    self.performer = performer
  }

  /// Notifies a debugger that the run reached a point. Until the debugger returns, the timers of a virtual clock do not
  /// fire.
  /// - Returns: Whether the run continues.
  func pass(_ point: RunPoint, to debugger: any RunDebugger) async -> Bool {
    performer.setup.suspendTimers?(true)
    defer { performer.setup.suspendTimers?(false) }
    return await debugger.reached(point, in: self)
  }

  // MARK: Workflow

  /// The main workflow.
  package var mainWorkflow: Workflow { workflow }

  /// The path so far.
  package var path: [String] { ledger.path }

  /// The results of all steps.
  package var facts: StepFacts { ledger.facts }

  /// The result of the step that finished last, or nil if no step has finished.
  package var lastResult: JSON? { ledger.lastResult }

  /// Returns the context for evaluating addresses in the workflow of a frame, or in the main workflow.
  package func context(of frame: Frame?) -> EvaluationContext {
    let prefix = frame?.prefix ?? ""
    return EvaluationContext(
      facts: ledger.facts, scope: scope(at: prefix), prefix: prefix,
      stepIDs: (frame?.workflow ?? workflow).stepIDs)
  }

  private func scope(at prefix: String) -> ValueScope {
    ledger.names[prefix] ?? ValueScope(names: workflow.inputValues(performer.setup.inputs))
  }

  // MARK: Environment

  /// The current time of the run.
  package var now: Instant { performer.setup.world.clock.now }

  /// Returns the value with placeholders for all secrets.
  package func mask(_ value: JSON) -> JSON { performer.trace.mask(.outside(value)) }

  /// Returns the text with placeholders for all secrets.
  package func mask(_ text: String) -> String { performer.trace.mask(text) }

  /// The current account of each app, and the accounts in its cache.
  package var accounts: JSON {
    byApp { app in
      var json: JSON = ["current": app.account?.json ?? .null]
      do throws(MSALError) {
        json["cached"] = .array(try app.application.accounts().map(\.json))
      } catch {
        json["error"] = .string(error.message)
      }
      return json
    }
  }

  /// The claims of the cached access tokens and ID tokens.
  package var tokenClaims: JSON {
    byApp { app in
      contents(of: app) { contents in
        var claims: JSON = [:]
        for (section, name) in [(CacheSectionName.accessToken, "access token"), (.idToken, "ID token")] {
          contents.forEachEntry(section) { _, entry in
            guard let token = entry["secret"]?.string else { return }
            let subject = entry["target"]?.string ?? entry["realm"]?.string ?? ""
            claims["\(name) (\(subject))"] = UnverifiedJWT.looseClaims(of: token) ?? "not a JSON Web Token"
          }
        }
        return claims
      }
    }
  }

  /// The entries of the token caches.
  package var cacheEntries: JSON {
    byApp { app in
      contents(of: app) { contents in
        var sections: JSON = [:]
        for entry in CacheChange.traceEntries(of: contents) {
          let masked = performer.trace.mask(entry)
          guard let section = masked["section"]?.string, let key = masked["key"]?.string else { continue }
          var entries = sections[section] ?? [:]
          entries[key] = masked["entry"]
          sections[section] = entries
        }
        return sections
      }
    }
  }

  /// The emulator's state: request counts, faults, and sessions. Nil if the platform has no control interface.
  ///
  /// Access this property only from the run's task.
  package var platformState: JSON? { get async { await performer.platformState() } }

  /// The emulator's users, apps, policies, and clock. Nil if the platform has no control interface.
  ///
  /// Access this property only from the run's task.
  package var platformDirectory: JSON? { get async { await performer.platformDirectory() } }

  /// Simulates events at the current point.
  ///
  /// Call this method only from the run's task. Timers of the virtual clock fire if the events take time.
  package func simulate(_ events: [ScriptedEvent], in frame: Frame?) async throws(UnresolvedValue) {
    performer.setup.suspendTimers?(false)
    defer { performer.setup.suspendTimers?(true) }
    try await performer.bringAbout(events, before: frame?.id ?? "", scope: scope(at: frame?.prefix ?? ""))
  }

  /// Returns the value for the only app, or a mapping from app names to values.
  private func byApp(_ value: (AppClient) -> JSON) -> JSON {
    if performer.apps.count == 1, let app = performer.apps.values.first { return mask(value(app)) }
    return mask(.object(performer.apps.mapValues(value)))
  }

  private func contents(of app: AppClient, _ value: (CacheContents) -> JSON) -> JSON {
    do throws(TokenCacheFailure) {
      return value(try UnifiedTokenCache(store: app.store).contents())
    } catch {
      return ["error": .string(error.explanation)]
    }
  }
}

extension Workflow {
  /// Returns the step with this full ID and its enclosing `use` and `parallel` steps, outermost first. The list is
  /// empty if there is no such step.
  func frames(of id: String) -> [RunInspection.Frame] {
    var frames: [RunInspection.Frame] = []
    var workflow: Workflow? = self
    var prefix = ""
    for name in id.utf8.split(separator: UInt8(ascii: "/")) {
      guard let current = workflow else { return [] }
      let steps = current.steps + current.finally
      let name = String(Substring(name))
      func add(_ step: Step) {
        frames.append(RunInspection.Frame(id: prefix + step.id, step: step, workflow: current, prefix: prefix))
      }
      if let step = steps.first(where: { $0.id == name }) {
        add(step)
        if case .use(let use) = step.action { workflow = use.workflow } else { workflow = nil }
      } else if let (outer, member) = current.member(name) {
        add(outer)
        add(member)
        workflow = nil
      } else {
        return []
      }
      prefix += name + "/"
    }
    return frames
  }

  /// Returns the member of a `parallel` step that has this ID, and the `parallel` step.
  private func member(_ id: String) -> (outer: Step, member: Step)? {
    for outer in steps + finally {
      guard case .parallel(let members) = outer.action, let member = members.first(where: { $0.id == id }) else {
        continue
      }
      return (outer, member)
    }
    return nil
  }
}
