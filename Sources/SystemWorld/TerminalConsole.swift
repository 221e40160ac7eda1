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

/// The standard streams of the process.
package final class TerminalConsole: Console {
  private struct State {
    /// The streams whose reader closed the pipe. Further output to them is discarded.
    var gone: Set<ConsoleStream> = []
    var outputError: String?
  }

  private let state = Mutex(State())
  private let input: LineReader
  private let output: CInt
  private let error: CInt

  /// - Parameters:
  ///   - input: The descriptor of standard input.
  ///   - output: The descriptor of standard output.
  ///   - error: The descriptor of standard error.
  package init(input: CInt = STDIN_FILENO, output: CInt = STDOUT_FILENO, error: CInt = STDERR_FILENO) {
    self.input = LineReader(input)
    self.output = output
    self.error = error
    // A write to a closed pipe must return an error instead of ending the process.
    signal(SIGPIPE, SIG_IGN)
  }

  package func write(_ bytes: [UInt8], to stream: ConsoleStream) {
    let number = number(of: stream)
    // The lock also prevents two tasks from interleaving their output.
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
            // If another process made the terminal nonblocking, the write waits until the terminal accepts more output.
            var waiting = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
            poll(&waiting, 1, 1_000)
          case .failure(let error):
            state.gone.insert(stream)
            if error.number != EPIPE {
              let name = stream == .output ? "standard output" : "standard error"
              state.outputError = FileFailure.system(error.number, name).explanation
            }
            return
          }
        }
      }
    }
  }

  package var outputError: String? { state.withLock { $0.outputError } }

  package func isTerminal(_ stream: ConsoleStream) -> Bool { isatty(number(of: stream)) == 1 }

  package var width: Int? {
    for number in [output, error] {
      var size = winsize()
      if ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
    }
    return nil
  }

  package func readLine() async -> String? {
    // Reading blocks, so it runs on a separate thread. A canceled task does not wait for that thread.
    let line = PendingLine()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        line.hold(continuation)
        DispatchQueue.global().async { [input] in line.give(input.next()) }
      }
    } onCancel: {
      line.give(nil)
    }
  }

  /// Resumes the waiting task with the line or the cancellation, whichever comes first.
  private final class PendingLine: Sendable {
    private enum State {
      case open
      case awaited(CheckedContinuation<String?, Never>)
      case given(String?)
    }

    private let state = Mutex(State.open)

    func hold(_ continuation: CheckedContinuation<String?, Never>) {
      let early = state.withLock { state -> String?? in
        if case .given(let line) = state { return .some(line) }
        state = .awaited(continuation)
        return nil
      }
      if let early { continuation.resume(returning: early) }
    }

    func give(_ line: String?) {
      let waiting = state.withLock { state -> CheckedContinuation<String?, Never>? in
        defer { if case .given = state {} else { state = .given(line) } }
        if case .awaited(let continuation) = state { return continuation }
        return nil
      }
      waiting?.resume(returning: line)
    }
  }

  private func number(of stream: ConsoleStream) -> CInt {
    switch stream {
    case .output: output
    case .error: error
    }
  }
}
