import Effects
import Synchronization

/// A console that stores its output and reads prepared lines.
package final class BufferedConsole: Console {
  /// A call to `write`.
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
  ///   - input: The lines that `readLine` returns, without line breaks.
  ///   - terminals: The streams that count as terminals.
  package init(input: [String] = [], terminals: Set<ConsoleStream> = [], width: Int? = nil) {
    state = Mutex(State(input: input))
    self.terminals = terminals
    self.width = width
  }

  package var writings: [Writing] { state.withLock { $0.writings } }
  /// The text on standard output.
  package var output: String { String(decoding: bytes(of: .output), as: UTF8.self) }
  /// The text on standard error.
  package var error: String { String(decoding: bytes(of: .error), as: UTF8.self) }
  /// The bytes on standard output.
  package var outputBytes: [UInt8] { bytes(of: .output) }

  package func write(_ bytes: [UInt8], to stream: ConsoleStream) {
    state.withLock { $0.writings.append(Writing(stream: stream, bytes: bytes)) }
  }

  package func isTerminal(_ stream: ConsoleStream) -> Bool { terminals.contains(stream) }

  package func readLine() async -> String? {
    state.withLock { $0.input.isEmpty ? nil : $0.input.removeFirst() }
  }

  package func readBytes() async -> [UInt8]? {
    await readLine().map { Array(($0 + "\n").utf8) }
  }

  private func bytes(of stream: ConsoleStream) -> [UInt8] {
    state.withLock { state in state.writings.filter { $0.stream == stream }.flatMap(\.bytes) }
  }
}
