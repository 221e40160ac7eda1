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
    /// The streams whose reader closed the pipe. Additional output to these streams is discarded.
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

  package func readLine() async -> String? { await reading { $0.next() } }

  package func readBytes() async -> [UInt8]? { await reading { $0.nextBytes() } }

  /// Reads on a separate thread, because reading blocks. A canceled task does not wait for that thread.
  private func reading<Value: Sendable>(_ read: @escaping @Sendable (LineReader) -> Value?) async -> Value? {
    let pending = PendingInput<Value>()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        pending.hold(continuation)
        DispatchQueue.global().async { [input] in pending.give(read(input)) }
      }
    } onCancel: {
      pending.give(nil)
    }
  }

  /// Resumes the waiting task with the input or the cancellation, whichever comes first.
  private final class PendingInput<Value: Sendable>: Sendable {
    private enum State {
      case open
      case awaited(CheckedContinuation<Value?, Never>)
      case given(Value?)
    }

    private let state = Mutex(State.open)

    func hold(_ continuation: CheckedContinuation<Value?, Never>) {
      let early = state.withLock { state -> Value?? in
        if case .given(let value) = state { return .some(value) }
        state = .awaited(continuation)
        return nil
      }
      if let early { continuation.resume(returning: early) }
    }

    func give(_ value: Value?) {
      let waiting = state.withLock { state -> CheckedContinuation<Value?, Never>? in
        defer { if case .given = state {} else { state = .given(value) } }
        if case .awaited(let continuation) = state { return continuation }
        return nil
      }
      waiting?.resume(returning: value)
    }
  }

  private func number(of stream: ConsoleStream) -> CInt {
    switch stream {
    case .output: output
    case .error: error
    }
  }
}
