import Diagnostics
import Effects
import Synchronization

/// The console that all commands write to. It escapes text from files and servers that could control the terminal or a
/// CI runner.
///
/// | content | on a terminal | elsewhere | in a CI log |
/// |---|---|---|---|
/// | text | hidden characters escaped | hidden characters escaped | commands also escaped |
/// | JSON | hidden characters as `\u202e` | hidden characters as `\u202e` | commands also escaped |
/// | data | hidden characters escaped | unchanged | commands escaped, with a warning |
/// | commands | hidden characters escaped | hidden characters escaped | hidden characters escaped |
package final class GuardedConsole: Console {
  /// A random string that marks authflow's own control sequences. Files cannot contain this string, because each
  /// process generates a new one.
  package let seal: String
  private let console: any Console

  private struct State {
    var commands: [ConsoleStream: LogCommands]
    var hasWarned = false
  }

  private let state: Mutex<State>
  private let escapesCommands: Bool

  package init(_ console: any Console, environment: Environment) {
    self.console = console
    // `Hasher` has a random seed in each process. Using the randomness of `World` would change the results of seeded
    // runs.
    var hasher = Hasher()
    hasher.combine("terminal sequences")
    seal = "\(UInt(bitPattern: hasher.finalize()))!"
    escapesCommands = LogCommands.areExecuted(in: environment)
    state = Mutex(State(commands: [.output: LogCommands(), .error: LogCommands()]))
  }

  package func write(_ bytes: [UInt8], to stream: ConsoleStream) { write(bytes, to: stream, as: .text) }

  package func write(_ bytes: [UInt8], to stream: ConsoleStream, as content: ConsoleContent) {
    if content == .messages { return console.write(bytes, to: stream, as: content) }
    let visible = withoutHiddenCharacters(bytes, on: stream, as: content)
    guard escapesCommands else { return console.write(visible, to: stream, as: content) }
    // The lock preserves the order of writes, which determines where lines start.
    state.withLock { state in
      var commands = state.commands[stream] ?? LogCommands()
      let escaped = commands.escaped(visible, as: content)
      state.commands[stream] = commands
      if content == .data, escaped != visible, !state.hasWarned {
        state.hasWarned = true
        console.write(Self.warning, to: .error)
      }
      console.write(escaped, to: stream, as: content)
    }
  }

  private static let warning =
    "warning: escaped CI runner commands in the result, so the result is not exact\n"
    + "  help: write the result to a file with `--output` or a similar option\n"

  private func withoutHiddenCharacters(
    _ bytes: [UInt8], on stream: ConsoleStream, as content: ConsoleContent
  ) -> [UInt8] {
    if content == .data, !console.isTerminal(stream) { return bytes }
    let text = String(decoding: bytes, as: UTF8.self)
    return Array((content == .json ? TerminalText.escapedJSON(text) : TerminalText.escaped(text, seal: seal)).utf8)
  }

  package func isTerminal(_ stream: ConsoleStream) -> Bool { console.isTerminal(stream) }

  package var width: Int? { console.width }

  package func readLine() async -> String? { await console.readLine() }

  package func readBytes() async -> [UInt8]? { await console.readBytes() }

  package var outputError: String? { console.outputError }
}
