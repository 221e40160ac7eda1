import Effects
import Synchronization

/// A console whose standard output is kept, to be written to a file; the rest goes where it went.
final class CapturingConsole: Console {
  private let console: any Console
  private let kept = Mutex<[UInt8]>([])

  init(_ console: any Console) { self.console = console }

  var bytes: [UInt8] { kept.withLock { $0 } }

  func write(_ bytes: [UInt8], to stream: ConsoleStream) { write(bytes, to: stream, as: .text) }

  func write(_ bytes: [UInt8], to stream: ConsoleStream, as content: ConsoleContent) {
    switch stream {
    case .output: kept.withLock { $0 += bytes }
    case .error: console.write(bytes, to: .error, as: content)
    }
  }

  func isTerminal(_ stream: ConsoleStream) -> Bool { stream == .error && console.isTerminal(.error) }

  var width: Int? { console.width }

  func readLine() async -> String? { await console.readLine() }

  var loss: String? { console.loss }
}

extension Session {
  /// The same session with another console.
  func writing(to console: CapturingConsole) -> Session {
    var world = world
    world.console = console
    return Session(world: world, openServer: openServer, seal: seal)
  }
}
