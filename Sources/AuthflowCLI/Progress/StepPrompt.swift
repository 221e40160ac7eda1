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

/// What `run --step` asks before each step, and what it answers: why the run is here, and what is there for the next step.
final class StepPrompt: Sendable {
  private struct State: Sendable {
    /// What happened since the last step was let go.
    var events: [TraceEvent] = []
    /// Steps that are about to begin, with why.
    var rules: [String: String] = [:]
    /// Whether the user wants to be asked no more.
    var goesOn = false
  }

  private let session: Session
  private let workflow: WorkflowWalkthrough
  private let assembly: RunBuilder
  private let state = Mutex(State())

  init(_ workflow: Workflow, assembly: RunBuilder, in session: Session) {
    self.workflow = WorkflowWalkthrough(workflow)
    self.assembly = assembly
    self.session = session
  }

  /// Hears everything that the trace hears.
  func hear(_ event: TraceEvent) {
    state.withLock { state in
      if event.kind == .stepStarted, let step = event.members["step"]?.string {
        state.rules[step] = event.members["rule"]?.string
      } else {
        state.events.append(event)
      }
    }
  }

  /// Asks until the user lets the step go, or stops the run.
  func mayPerform(_ step: String) async -> Bool {
    while !state.withLock({ $0.goesOn }) {
      session.world.console.write("next: \(CaretFrame.visible(step))  [Enter, or ? for help] ", to: .error)
      guard let line = await session.world.console.readLine() else {
        session.printStatus("")
        return false
      }
      switch Answer(line) {
      case .next:
        state.withLock { $0.events = [] }
        return true
      case .go: state.withLock { $0.goesOn = true }
      case .quit: return false
      case .why: session.printStatus(why(step))
      case .now: session.printStatus(now(step))
      case .cache: session.printStatus(cache())
      case .help: session.printStatus(Self.help)
      case .unknown: session.printStatus("\"\(CaretFrame.visible(line))\" is no answer.\n\(Self.help)")
      }
    }
    return true
  }

  private enum Answer {
    case next, go, quit, why, now, cache, help, unknown

    /// A word or its beginning, so that one letter will do.
    init(_ line: String) {
      let word = line.lowercased().filter { !$0.isWhitespace }
      let words: [(String, Answer)] = [
        ("why", .why), ("now", .now), ("whatnow", .now), ("cache", .cache), ("go", .go), ("quit", .quit),
        ("help", .help),
      ]
      self = word.isEmpty ? .next : word == "?" ? .help : words.first { $0.0.hasPrefix(word) }?.1 ?? .unknown
    }
  }

  private static let help = """
      Enter   performs the step
      why     what happened since the step before, with every check, request and change of the cache
      now     what the step does, who is signed in with which tokens, and where each outcome leads
      cache   the token cache, record by record, the secrets masked
      go      performs this and all further steps
      quit    ends the run here
    One letter will do.
    """

  private var style: TerminalStyle { session.style(for: .error) }

  // MARK: Why

  private func why(_ step: String) -> String {
    let (events, rule) = state.withLock { ($0.events, $0.rules[step]) }
    var story = TerminalRunReport(style: style, detail: .verbose)
    let told = events.filter { $0.kind != .runStarted }.map { story.tell($0) }.joined() + story.rest()
    return told + style.wrap("next is \(step): \(rule ?? "the first step")", indent: 0, hanging: 2, tone: .strong)
  }

  // MARK: What now

  private func now(_ step: String) -> String {
    var text = ""
    if let known = workflow.steps.first(where: { $0.id == step }) {
      text += style.wrap(
        "\(known.kind): \(known.description ?? known.does)", indent: 0, hanging: 2, tone: .strong)
      for line in known.details { text += style.wrap(line, indent: 2, hanging: 2) }
      for way in known.ways {
        let outcomes = way.isRest ? "anything else" : way.outcomes.joined(separator: ", ")
        text += style.wrap("\(style.unicode ? "→" : "->") \(outcomes): \(way.leads)", indent: 2, hanging: 2)
      }
    } else {
      text += style.wrap("a step of a workflow that is used by this one", indent: 0)
    }
    let rendering = CacheRendering(style: style)
    for listing in listings() {
      text += rendering.accounts(listing, listing.accounts(onlyClient: nil, all: false), isKept: false)
    }
    return text
  }

  private func cache() -> String {
    let rendering = CacheRendering(style: style)
    return listings().map { rendering.records($0) }.joined(separator: "\n")
  }

  /// The caches of the apps that take part; apps of one keychain group share theirs.
  private func listings() -> [CacheListing] {
    assembly.stores.compactMap { name, store in
      guard let contents = try? UnifiedTokenCache(store: store).contents() else { return nil }
      return CacheListing(contents, place: name, exists: true, now: assembly.world.clock.now)
    }
  }
}
