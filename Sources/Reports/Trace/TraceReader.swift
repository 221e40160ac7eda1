import Diagnostics
import Documents
import RunTrace

/// Reads a trace (JSON Lines) piece by piece: a line that is no event is told and left out, and the story goes on.
///
/// A run that was killed leaves half a line at most: the story is told up to there. Kinds and members of a newer authflow
/// are kept or passed over with a note.
package struct TraceReader {
  /// A line above this size is no event.
  package static let longestLine = 16 << 20
  /// So many complaints are told one by one.
  private static let mostComplaints = 20

  private let name: String
  private let heard: ((TraceEvent) -> Void)?
  private var lines = LineSplitter(limit: TraceReader.longestLine)
  private var builder = TracedRunBuilder()
  private var diagnostics: [Diagnostic] = []
  private var untold = 0
  private var events = 0
  /// Whether nothing further is read: what the file begins with is no trace, or another run begins.
  private var isOver = false
  private var hasBytes = false
  /// Whether it is a golden, which leaves out who told it.
  private var isGolden = false

  /// - Parameters:
  ///   - name: what people call the file: a path, or `<stdin>`.
  ///   - heard: called with each event of a known kind, in order, as it is read.
  package init(named name: String, heard: ((TraceEvent) -> Void)? = nil) {
    self.name = name
    self.heard = heard
  }

  /// Reads bytes that are here as a whole.
  package static func read(
    _ bytes: [UInt8], named name: String, heard: ((TraceEvent) -> Void)? = nil
  ) -> TraceReadResult {
    var reader = TraceReader(named: name, heard: heard)
    reader.take(bytes)
    return reader.finish()
  }

  /// Takes the next piece of the file, of any size.
  /// - Returns: whether there is any use in further pieces.
  @discardableResult
  package mutating func take(_ piece: [UInt8]) -> Bool {
    guard !isOver else { return false }
    var splitter = lines
    lines = LineSplitter(limit: 0)
    splitter.take(piece) { take($0) }
    lines = splitter
    return !isOver
  }

  /// The file has ended.
  package mutating func finish() -> TraceReadResult {
    if !isOver, let last = lines.finish() { take(last) }
    if events == 0, !diagnostics.hasErrors {
      diagnostics = [
        Diagnostic(
          .error, rule: "no-trace", hasBytes ? "the file holds no event of a run" : "the trace is empty",
          help: Self.howToMakeOne, at: .file(name))
      ]
    }
    guard !diagnostics.hasErrors else { return TraceReadResult(story: nil, diagnostics: diagnostics, events: events) }
    if untold > 0 {
      diagnostics.append(
        Diagnostic(.warning, rule: "damaged-trace", "\(untold) more lines have mistakes like these", at: .file(name)))
    }
    let story = builder.finish()
    if story.ending == nil {
      diagnostics.append(
        Diagnostic(
          .note, rule: "unfinished-run", "the trace ends before the run does",
          help: "the run was ended from outside, or is still going on", at: .file(name)))
    }
    return TraceReadResult(story: story, diagnostics: diagnostics, events: events)
  }

  private static let howToMakeOne = "make a trace with: authflow run FILE --trace TRACE.jsonl"

  // MARK: Lines

  private mutating func take(_ line: LineSplitter.Line) {
    guard !isOver else { return }
    var line = line
    if line.number == 1 {
      if line.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { line.bytes.removeFirst(3) }
      if line.bytes.starts(with: [0xFF, 0xFE]) || line.bytes.starts(with: [0xFE, 0xFF]) {
        refuse("this is UTF-16, and a trace is UTF-8", help: "convert it: iconv -f UTF-16 -t UTF-8", line)
        return
      }
    }
    guard line.bytes.contains(where: { $0 > 0x20 }) else { return }
    hasBytes = true
    guard !line.isTooLong else {
      if events == 0 { return refuse("this is no trace: its first line never ends", help: Self.howToMakeOne, line) }
      complain(
        .warning, "damaged-trace", "this line has more than \(Self.longestLine >> 20) MiB and is left out", line)
      return
    }
    do {
      take(try JSON(parsing: line.bytes), line)
    } catch {
      if !line.isWhole, events > 0 {
        complain(
          .warning, "cut-trace", "the last line is cut and is left out", line,
          help: "the run was ended while it wrote; the story is told up to here")
      } else if events == 0 {
        refuse("this is no trace: its first line is no JSON: \(error.message)", help: Self.howToMakeOne, line)
      } else {
        complain(
          .warning, "damaged-trace", "this line is no JSON and is left out: \(error.message)", line, at: error.offset)
      }
    }
  }

  private mutating func take(_ json: JSON, _ line: LineSplitter.Line) {
    // The line before the events of a golden says whose it is.
    if events == 0, json["authflow"]?.string == "golden" {
      isGolden = true
      return
    }
    let reading = TraceEventParser(json, leavesOut: isGolden ? ["tool"] : [])
    if events == 0, !reading.isEvent {
      let other =
        json["recording"] != nil
        ? "this is a recording, not a trace" : "this is no trace: its first line has no \"kind\" and no \"seq\""
      let help =
        json["recording"] != nil
        ? "a recording is played: authflow run FILE --platform replay:\(name)" : Self.howToMakeOne
      return refuse(other, help: help, line)
    }
    for flaw in reading.flaws { complain(.warning, "damaged-trace", flaw, line) }
    guard let header = reading.header else { return }
    if header.kind == .runStarted || header.kind == .scenarioStarted, builder.beginsAnother(header.kind) {
      complain(
        .warning, "second-run", "another run begins here; what is told is the first", line,
        help: "a report is of one run: cut the file before this line for the other")
      isOver = true
      return
    }
    events += 1
    if header.kind == nil {
      complain(
        .note, "unknown-trace-event", "this authflow does not know events of the kind \"\(header.kindName)\"", line,
        help: "the trace is of a newer authflow; everything else is told")
    }
    for remark in builder.take(header, reading.members) { complain(.warning, "damaged-trace", remark, line) }
    if header.kind == .runStarted, let format = builder.format, format < TraceSchema.version {
      return refuse(
        "the trace is of version \(format), and this authflow reads \(TraceSchema.version)", help: Self.howToMakeOne,
        line)
    }
    if header.kind == .runStarted, let format = builder.format, format > TraceSchema.version {
      complain(
        .note, "newer-trace", "the trace is of version \(format), and this authflow knows \(TraceSchema.version)", line,
        help: "what is new in it is not told; a newer authflow tells it")
    }
    if let kind = header.kind {
      heard?(TraceEvent(seq: header.seq, time: header.time, kind: kind, members: reading.members))
    }
  }

  // MARK: Complaints

  private mutating func refuse(_ message: String, help: String, _ line: LineSplitter.Line) {
    diagnostics = [Diagnostic(.error, rule: "no-trace", message, help: help, at: place(of: line))]
    isOver = true
  }

  private mutating func complain(
    _ severity: Diagnostic.Severity, _ rule: String, _ message: String, _ line: LineSplitter.Line, at offset: Int = 0,
    help: String? = nil
  ) {
    guard diagnostics.count < Self.mostComplaints else {
      untold += 1
      return
    }
    diagnostics.append(Diagnostic(severity, rule: rule, message, help: help, at: place(of: line, offset)))
  }

  /// The line alone is kept for it, and of a long one no more than is shown.
  private func place(of line: LineSplitter.Line, _ offset: Int = 0) -> FileSpan {
    let shown = offset + 4096
    let source = SourceText(name: name, bytes: Array(line.bytes.prefix(shown)), firstLine: line.number)
    return FileSpan(source, SourceSpan.at(offset))
  }
}
