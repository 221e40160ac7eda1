import Effects
import Synchronization

/// A console that captures standard output so that a command can write the text to a file. Standard error is not
/// captured.
final class CapturingConsole: Console {
  private let console: any Console
  private let captured = Mutex<[UInt8]>([])

  init(_ console: any Console) { self.console = console }

  var bytes: [UInt8] { captured.withLock { $0 } }

  func write(_ bytes: [UInt8], to stream: ConsoleStream) { write(bytes, to: stream, as: .text) }

  func write(_ bytes: [UInt8], to stream: ConsoleStream, as content: ConsoleContent) {
    switch stream {
    case .output: captured.withLock { $0 += bytes }
    case .error: console.write(bytes, to: .error, as: content)
    }
  }

  func isTerminal(_ stream: ConsoleStream) -> Bool { stream == .error && console.isTerminal(.error) }

  var width: Int? { console.width }

  func readLine() async -> String? { await console.readLine() }

  func readBytes() async -> [UInt8]? { await console.readBytes() }

  var outputError: String? { console.outputError }
}

extension Session {
  /// Returns a copy of the session that writes to another console.
  func writing(to console: CapturingConsole) -> Session {
    var world = world
    world.console = console
    return Session(world: world, openServer: openServer, seal: seal)
  }
}
