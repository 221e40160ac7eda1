import Dispatch
import Effects
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Standard input, output and error of the process.
package final class TerminalConsole: Console {
  private struct State {
    /// Streams whose reader is gone: what is written there is lost, which is what that reader wanted.
    var gone: Set<ConsoleStream> = []
    var loss: String?
  }

  private let state = Mutex(State())
  private let input: LineReader
  private let output: CInt
  private let error: CInt

  /// - Parameters:
  ///   - input: the file descriptor of standard input.
  ///   - output: that of standard output.
  ///   - error: that of standard error.
  package init(input: CInt = STDIN_FILENO, output: CInt = STDOUT_FILENO, error: CInt = STDERR_FILENO) {
    self.input = LineReader(input)
    self.output = output
    self.error = error
    // A closed pipe shall be an error to look at, not a signal that kills.
    signal(SIGPIPE, SIG_IGN)
  }

  package func write(_ bytes: [UInt8], to stream: ConsoleStream) {
    let number = number(of: stream)
    // The lock also keeps the texts of two tasks from mingling.
    state.withLock { state in
      guard !state.gone.contains(stream) else { return }
      bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
          switch uninterrupted({
            FileDescriptor.systemWrite(number, UnsafeRawBufferPointer(rebasing: rest))
          }) {
          case .success(let count): rest = rest.dropFirst(count)
          case .failure(let error) where error.number == EAGAIN:
            // Somebody made the terminal non-blocking: wait until it takes more.
            var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
            poll(&waiting, 1, 1_000)
          case .failure(let error):
            state.gone.insert(stream)
            if error.number != EPIPE {
              let name = stream == .output ? "standard output" : "standard error"
              state.loss = FileFailure.system(error.number, name).explanation
            }
            return
          }
        }
      }
    }
  }

  package var loss: String? { state.withLock { $0.loss } }

  package func isTerminal(_ stream: ConsoleStream) -> Bool { isatty(number(of: stream)) == 1 }

  package var width: Int? {
    for number in [output, error] {
      var size = winsize()
      if ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    }
    return nil
  }

  package func readLine() async -> String? {
    // Reading blocks its thread until a user answers, so it is done on one of its own, and who cancels does not wait.
    let answer = Answer()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        answer.hold(continuation)
        DispatchQueue.global().async { [input] in answer.give(input.next()) }
      }
    } onCancel: {
      answer.give(nil)
    }
  }

  /// The first of the user's answer and the cancellation counts.
  private final class Answer: Sendable {
    private enum State {
      case open
      case awaited(CheckedContinuation<String?, Never>)
      case given(String?)
    }

    private let state = Mutex(State.open)

    func hold(_ continuation: CheckedContinuation<String?, Never>) {
      let early = state.withLock { state -> String?? in
        if case .given(let answer) = state { return .some(answer) }
        state = .awaited(continuation)
        return nil
      }
      if let early { continuation.resume(returning: early) }
    }

    func give(_ answer: String?) {
      let waiting = state.withLock { state -> CheckedContinuation<String?, Never>? in
        defer { if case .given = state {} else { state = .given(answer) } }
        if case .awaited(let continuation) = state { return continuation }
        return nil
      }
      waiting?.resume(returning: answer)
    }
  }

  private func number(of stream: ConsoleStream) -> CInt {
    switch stream {
    case .output: output
    case .error: error
    }
  }
}
