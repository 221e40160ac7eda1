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

/// `authflow learn N`: the chapter's text, its demonstrations as they are run, and the files of its exercise.
struct ChapterRunner {
  let session: Session
  let shelf: LearningStore
  let chapter: Chapter
  let format: OutputFormat

  private var text: LearnText { LearnText(style: session.style(for: .output)) }

  func perform() async throws(ExitStatus) {
    switch format {
    case .json: try await tellJSON()
    case .text: try await printText()
    }
  }

  // MARK: On a terminal

  private func printText() async throws(ExitStatus) {
    session.printLine(text.heading(chapter))
    var pauses = PagePauses(session)
    for page in pages {
      for part in page { try await tell(part) }
      guard await pauses.goOn() else {
        if Task.isCancelled { throw .interrupted }
        session.printStatus("The exercise waits: authflow learn \(chapter.number) shows the chapter again.")
        return
      }
    }
    session.printLine(text.exercise(chapter, try shelf.write(chapter)))
  }

  /// What is shown at once: a text, with the demonstrations that follow it.
  private var pages: [[Chapter.Part]] {
    chapter.parts.reduce(into: []) { pages, part in
      if case .text = part { pages.append([]) }
      if pages.isEmpty { pages.append([]) }
      pages[pages.count - 1].append(part)
    }
  }

  private func tell(_ part: Chapter.Part) async throws(ExitStatus) {
    switch part {
    case .text(let words): session.printLine(text.paragraphs(words))
    case .workflow: session.printLine(text.listing(chapter.shownWorkflow))
    case .demonstration(let name):
      let shown = try await run(name)
      session.printLine(text.demonstration(name, given: shown.given) + "\n" + text.indented(shown.story))
    }
  }

  // MARK: Demonstrations

  private struct Shown {
    var given: [String]
    var story: String
    var path: [String]
    var outcome: String
  }

  private func run(_ name: String) async throws(ExitStatus) -> Shown {
    guard let test = chapter.demonstration(name) else {
      session.printStatus("error: the demonstration \"\(name)\" of chapter \(chapter.number) cannot be run")
      throw .usageError
    }
    let story = Mutex((story: TerminalRunReport(style: text.inner, detail: .normal), text: "", hasBegun: false))
    let report = await test.run(in: session.world, tool: "authflow \(Version.text)") { event in
      story.withLock { state in
        // What was given stands above in a line each; the story begins with the first step.
        state.hasBegun = state.hasBegun || event.kind == .stepStarted
        if state.hasBegun { state.text += state.story.tell(Self.simplified(event)) }
      }
    }
    guard !Task.isCancelled else { throw .interrupted }
    return Shown(
      // A sitting without anything special is an empty line.
      given: ScenarioSetupText.lines(test.scenario).filter { $0 != "user: " }, story: story.withLock { $0.text },
      path: report.result?.path ?? [],
      outcome: report.result?.outcome ?? "")
  }

  /// The event without the key of a cache entry, which is longer than a newcomer's patience.
  private static func simplified(_ event: TraceEvent) -> TraceEvent {
    guard let reason = event.members["reason"]?.string else { return event }
    var event = event
    event.members["reason"] = .string(reason.replacing(/[^ ]+-accesstoken-[^ ]+-/, with: ""))
    return event
  }

  // MARK: JSON

  private func tellJSON() async throws(ExitStatus) {
    var parts: [JSON] = []
    for part in chapter.parts {
      switch part {
      case .text(let words): parts.append(["kind": "text", "paragraphs": .array(words.paragraphs.map { .string($0) })])
      case .workflow: parts.append(["kind": "workflow", "text": .string(chapter.shownWorkflow)])
      case .demonstration(let name):
        let shown = try await run(name)
        parts.append([
          "kind": "demonstration", "name": .string(name), "given": .array(shown.given.map { .string($0) }),
          "path": .array(shown.path.map { .string($0) }), "outcome": .string(shown.outcome),
          "story": .array(shown.story.split(separator: "\n").map { .string(String($0)) }),
        ])
      }
    }
    let written = try shelf.write(chapter)
    var json = chapter.summaryJSON
    json["parts"] = .array(parts)
    json["exercise"] = [
      "task": .string(chapter.exercise.task), "files": .array(written.map(\.json)),
      "check": .string("authflow learn \(chapter.number) --check"),
    ]
    session.printLine(json.text(pretty: true), as: .json)
  }
}

/// Waits between the pages of a chapter, where a user reads them on a terminal.
private struct PagePauses {
  private let session: Session
  private var isWatched: Bool
  private var hasAnswered = false

  init(_ session: Session) {
    self.session = session
    isWatched =
      session.world.console.isTerminal(.output) && session.world.console.isTerminal(.error)
      && session.world.environment["CI"] == nil
  }

  /// - Returns: whether to go on. Where nobody can answer, everything is shown at once.
  mutating func goOn() async -> Bool {
    guard isWatched else { return !Task.isCancelled }
    session.world.console.write("\n[Enter goes on, q leaves] ", to: .error)
    guard let answer = await session.world.console.readLine() else {
      session.world.console.write("\n", to: .error)
      isWatched = false
      return !hasAnswered && !Task.isCancelled
    }
    hasAnswered = true
    return !answer.lowercased().hasPrefix("q")
  }
}
