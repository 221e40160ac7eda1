import Diagnostics
import Documents
import RunTrace

/// Reads a trace (JSON Lines) in parts. The reader reports and skips lines that are not events.
///
/// If a run was killed, the last line can be incomplete. Unknown event kinds and members, which a later version can
/// introduce, result in notes.
package struct TraceReader {
  /// The maximum size of a line, in bytes.
  package static let longestLine = 16 << 20
  /// The maximum number of findings to report individually.
  private static let mostComplaints = 20

  private let name: String
  private let heard: ((TraceEvent) -> Void)?
  private var lines = LineSplitter(limit: TraceReader.longestLine)
  private var builder = TracedRunBuilder()
  private var diagnostics: [Diagnostic] = []
  private var untold = 0
  private var events = 0
  /// Whether reading has ended, because the file is not a trace or because another run starts.
  private var isOver = false
  private var hasBytes = false
  /// Whether the file is a golden file. Golden files do not contain the program's version.
  private var isGolden = false

  /// - Parameters:
  ///   - name: The file name, which is a path or `<stdin>`.
  ///   - heard: A closure that receives each event of a known kind, in order.
  package init(named name: String, heard: ((TraceEvent) -> Void)? = nil) {
    self.name = name
    self.heard = heard
  }

  /// Reads a complete trace.
  package static func read(
    _ bytes: [UInt8], named name: String, heard: ((TraceEvent) -> Void)? = nil
  ) -> TraceReadResult {
    var reader = TraceReader(named: name, heard: heard)
    reader.take(bytes)
    return reader.finish()
  }

  /// Processes a part of the file.
  /// - Returns: Whether to continue reading.
  @discardableResult
  package mutating func take(_ piece: [UInt8]) -> Bool {
    guard !isOver else { return false }
    var splitter = lines
    lines = LineSplitter(limit: 0)
    splitter.take(piece) { take($0) }
    lines = splitter
    return !isOver
  }

  /// Processes the end of the file and returns the result.
  package mutating func finish() -> TraceReadResult {
    if !isOver, let last = lines.finish() { take(last) }
    if events == 0, !diagnostics.hasErrors {
      diagnostics = [
        Diagnostic(
          .error, rule: "no-trace", hasBytes ? "the file does not contain a run's events" : "trace is empty",
          help: Self.howToMakeOne, at: .file(name))
      ]
    }
    guard !diagnostics.hasErrors else {
      return TraceReadResult(tracedRun: nil, diagnostics: diagnostics, events: events)
    }
    if untold > 0 {
      diagnostics.append(
        Diagnostic(.warning, rule: "damaged-trace", "\(untold) more lines have similar problems", at: .file(name)))
    }
    let tracedRun = builder.finish()
    if tracedRun.ending == nil {
      diagnostics.append(
        Diagnostic(
          .note, rule: "unfinished-run", "the trace ends before the end of the run",
          help: "the run was killed or is still in progress", at: .file(name)))
    }
    return TraceReadResult(tracedRun: tracedRun, diagnostics: diagnostics, events: events)
  }

  private static let howToMakeOne = "create a trace with `authflow run FILE --trace TRACE.jsonl`"

  // MARK: Lines

  private mutating func take(_ line: LineSplitter.Line) {
    guard !isOver else { return }
    var line = line
    if line.number == 1 {
      if line.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { line.bytes.removeFirst(3) }
      if line.bytes.starts(with: [0xFF, 0xFE]) || line.bytes.starts(with: [0xFE, 0xFF]) {
        reject("trace is UTF-16, not UTF-8", help: "convert it with `iconv -f UTF-16 -t UTF-8`", line)
        return
      }
    }
    guard line.bytes.contains(where: { $0 > 0x20 }) else { return }
    hasBytes = true
    guard !line.isTooLong else {
      if events == 0 { return reject("not a trace: the first line is too long", help: Self.howToMakeOne, line) }
      reportProblem(
        .warning, "damaged-trace", "line is longer than \(Self.longestLine >> 20) MiB; skipped", line)
      return
    }
    do {
      take(try JSON(parsing: line.bytes), line)
    } catch {
      if !line.isWhole, events > 0 {
        reportProblem(
          .warning, "cut-trace", "last line is truncated; skipped", line,
          help: "the run was killed while it wrote this line")
      } else if events == 0 {
        reject("not a trace: the first line is not JSON: \(error.message)", help: Self.howToMakeOne, line)
      } else {
        reportProblem(
          .warning, "damaged-trace", "line is not JSON; skipped: \(error.message)", line, at: error.offset)
      }
    }
  }

  private mutating func take(_ json: JSON, _ line: LineSplitter.Line) {
    // The first line of a golden file identifies the scenario.
    if events == 0, json["authflow"]?.string == "golden" {
      isGolden = true
      return
    }
    let reading = TraceEventParser(json, leavesOut: isGolden ? ["tool"] : [])
    if events == 0, !reading.isEvent {
      let other =
        json["recording"] != nil
        ? "this is a recording, not a trace" : "not a trace: the first line has no `kind` or `seq`"
      let help =
        json["recording"] != nil
        ? "replay a recording with `authflow run FILE --platform replay:\(name)`" : Self.howToMakeOne
      return reject(other, help: help, line)
    }
    for flaw in reading.flaws { reportProblem(.warning, "damaged-trace", flaw, line) }
    guard let header = reading.header else { return }
    if header.kind == .runStarted || header.kind == .scenarioStarted, builder.startsAnotherRun(header.kind) {
      reportProblem(
        .warning, "second-run", "another run starts here; only the first run is read", line,
        help: "to read this run, split the file before this line")
      isOver = true
      return
    }
    events += 1
    if header.kind == nil {
      reportProblem(
        .note, "unknown-trace-event", "unknown event kind `\(header.kindName)`", line,
        help: "update authflow to read this event")
    }
    for remark in builder.take(header, reading.members) { reportProblem(.warning, "damaged-trace", remark, line) }
    if header.kind == .runStarted, let format = builder.format, format < TraceSchema.version {
      return reject(
        "trace has format \(format), but this version of authflow requires \(TraceSchema.version)",
        help: Self.howToMakeOne, line)
    }
    if header.kind == .runStarted, let format = builder.format, format > TraceSchema.version {
      reportProblem(
        .note, "newer-trace",
        "trace has format \(format), but this version of authflow supports only format \(TraceSchema.version)",
        line, help: "update authflow; this version ignores unknown events and members")
    }
    if let kind = header.kind {
      heard?(TraceEvent(seq: header.seq, time: header.time, kind: kind, members: reading.members))
    }
  }

  // MARK: Findings

  private mutating func reject(_ message: String, help: String, _ line: LineSplitter.Line) {
    diagnostics = [Diagnostic(.error, rule: "no-trace", message, help: help, at: place(of: line))]
    isOver = true
  }

  private mutating func reportProblem(
    _ severity: Diagnostic.Severity, _ rule: String, _ message: String, _ line: LineSplitter.Line, at offset: Int = 0,
    help: String? = nil
  ) {
    guard diagnostics.count < Self.mostComplaints else {
      untold += 1
      return
    }
    diagnostics.append(Diagnostic(severity, rule: rule, message, help: help, at: place(of: line, offset)))
  }

  /// Returns the location in a line. For a long line, the source contains only the part that reports show.
  private func place(of line: LineSplitter.Line, _ offset: Int = 0) -> FileSpan {
    let shown = offset + 4096
    let source = SourceText(name: name, bytes: Array(line.bytes.prefix(shown)), firstLine: line.number)
    return FileSpan(source, SourceSpan.at(offset))
  }
}
