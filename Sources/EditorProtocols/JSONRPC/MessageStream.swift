import Documents
import Effects
import Synchronization

/// A stream that receives and sends messages over standard input and output.
///
/// One task receives messages. Any task can send messages, because a console writes each message as a whole.
package final class MessageStream: Sendable {
  /// The format of messages in the byte stream.
  package enum Framing: Sendable {
    /// `Content-Length` headers, as in LSP and DAP.
    case contentLength
    /// One message per line, as in MCP.
    case lines
  }

  package enum Received: Sendable, Equatable {
    case message(JSON)
    /// Input that is not a message, with the reason. The stream continues with the next message.
    case malformed(String)
  }

  private struct State {
    var decoder = ContentLengthDecoder()
    var lines = LineDecoder()
  }

  private let console: any Console
  private let framing: Framing
  private let state = Mutex(State())

  package init(console: any Console, framing: Framing) {
    self.console = console
    self.framing = framing
  }

  /// Waits for the next message.
  /// - Returns: The message, or nil at the end of the input or if the task is canceled.
  package func receive() async -> Received? {
    while true {
      if let received = state.withLock({ Self.next(&$0, framing) }) { return received }
      guard let bytes = await console.readBytes() else { return end() }
      state.withLock { state in
        switch framing {
        case .contentLength: state.decoder.append(bytes)
        case .lines: state.lines.append(bytes)
        }
      }
    }
  }

  /// Sends a message.
  package func send(_ message: JSON) {
    let bytes =
      switch framing {
      case .contentLength: ContentLengthDecoder.encode(message)
      case .lines: Array((message.text(sortedKeys: false) + "\n").utf8)
      }
    console.write(bytes, to: .output, as: .messages)
  }

  /// The reason why output was lost, or nil.
  package var outputError: String? { console.outputError }

  private static func next(_ state: inout State, _ framing: Framing) -> Received? {
    switch framing {
    case .lines:
      while let line = state.lines.next() {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
        return parse(line)
      }
      return nil
    case .contentLength:
      do throws(ContentLengthDecoder.HeaderError) {
        return try state.decoder.next().map(parse)
      } catch {
        return .malformed(error.message)
      }
    }
  }

  private static func parse(_ bytes: [UInt8]) -> Received {
    do throws(JSONSyntaxError) {
      return .message(try JSON(parsing: bytes))
    } catch {
      return .malformed("invalid JSON: \(error.description)")
    }
  }

  /// Returns the last message at the end of the input, or nil if there is none. It can lack a final line break.
  private func end() -> Received? {
    state.withLock { state in
      switch framing {
      case .contentLength: nil
      case .lines: state.lines.takeRest().map(Self.parse)
      }
    }
  }
}

/// A decoder that splits a byte stream into lines.
private struct LineDecoder {
  private var buffer: [UInt8] = []
  /// The number of bytes at the start of `buffer` that are known not to contain a line break.
  private var searched = 0

  mutating func append(_ bytes: [UInt8]) { buffer += bytes }

  mutating func next() -> [UInt8]? {
    guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = buffer.count
      return nil
    }
    let line = Array(buffer[..<end])
    buffer.removeFirst(end + 1)
    searched = 0
    return line
  }

  mutating func takeRest() -> [UInt8]? {
    defer {
      buffer = []
      searched = 0
    }
    return buffer.isEmpty ? nil : buffer
  }
}
