import Effects
import Synchronization

/// A console that keeps what is written, and reads lines that were laid ready.
package final class BufferedConsole: Console {
  /// One call of `write`.
  package struct Writing: Hashable, Sendable {
    package var stream: ConsoleStream
    package var bytes: [UInt8]
  }

  private struct State {
    var writings: [Writing] = []
    var input: [String]
  }

  private let state: Mutex<State>
  private let terminals: Set<ConsoleStream>
  package let width: Int?

  /// - Parameters:
  ///   - input: the lines that `readLine` gives, without their ends.
  ///   - terminals: the streams that a user is said to watch.
  package init(input: [String] = [], terminals: Set<ConsoleStream> = [], width: Int? = nil) {
    state = Mutex(State(input: input))
    self.terminals = terminals
    self.width = width
  }

  package var writings: [Writing] { state.withLock { $0.writings } }
  /// Everything written to standard output, as text.
  package var output: String { String(decoding: bytes(of: .output), as: UTF8.self) }
  /// Everything written to standard error, as text.
  package var error: String { String(decoding: bytes(of: .error), as: UTF8.self) }
  /// Everything written to standard output.
  package var outputBytes: [UInt8] { bytes(of: .output) }

  package func write(_ bytes: [UInt8], to stream: ConsoleStream) {
    state.withLock { $0.writings.append(Writing(stream: stream, bytes: bytes)) }
  }

  package func isTerminal(_ stream: ConsoleStream) -> Bool { terminals.contains(stream) }

  package func readLine() async -> String? {
    state.withLock { $0.input.isEmpty ? nil : $0.input.removeFirst() }
  }

  private func bytes(of stream: ConsoleStream) -> [UInt8] {
    state.withLock { state in state.writings.filter { $0.stream == stream }.flatMap(\.bytes) }
  }
}
