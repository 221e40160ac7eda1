/// The progress of reading traces and writing reports, shown as a terminal line that is updated in place.
package struct ReportProgress: Sendable {
  private var bytes = 0
  private var events = 0
  private var traces: (read: Int, total: Int)?
  private var report: String?

  package init() {}

  /// Shows the progress of reading several traces.
  package mutating func begin(traces: Int) { self.traces = (0, traces) }

  package mutating func read(bytes count: Int) { bytes += count }

  package mutating func readEvent() { events += 1 }

  package mutating func readTrace() { traces?.read += 1 }

  /// Shows that a report is being written.
  /// - Parameter name: The file name without its folder.
  package mutating func write(_ name: String) { report = name }

  /// The progress line, which fits in any terminal.
  package var line: String {
    if let report { return "writing \(report.prefix(40))" }
    if let traces { return "\(traces.read) of \(traces.total) traces read" }
    return "\(bytes >> 20) MB read, \(events) events"
  }
}
