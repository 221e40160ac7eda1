import Effects
import Synchronization

/// Notes which programs would have taken over, and lets everything go on; plays those that are asked something.
package final class StubProgramLauncher: ProgramLauncher {
  private let noted = Mutex<[ProgramCall]>([])
  private let answers: [String: String]

  /// - Parameter answers: what programs print, by the last word of their command; who is not there cannot be started.
  package init(answers: [String: String] = [:]) { self.answers = answers }

  /// In the order in which they were called.
  package var calls: [ProgramCall] { noted.withLock { $0 } }

  /// - Throws: for a program named `missing`, as where there is none.
  package func become(_ program: ProgramCall) throws(ProgramFailure) {
    guard program.command.first != "missing" else { throw ProgramFailure(reason: "No such file or directory") }
    noted.withLock { $0.append(program) }
  }

  package func output(of command: [String], limit: Int) async throws(ProgramFailure) -> [UInt8] {
    guard let answer = answers[command.last ?? ""] else { throw ProgramFailure(reason: "ended with 127") }
    guard answer.utf8.count <= limit else { throw ProgramFailure(reason: "printed more than \(limit) bytes") }
    noted.withLock { $0.append(ProgramCall(command)) }
    return Array(answer.utf8)
  }
}
