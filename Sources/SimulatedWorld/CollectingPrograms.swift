import Effects
import Synchronization

/// Notes which programs would have taken over, and lets everything go on.
package final class CollectingPrograms: ProgramLauncher {
  private let noted = Mutex<[ProgramCall]>([])

  package init() {}

  /// In the order in which they were called.
  package var calls: [ProgramCall] { noted.withLock { $0 } }

  /// - Throws: for a program named `missing`, as where there is none.
  package func become(_ program: ProgramCall) throws(ProgramFailure) {
    guard program.command.first != "missing" else { throw ProgramFailure(reason: "No such file or directory") }
    noted.withLock { $0.append(program) }
  }
}
