import Diagnostics
import Effects
import Reports

/// A task that watch mode repeats: running a workflow or scenarios.
protocol WatchedWork: Sendable {
  /// The files that the task depends on.
  var files: WatchedFiles { get }
  /// The exit status if the user ends watch mode now.
  var status: ExitStatus { get }
  /// The task's own keys and their effects, such as `r` and `run`. Excludes `q`, which every task supports.
  var keys: [(key: Character, effect: String)] { get }

  /// Reads the changed files.
  /// - Returns: Whether the workflow or any scenarios need to run.
  func reload() async -> Bool
  /// Runs the workflow or the affected scenarios. If canceled, the next round runs the scenarios that did not finish.
  func run() async
  /// Performs the task's action for a key and returns how watch mode continues.
  func press(_ key: Character) async -> WatchReaction
  /// Processes the line that the user entered after `WatchReaction.ask`.
  func enter(_ line: String) async -> WatchReaction
  /// The line that describes the observed files while watch mode waits.
  var summary: String { get }
}

/// The way that watch mode continues after a key or an entered line.
enum WatchReaction: Sendable {
  case none
  /// Runs the workflow or the affected scenarios.
  case run
  /// Reads a line with this prompt.
  case ask(String)
}

/// The loop that performs a task, and repeats it when its files change, until the user presses `q` or Ctrl-C.
struct WatchLoop: Sendable {
  let session: Session
  let system: WatchSystem

  /// The time between two comparisons of file revisions if there is no watcher.
  private static let interval = Duration.milliseconds(50)
  /// The time between two comparisons if there is a watcher. Watchers do not work on all file systems.
  private static let slowInterval = Duration.seconds(1)
  /// How long files must remain unchanged before they are read. Some editors save in several steps.
  private static let pause = Duration.milliseconds(20)
  private static let mostPauses = 10

