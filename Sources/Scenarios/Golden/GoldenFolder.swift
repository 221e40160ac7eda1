import Diagnostics
import Documents
import Effects
import Reports
import RunTrace
import Synchronization
import WorkflowModel
import WorkflowRunner

/// A folder of golden traces, with one file for each scenario.
package final class GoldenFolder: Sendable {
  private struct State {
    var written = 0
    var unchanged = 0
    var withheld: [String] = []
    var failure: FileFailure?
  }

  package let path: String
  private let world: World
  private let updates: Bool
  private let state = Mutex(State())

  private static let limit = 256 << 20

  /// - Parameter updates: Whether to write golden traces instead of comparing them.
  package init(_ path: String, world: World, updates: Bool) {
    self.path = path
    self.world = world
    self.updates = updates
  }

  /// The number of written files and the number of unchanged files.
  package var counts: (written: Int, unchanged: Int) { state.withLock { ($0.written, $0.unchanged) } }
  /// The scenarios whose golden traces were not written because they failed, in the format `file: name`.
  package var withheld: [String] { state.withLock { $0.withheld.sorted() } }
  /// The first write error, or nil.
  package var failure: FileFailure? { state.withLock { $0.failure } }

  /// Creates the folder if the run writes golden traces.
  package func prepare() throws(FileFailure) {
    if updates { try world.files.makeDirectory(path, privately: false) }
  }

  /// Compares the trace with the golden trace, or writes it as the new golden trace. Does not change the golden trace
  /// of a failed scenario.
  package func compare(
    _ entry: SuiteEntry, _ events: [TraceEvent], _ verdict: ScenarioReport.Verdict
  ) -> [TestProblem] {
    if updates, verdict != .passed {
      state.withLock { $0.withheld.append("\(entry.test.file): \(entry.test.name)") }
      return []
    }
    let golden = GoldenTrace(file: name(of: entry.test.file), scenario: entry.test.name, events: events)
    let place = place(golden)
    if updates {
      write(golden, to: place)
      return []
    }
    func problem(_ message: String, _ help: String?, excerpt: String = "") -> [TestProblem] {
      [
        TestProblem(
          rule: "golden", message: message, help: help, file: place, line: nil, column: nil, excerpt: excerpt)
      ]
    }
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try world.files.read(place, limit: Self.limit)
    } catch {
      guard case .notFound = error else { return problem(error.explanation, nil) }
      return problem("this scenario has no golden trace", "use `--update` to write it")
    }
    guard bytes != Array(golden.text.utf8) else { return [] }
    let old: GoldenTrace
    do throws(GoldenTrace.ReadError) {
      old = try GoldenTrace(reading: bytes)
    } catch {
      switch error {
      case .foreign: return problem("the file is not a golden trace", "move it; `--update` does not overwrite it")
      case .format(let format):
        return problem(
          "the golden trace has format \(format), not \(GoldenTrace.format)", "use `--update` to rewrite it")
      case .broken(let line):
        return problem("invalid golden trace: line \(line) is not JSON", "use `--update` to rewrite it")
      }
    }
    guard let difference = GoldenDifference(golden: old.events, now: golden.events) else { return [] }
    return problem(
      difference.message, "if the change is intended, use `--update` to rewrite the golden trace",
      excerpt: difference.lines.joined(separator: "\n") + "\n")
  }

  /// Finds golden traces whose scenarios no longer exist, including golden traces for removed workflows.
  /// - Parameter removes: Whether to remove these files. Pass `true` only for complete runs.
  /// - Returns: The files.
  package func stale(among cases: [ScenarioCase], files: [String], removes: Bool) -> [String] {
    let known = Set(cases.map { GoldenTrace.fileName(file: name(of: $0.file), scenario: $0.name) })
    let loaded = Set(files.map(name(of:)))
    let folder = FilePath.join(world.environment.workingDirectory, path)
    var stale: [String] = []
    for file in (try? world.files.list(path)) ?? [] where file.hasSuffix(".jsonl") && !known.contains(file) {
      let place = "\(path)/\(file)"
      guard world.files.kind(of: place) == .file, !world.files.isLink(place),
        let start = try? world.files.prefix(of: place, count: 1 << 16),
        let header = try? GoldenTrace.header(start).0, let workflow = header["file"]?.string
      else { continue }
      guard loaded.contains(workflow) || world.files.kind(of: FilePath.join(folder, workflow)) == nil else { continue }
      stale.append(place)
      guard removes else { continue }
      do throws(FileFailure) {
        try world.files.remove(place)
      } catch {
        if case .notFound = error { continue }
        note(error)
      }
    }
    return stale
  }

  private func write(_ golden: GoldenTrace, to place: String) {
    let bytes = Array(golden.text.utf8)
    let old = try? world.files.read(place, limit: Self.limit)
    if old == bytes { return state.withLock { $0.unchanged += 1 } }
    if let old, !old.isEmpty, case .some(.foreign) = readError(of: old) {
      return note(.other(place, reason: "exists and is not a golden trace"))
    }
    do throws(FileFailure) {
      try world.files.replace(place, with: bytes, privately: false)
      state.withLock { $0.written += 1 }
    } catch {
      note(error)
    }
  }

  private func readError(of bytes: [UInt8]) -> GoldenTrace.ReadError? {
    do throws(GoldenTrace.ReadError) {
      _ = try GoldenTrace.header(bytes)
      return nil
    } catch {
      return error
    }
  }

  private func note(_ failure: FileFailure) { state.withLock { if $0.failure == nil { $0.failure = failure } } }

  /// Returns the path of the workflow relative to this folder, so that the path does not depend on the machine.
  private func name(of file: String) -> String {
    RelativePath.of(file, from: path, workingDirectory: world.environment.workingDirectory)
  }

  private func place(_ golden: GoldenTrace) -> String {
    "\(path)/\(GoldenTrace.fileName(file: golden.file, scenario: golden.scenario))"
  }
}
