import Diagnostics
import Documents
import Effects
import Lessons
import OrderedCollections
import Reports
import RunTrace
import Synchronization
import TokenCache
import WorkflowModel
import WorkflowRunner

/// The prompt that `run --step` shows before each step. Its commands show the previous events, the next step, and the
/// token cache.
final class StepPrompt: Sendable {
  private struct State: Sendable {
    /// The events since the previous step started.
    var events: [TraceEvent] = []
    /// The rule that selected each step, by step name.
    var rules: [String: String] = [:]
    /// Whether to perform the remaining steps without a prompt, as the user requested.
    var skipsPrompts = false
  }

  private let session: Session
  private let workflow: WorkflowWalkthrough
  private let builder: RunBuilder
  private let state = Mutex(State())

  init(_ workflow: Workflow, builder: RunBuilder, in session: Session) {
    self.workflow = WorkflowWalkthrough(workflow)
    self.builder = builder
    self.session = session
  }

  /// Records an event of the trace.
  func record(_ event: TraceEvent) {
    state.withLock { state in
      if event.kind == .stepStarted, let step = event.members["step"]?.string {
        state.rules[step] = event.members["rule"]?.string
      } else {
        state.events.append(event)
      }
    }
  }

  /// Shows the prompt until the user performs the step or stops the run.
  /// - Returns: Whether to perform the step.
  private func mayPerform(_ step: String) async -> Bool {
    while !state.withLock({ $0.skipsPrompts }) {
      session.world.console.write("next: \(CaretFrame.visible(step))  [Enter, or ? for help] ", to: .error)
      guard let line = await session.world.console.readLine() else {
        session.printStatus("")
        return false
      }
      switch Command(line) {
      case .next:
        state.withLock { $0.events = [] }
        return true
      case .go: state.withLock { $0.skipsPrompts = true }
      case .quit: return false
      case .why: session.printStatus(events(before: step))
      case .now: session.printStatus(description(of: step))
      case .cache: session.printStatus(cacheRecords())
      case .help: session.printStatus(Self.help)
      case .unknown: session.printStatus("unknown command `\(CaretFrame.visible(line))`\n\(Self.help)")
      }
    }
    return true
  }

  private enum Command {
    case next, go, quit, why, now, cache, help, unknown

    /// Parses a command. The user can abbreviate commands.
    init(_ line: String) {
      let input = line.lowercased().filter { !$0.isWhitespace }
      let names: [(String, Command)] = [
        ("why", .why), ("now", .now), ("whatnow", .now), ("cache", .cache), ("go", .go), ("quit", .quit),
        ("help", .help),
      ]
      self = input.isEmpty ? .next : input == "?" ? .help : names.first { $0.0.hasPrefix(input) }?.1 ?? .unknown
    }
  }

  private static let help = """
      Enter   perform the step
      why     show the checks, requests, and cache changes since the previous step
      now     show what the step does, where each outcome leads, and cached tokens
      cache   show the token cache records with secrets masked
      go      perform this step and all following steps without a prompt
      quit    stop the run
    You can abbreviate commands to one letter.
    """

  private var style: TerminalStyle { session.style(for: .error) }

  // MARK: The `why` command

  private func events(before step: String) -> String {
    let (events, rule) = state.withLock { ($0.events, $0.rules[step]) }
    var report = TerminalRunReport(style: style, detail: .verbose)
    let text = events.filter { $0.kind != .runStarted }.map { report.text(of: $0) }.joined() + report.rest()
    return text + style.wrap("next step: \(step): \(rule ?? "the first step")", indent: 0, hanging: 2, tone: .strong)
  }

  // MARK: The commands `now` and `cache`

  private func description(of step: String) -> String {
    var text = ""
    if let description = workflow.steps.first(where: { $0.id == step }) {
      text += style.wrap(
        "\(description.kind): \(description.description ?? description.does)", indent: 0, hanging: 2, tone: .strong)
      for line in description.details { text += style.wrap(line, indent: 2, hanging: 2) }
      for branch in description.branches {
        let arrow = style.unicode ? "→" : "->"
        text += style.wrap("\(arrow) \(branch.outcomeList): \(branch.effect)", indent: 2, hanging: 2)
      }
    } else {
      text += style.wrap("step of a workflow that this workflow uses", indent: 0)
    }
    let rendering = CacheRendering(style: style)
    for listing in listings() {
      text += rendering.accounts(listing, listing.accounts(of: nil), isSaved: false)
    }
    return text
  }

  private func cacheRecords() -> String {
    let rendering = CacheRendering(style: style)
    return listings().map { rendering.records($0) }.joined(separator: "\n")
  }

  /// Returns the apps' token caches. Apps in the same keychain group share a cache.
  private func listings() -> [CacheListing] {
    builder.stores.compactMap { name, store in
      guard let contents = try? UnifiedTokenCache(store: store).contents() else { return nil }
      return CacheListing(contents, location: name, exists: true, now: builder.world.clock.now)
    }
  }
}

extension StepPrompt: RunDebugger {
  /// Shows the prompt before each step, except before `assert`, `parallel`, and `use` steps.
  func reached(_ point: RunPoint, in run: RunInspection) async -> Bool {
    guard case .step = point, let frame = run.frames.last else { return true }
    switch frame.step.action {
    case .assert, .parallel, .use: return true
    default: return await mayPerform(frame.id)
    }
  }
}
