import Diagnostics
import Documents
import Effects
import Lessons
import OrderedCollections
import Reports
import RunTrace
import Scenarios
import Synchronization
import WorkflowModel
import WorkflowRunner

/// Shows the text of a chapter, runs its demonstrations, and writes the files of its exercise.
struct ChapterRunner {
  let session: Session
  let store: LearningStore
  let chapter: Chapter
  let format: OutputFormat

  private var text: LearnText { LearnText(style: session.style(for: .output)) }

  func perform() async throws(ExitStatus) {
    switch format {
    case .json: try await printJSON()
    case .text: try await printText()
    }
  }

  // MARK: Text

  private func printText() async throws(ExitStatus) {
    session.printLine(text.heading(chapter))
    var pauses = PagePauses(session)
    for page in pages {
      for part in page { try await show(part) }
      guard await pauses.shouldContinue() else {
        if Task.isCancelled { throw .interrupted }
        session.printStatus("Run `authflow learn \(chapter.number)` to continue with this chapter and its exercise.")
        return
      }
    }
    session.printLine(text.exercise(chapter, try store.write(chapter)))
  }

  /// The pages between pauses. Each page contains text and the workflows and demonstrations that follow it.
  private var pages: [[Chapter.Part]] {
    chapter.parts.reduce(into: []) { pages, part in
      if case .text = part { pages.append([]) }
      if pages.isEmpty { pages.append([]) }
      pages[pages.count - 1].append(part)
    }
  }

  private func show(_ part: Chapter.Part) async throws(ExitStatus) {
    switch part {
    case .text(let paragraphs): session.printLine(text.paragraphs(paragraphs))
    case .workflow: session.printLine(text.listing(chapter.shownWorkflow))
    case .demonstration(let name):
      let result = try await run(name)
      session.printLine(text.demonstration(name, setup: result.setup) + "\n" + text.indented(result.report))
    }
  }

  // MARK: Demonstrations

  private struct Demonstration {
    /// The lines that describe the scenario's preconditions.
    var setup: [String]
    /// The terminal report of the run.
    var report: String
    var path: [String]
    var outcome: String
  }

  private func run(_ name: String) async throws(ExitStatus) -> Demonstration {
    guard let test = chapter.demonstration(name) else {
      throw session.report(.usageError, "cannot run demonstration `\(name)` of chapter \(chapter.number)")
    }
    let output = Mutex(
      (report: TerminalRunReport(style: text.indentedStyle, detail: .normal), text: "", hasStarted: false))
    let result = await test.run(in: session.world, tool: "authflow \(Version.text)") { event in
      output.withLock { state in
        // The report starts with the first step, because the preconditions are listed separately.
        state.hasStarted = state.hasStarted || event.kind == .stepStarted
        if state.hasStarted { state.text += state.report.text(of: Self.simplified(event)) }
      }
    }
    guard !Task.isCancelled else { throw .interrupted }
    return Demonstration(
      // Omit the line for a user with default behavior.
      setup: ScenarioSetupText.lines(test.scenario).filter { $0 != "user: " }, report: output.withLock { $0.text },
      path: result.result?.path ?? [],
      outcome: result.result?.outcome.rawValue ?? "")
  }

  /// Shortens the reason for a decision by removing the long prefixes of cache keys.
  private static func simplified(_ event: TraceEvent) -> TraceEvent {
    guard let reason = event.members["reason"]?.string else { return event }
    var event = event
    event.members["reason"] = .string(reason.replacing(/[^ ]+-accesstoken-[^ ]+-/, with: ""))
    return event
  }

  // MARK: JSON

  private func printJSON() async throws(ExitStatus) {
    var parts: [JSON] = []
    for part in chapter.parts {
      switch part {
      case .text(let text): parts.append(["kind": "text", "paragraphs": .array(text.paragraphs.map { .string($0) })])
      case .workflow: parts.append(["kind": "workflow", "text": .string(chapter.shownWorkflow)])
      case .demonstration(let name):
        let result = try await run(name)
        parts.append([
          "kind": "demonstration", "name": .string(name), "given": .array(result.setup.map { .string($0) }),
          "path": .array(result.path.map { .string($0) }), "outcome": .string(result.outcome),
          "report": .array(result.report.split(separator: "\n").map { .string(String($0)) }),
        ])
      }
    }
    let files = try store.write(chapter)
    var json = chapter.summaryJSON
    json["parts"] = .array(parts)
    json["exercise"] = [
      "task": .string(chapter.exercise.task), "files": .array(files.map(\.json)),
      "check": .string("authflow learn \(chapter.number) --check"),
    ]
    session.printJSON(json)
  }
}

/// The pauses between the pages of a chapter on a terminal.
private struct PagePauses {
  private let session: Session
  private var isInteractive: Bool
  private var hasAnswered = false

  init(_ session: Session) {
    self.session = session
    isInteractive =
      session.world.console.isTerminal(.output) && session.world.console.isTerminal(.error)
      && session.world.environment["CI"] == nil
  }

  /// Waits until the user presses Enter. If there is no terminal, returns immediately.
  /// - Returns: Whether to continue with the next page.
  mutating func shouldContinue() async -> Bool {
    guard isInteractive else { return !Task.isCancelled }
    session.world.console.write("\n[Enter to continue, q to quit] ", to: .error)
    guard let answer = await session.world.console.readLine() else {
      session.world.console.write("\n", to: .error)
      isInteractive = false
      return !hasAnswered && !Task.isCancelled
    }
    hasAnswered = true
    return !answer.lowercased().hasPrefix("q")
  }
}