  /// - Throws: The task's exit status if the user ends watch mode after a failure, or `.interrupted` after Ctrl-C.
  func run(_ work: some WatchedWork) async throws(ExitStatus) {
    let hasKeys = system.beginKeys()
    defer { if hasKeys { system.endKeys() } }
    let events = WatchEvents()
    let watcher = system.openWatcher { events.hint() }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await events.poll(every: watcher == nil ? Self.interval : Self.slowInterval, on: session.world.clock)
      }
      if hasKeys { group.addTask { await events.readKeys(from: session.world.console) } }
      await handle(events, work, hasKeys: hasKeys, watcher, &group)
      group.cancelAll()
    }
    if Task.isCancelled { throw .interrupted }
    if work.status != .success { throw work.status }
  }

  /// Reports a file or folder that does not exist, because watch mode would wait forever for a misspelled name.
  static func require(_ paths: [String], in session: Session) throws(ExitStatus) {
    for path in paths where session.world.files.kind(of: path) == nil {
      throw session.report(.usageError, "no file or folder `\(path)` to watch", help: "check the path")
    }
  }

  /// Handles events until the user ends watch mode or the task is canceled.
  private func handle(
    _ events: WatchEvents, _ work: some WatchedWork, hasKeys: Bool, _ watcher: (any WatchSystem.FolderWatcher)?,
    _ group: inout TaskGroup<Void>
  ) async {
    /// The continuation that cancels the current round, or nil if no round is running.
    var stop: AsyncStream<Void>.Continuation?
    var isWanted = await reload(work, watcher)
    /// The prompt and the text of a line that the user is entering.
    var entry: (prompt: String, text: String)?
    var summary = work.summary
    if !isWanted { printSummary(work, hasKeys) }
    var iterator = events.stream.makeAsyncIterator()
    while true {
      if isWanted, stop == nil {
        isWanted = false
        let (signal, continuation) = AsyncStream<Void>.makeStream()
        stop = continuation
        group.addTask { await round(work, until: signal, events) }
      }
      guard let event = await iterator.next(isolation: #isolation), !Task.isCancelled else { break }
      var reaction = WatchReaction.none
      switch event {
      case .finished:
        stop = nil
        watcher?.watch(work.files.directories)
        if !isWanted { printSummary(work, hasKeys) }
        if let entry { prompt(entry) }
      case .mayHaveChanged:
        events.takeHint()
        if await reloadChanges(work, watcher) {
          reaction = .run
        } else if work.summary != summary, stop == nil {  // At the end of a round, the loop prints the summary.
          printSummary(work, hasKeys)
        }
        summary = work.summary
      case .key(let key):
        if var line = entry {
          entry = nil
          switch edit(&line.text, key) {
          case .typing: entry = line
          case .entered: reaction = await work.enter(line.text)
          case .canceled: printSummary(work, hasKeys)
          }
        } else if key == "q" {
          return
        } else {
          reaction = await work.press(key)
        }
      }
      switch reaction {
      case .none: break
      case .run:
        isWanted = true
        stop?.finish()
      case .ask(let text):
        entry = (text, "")
        prompt((text, ""))
      }
    }
  }

  /// Runs one round, and cancels it if `signal` finishes first.
  private func round(_ work: some WatchedWork, until signal: AsyncStream<Void>, _ events: WatchEvents) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await work.run() }
      group.addTask { for await _ in signal {} }
      await group.next()
      group.cancelAll()
    }
    events.finishRound()
  }

  /// Reads the changed files, if any.
  /// - Returns: Whether the workflow or any scenarios need to run.
  private func reloadChanges(_ work: some WatchedWork, _ watcher: (any WatchSystem.FolderWatcher)?) async -> Bool {
    guard !work.files.changes.isEmpty else { return false }
    let changes = await settle(work.files)
    guard await reload(work, watcher) else { return false }
    printChanges(changes)
    return true
  }

  private func reload(_ work: some WatchedWork, _ watcher: (any WatchSystem.FolderWatcher)?) async -> Bool {
    let hasWork = await work.reload()
    watcher?.watch(work.files.directories)
    return hasWork
  }

  /// Waits until the files no longer change.
  /// - Returns: The changed files.
  private func settle(_ files: WatchedFiles) async -> [String] {
    var changes = files.changes
    for _ in 0..<Self.mostPauses {
      guard (try? await session.world.clock.sleep(for: Self.pause)) != nil else { break }
      let now = files.changes
      if now == changes { break }
      changes = now
    }
    return changes
  }

  // MARK: The terminal

  private func printChanges(_ changes: [String]) {
    let names = changes.map { CaretFrame.visible(session.relativePath($0) ?? $0) }
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    session.printStatus("\nchanged: \(names.prefix(3).joined(separator: ", "))\(more)")
  }

  private func printSummary(_ work: some WatchedWork, _ hasKeys: Bool) {
    session.printStatus(work.summary)
    guard hasKeys else { return }
    let style = session.style(for: .error)
    let keys = (work.keys + [("q", "quit")]).map { "\(style.paint(String($0.key), .strong)) \($0.effect)" }
    session.printStatus(style.shown(keys.joined(separator: style.unicode ? " · " : ", ")))
  }

  private func prompt(_ entry: (prompt: String, text: String)) {
    session.world.console.write("\(entry.prompt)\(entry.text)", to: .error)
  }

  private enum Edit {
    case typing, entered, canceled
  }

  /// Changes a line that the user is entering and shows the change, because the terminal does not echo keys.
  private func edit(_ text: inout String, _ key: Character) -> Edit {
    let console = session.world.console
    switch key {
    case "\n", "\r", "\r\n":
      console.write("\n", to: .error)
      return .entered
    case "\u{1B}", "\u{4}":
      console.write("\n", to: .error)
      return .canceled
    case "\u{7F}", "\u{8}":
      guard let last = text.popLast() else { return .typing }
      let columns = DisplayWidth.of(last)
      let back = TerminalText.sequence("\(max(columns, 1))D", seal: session.seal)
      console.write(back + TerminalText.sequence("K", seal: session.seal), to: .error)
    default:
      text.append(key)
      console.write(CaretFrame.visible(String(key)), to: .error)
    }
    return .typing
  }
}
