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
    let file = RelativePath.of(entry.test.file, from: "", workingDirectory: world.environment.workingDirectory)
    let name = GoldenTrace.fileName(file: file, scenario: entry.test.name)
    do throws(FileFailure) {
      try world.files.replace("\(path)/\(name)", with: Array(events.map(\.line).joined().utf8), privately: false)
    } catch {
      state.withLock { if $0 == nil { $0 = error } }
    }
  }
}
