import Effects
import Synchronization

/// A launcher that records calls and returns prepared output instead of running programs.
package final class StubProgramLauncher: ProgramLauncher {
  private let noted = Mutex<[ProgramCall]>([])
  private let answers: [String: String]

  /// - Parameter answers: The prepared outputs, keyed by the last word of the command. Other commands fail to start.
  package init(answers: [String: String] = [:]) { self.answers = answers }

  /// The recorded calls, in order.
  package var calls: [ProgramCall] { noted.withLock { $0 } }

  /// - Throws: An error if the program is named `missing`.
  package func exec(_ program: ProgramCall) throws(ProgramFailure) {
    guard program.command.first != "missing" else { throw ProgramFailure(reason: "No such file or directory") }
    noted.withLock { $0.append(program) }
  }

  package func output(of command: [String], limit: Int) async throws(ProgramFailure) -> [UInt8] {
    guard let answer = answers[command.last ?? ""] else { throw ProgramFailure(reason: "exited with 127") }
    guard answer.utf8.count <= limit else { throw ProgramFailure(reason: "printed more than \(limit) bytes") }
    noted.withLock { $0.append(ProgramCall(command)) }
    return Array(answer.utf8)
  }
}
