import Diagnostics
import Documents
import Effects
import Reports
import RunTrace
import Trust

/// `authflow report A --compare B`: compares two traces, or the traces with the same name in two folders.
struct TraceComparison {
  let session: Session
  let left: String
  let right: String
  /// The path of the HTML page, or nil to show the comparison on the terminal.
  let html: String?

  private let progress = ReportProgressReporter()

  init(session: Session, left: String, right: String, html: String?) {
    self.session = session
    self.left = left
    self.right = right
    self.html = html
  }

  /// - Throws: `.failed` if the runs differ, or another status if a file cannot be read or written.
  func perform() async throws(ExitStatus) {
    let names = (left: left, right: right)
    let region = LiveRegion(in: session, lines: progress.lines)
    let files = try files()
    progress.update { $0.begin(traces: files.count) }
    let results = await region.showingProgress { read(files) }
    guard !Task.isCancelled else { throw .interrupted }
    var pairs: [ComparisonPage.Pair] = []
    for (file, left, right) in results {
      let runs = (try run(of: left), try run(of: right))
      let scenario = (runs.0 ?? runs.1)?.scenario?.name
      pairs.append(ComparisonPage.Pair(name: scenario ?? FilePath.name(of: file), left: runs.0, right: runs.1))
    }
    let compared = pairs.map { ($0, $0.comparison) }
    let different = compared.filter { $0.1?.parting != nil || $0.1 == nil }
    if let html {
      progress.write(html)
      let tool = "authflow \(Version.text)"
      let page = await region.showingProgress { ComparisonPage(pairs, names: names, tool: tool).html() }
      if html == "-" { session.printLine(page, as: .data) } else { try session.write(page, to: html) }
    } else {
      show(pairs.count == 1 ? compared : different, names)
      if pairs.count > 1 { session.printLine("\(different.count) of \(pairs.count.counting("run")) differ") }
    }
    if !different.isEmpty { throw .failed }
  }

  private func show(
    _ compared: [(ComparisonPage.Pair, RunComparison?)], _ names: (left: String, right: String)
  ) {
    let style = session.style(for: .output)
    for (pair, comparison) in compared {
      session.printLine(style.shown(style.paint(CaretFrame.visible(pair.name), .strong)))
      if let comparison {
        session.printLine(ComparisonText.render(comparison, names: names, style: style))
      } else {
        session.printLine("only in \(CaretFrame.visible(pair.left == nil ? right : left))\n")
      }
    }
  }

  // MARK: Reading

  private typealias ReadTrace = Result<TraceReadResult, UnreadableFile>

  /// Returns the pairs of files with the same name. One file of a pair can be missing.
  private func files() throws(ExitStatus) -> [(name: String, left: String?, right: String?)] {
    guard isFolder(left) || isFolder(right) else { return [(left, left, right)] }
    guard isFolder(left), isFolder(right) else {
      throw session.report(.usageError, "cannot compare a trace with a folder", help: "pass two traces or two folders")
    }
    let (first, second) = (Set(try traces(in: left)), Set(try traces(in: right)))
    guard !first.isEmpty || !second.isEmpty else {
      throw session.report(
        .usageError, "no traces in \(CaretFrame.visible(left)) and \(CaretFrame.visible(right))",
        help: "write the traces with `authflow test --trace FOLDER`")
    }
    return first.union(second).sorted().map { name in
      (name, first.contains(name) ? "\(left)/\(name)" : nil, second.contains(name) ? "\(right)/\(name)" : nil)
    }
  }

  private func isFolder(_ path: String) -> Bool { session.world.files.kind(of: path) == .directory }

  private func traces(in folder: String) throws(ExitStatus) -> [String] {
    do throws(FileFailure) {
      return try session.world.files.list(folder).filter { $0.hasSuffix(".jsonl") }
    } catch {
      throw session.report(.usageError, error.explanation)
    }
  }

  /// Reads the traces. If the task is canceled, the result is incomplete.
  private func read(
    _ files: [(name: String, left: String?, right: String?)]
  ) -> [(name: String, left: ReadTrace?, right: ReadTrace?)] {
    var results: [(name: String, left: ReadTrace?, right: ReadTrace?)] = []
    for file in files where !Task.isCancelled {
      let (left, right) = (
        file.left.map { session.readTrace($0, progress: progress) },
        file.right.map { session.readTrace($0, progress: progress) }
      )
      results.append((file.name, left, right))
      progress.update { $0.readTrace() }
    }
    return results
  }

  private func run(of result: ReadTrace?) throws(ExitStatus) -> TracedRun? {
    guard let result else { return nil }
    return try session.tracedRun(of: result)
  }
}

extension Session {
  /// Reads a trace. The caller shows the diagnostics.
  /// - Parameters:
  ///   - path: The path, or `-` for standard input.
  ///   - progress: The progress, which counts the bytes and events read.
  ///   - onEvent: A closure that is called with each event while reading.
  func readTrace(
    _ path: String, progress: ReportProgressReporter, onEvent: ((TraceEvent) -> Void)? = nil
  ) -> Result<TraceReadResult, UnreadableFile> {
    var reader = TraceReader(named: path == "-" ? "<stdin>" : path) { event in
      progress.update { $0.readEvent() }
      onEvent?(event)
    }
    do throws(FileFailure) {
      try world.files.readPieces(of: path == "-" ? InputStreams.standardInput : path) { piece in
        progress.update { $0.read(bytes: piece.count) }
        return reader.take(piece)
      }
    } catch {
      return .failure(UnreadableFile(path: path, failure: error))
    }
    return .success(reader.finish())
  }

  /// Shows the diagnostics of a trace.
  /// - Throws: `.usageError` if the trace does not contain a run.
  func tracedRun(of result: Result<TraceReadResult, UnreadableFile>) throws(ExitStatus) -> TracedRun {
    switch result {
    case .failure(let file): show([file.diagnostic])
    case .success(let result):
      show(result.diagnostics)
      if let run = result.tracedRun { return run }
    }
    throw .usageError
  }
}
