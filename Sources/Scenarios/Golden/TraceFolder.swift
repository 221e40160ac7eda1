import Documents
import Effects
import Reports
import RunTrace
import Synchronization
import WorkflowRunner

/// A folder that contains the trace of each scenario as JSON Lines.
package final class TraceFolder: Sendable {
  package let path: String
  private let world: World
  private let state = Mutex<FileFailure?>(nil)

  package init(_ path: String, world: World) {
    self.path = path
    self.world = world
  }

  package func prepare() throws(FileFailure) { try world.files.makeDirectory(path, privately: false) }

  /// The first write error, or nil.
  package var failure: FileFailure? { state.withLock { $0 } }

  package func keep(_ entry: SuiteEntry, _ events: [TraceEvent]) {
    let file = place(file: entry.test.file, scenario: entry.test.name)
    do throws(FileFailure) {
      try world.files.replace(file, with: Array(events.map(\.line).joined().utf8), privately: false)
    } catch {
      state.withLock { if $0 == nil { $0 = error } }
    }
  }

  /// Returns the trace of a scenario as JSON Lines, or nil if the folder does not contain it.
  /// - Parameter file: The scenario's file name, as in the run.
  package func trace(file: String, scenario: String) throws(FileFailure) -> [UInt8]? {
    do throws(FileFailure) {
      return try world.files.read(place(file: file, scenario: scenario), limit: Self.limit)
    } catch {
      if case .notFound = error { return nil }
      throw error
    }
  }

  private static let limit = 256 << 20

  private func place(file: String, scenario: String) -> String {
    let file = RelativePath.of(file, from: "", workingDirectory: world.environment.workingDirectory)
    return "\(path)/\(GoldenTrace.fileName(file: file, scenario: scenario))"
  }
}
