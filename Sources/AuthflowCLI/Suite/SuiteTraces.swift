import Effects
import Reports
import RunTrace
import Scenarios
import Synchronization

/// The pages of the scenarios' runs, for the HTML report of a test run.
final class SuiteTraces: Sendable {
  private let table = PieceTable()
  /// The page of each run, by the title of the scenario.
  private let pages = Mutex<[String: PieceTable.Pieces]>([:])

  /// Creates and stores the page for a run. Concurrent scenarios can call this method at the same time.
  func keep(_ entry: SuiteEntry, _ events: [TraceEvent]) {
    add(Array(events.map(\.line).joined().utf8), of: entry.test.title)
  }

  /// Creates and stores the page for a trace.
  /// - Parameters:
  ///   - lines: The trace as JSON Lines.
  ///   - title: The title of the scenario: its file and its name.
  private func add(_ lines: [UInt8], of title: String) {
    guard let run = TraceReader.read(lines, named: title).tracedRun else { return }
    let page = table.pieces(of: RunPage(tracedRun: run))
    pages.withLock { $0[title] = page }
  }

  /// Reads the traces that `authflow test --trace` wrote. Scenarios without a trace are skipped.
  func add(_ tests: [TestResult], from folder: TraceFolder) throws(FileFailure) {
    for test in tests {
      if let lines = try folder.trace(file: test.file, scenario: test.name) { add(lines, of: test.title) }
    }
  }

  /// Returns the pages of the runs, in the order of the scenarios.
  func archive(of suite: SuiteResult) -> PageArchive {
    let pages = pages.withLock { $0 }
    var archive = PageArchive(table)
    for test in suite.tests {
      if let page = pages[test.title] { archive.append(page, named: test.title) }
    }
    return archive
  }
}
