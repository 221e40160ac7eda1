import Documents
import Effects
import Synchronization

/// The console of a protocol server in a test. The test writes the server's input and waits for its messages.
package final class MessageConsole: Console {
  private struct State {
    var input: [UInt8] = []
    var isClosed = false
    var reader: CheckedContinuation<[UInt8]?, Never>?
    var messages: [JSON] = []
    /// The bytes of an incomplete message.
    var partial: [UInt8] = []
    var waiting: [(id: Int, isWanted: @Sendable (JSON) -> Bool, continuation: CheckedContinuation<JSON?, Never>)] = []
    var nextWaiting = 0
    var errorText = ""
  }

  private let state = Mutex(State())
  private let hasHeaders: Bool

  /// - Parameter hasHeaders: Whether messages have a `Content-Length` header instead of ending with a line break.
  package init(hasHeaders: Bool = true) { self.hasHeaders = hasHeaders }

  // MARK: The test's side

  /// Sends a message to the server.
  package func send(_ message: JSON) {
    let text = message.text(sortedKeys: false)
    write(hasHeaders ? "Content-Length: \(text.utf8.count)\r\n\r\n\(text)" : text + "\n")
  }

  /// Writes text to the server's standard input.
  package func write(_ text: String) {
    let resumed = state.withLock { state -> (CheckedContinuation<[UInt8]?, Never>, [UInt8])? in
      state.input += Array(text.utf8)
      guard let reader = state.reader else { return nil }
      state.reader = nil
      defer { state.input = [] }
      return (reader, state.input)
    }
    if let (reader, bytes) = resumed { reader.resume(returning: bytes) }
  }

  /// Closes the server's standard input.
  package func close() {
    let reader = state.withLock { state in
      state.isClosed = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: nil)
  }

  /// Removes and returns the first message that matches. Waits until the server sends it.
  /// - Returns: The message, or nil if the task is canceled.
  package func message(where isWanted: @escaping @Sendable (JSON) -> Bool) async -> JSON? {
    let id = state.withLock { state in
      defer { state.nextWaiting += 1 }
      return state.nextWaiting
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let found = state.withLock { state -> JSON?? in
          if let index = state.messages.firstIndex(where: isWanted) { return .some(state.messages.remove(at: index)) }
          if Task.isCancelled { return .some(nil) }
          state.waiting.append((id, isWanted, continuation))
          return nil
        }
        if let found { continuation.resume(returning: found) }
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).continuation }
      }
      continuation?.resume(returning: nil)
    }
  }

  /// The messages that the test has not read yet.
  package var messages: [JSON] { state.withLock { $0.messages } }

  /// The text on standard error.
  package var error: String { state.withLock { $0.errorText } }

  // MARK: The server's side

  package func write(_ bytes: [UInt8], to stream: ConsoleStream) {
    guard stream == .output else { return state.withLock { $0.errorText += String(decoding: bytes, as: UTF8.self) } }
    let resumed = state.withLock { state -> [(CheckedContinuation<JSON?, Never>, JSON)] in
      state.partial += bytes
      var resumed: [(CheckedContinuation<JSON?, Never>, JSON)] = []
      while let message = takeMessage(&state.partial) {
        if let index = state.waiting.firstIndex(where: { $0.isWanted(message) }) {
          resumed.append((state.waiting.remove(at: index).continuation, message))
        } else {
          state.messages.append(message)
        }
      }
      return resumed
    }
    for (continuation, message) in resumed { continuation.resume(returning: message) }
  }

  private func takeMessage(_ partial: inout [UInt8]) -> JSON? {
    if hasHeaders {
      guard let start = partial.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
      let header = String(decoding: partial[..<start.lowerBound], as: UTF8.self)
      guard let length = header.split(separator: " ").last.flatMap({ Int($0) }),
        partial.count >= start.upperBound + length
      else { return nil }
      let content = partial[start.upperBound..<start.upperBound + length]
      defer { partial.removeFirst(start.upperBound + length) }
      return (try? JSON(parsing: content)) ?? .string(String(decoding: content, as: UTF8.self))
    }
    guard let end = partial.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let content = partial[..<end]
    defer { partial.removeFirst(end + 1) }
    return (try? JSON(parsing: content)) ?? .string(String(decoding: content, as: UTF8.self))
  }

  package func isTerminal(_ stream: ConsoleStream) -> Bool { false }

  package var width: Int? { nil }

  package func readLine() async -> String? { nil }

  package func readBytes() async -> [UInt8]? {
    await withCheckedContinuation { continuation in
      let bytes = state.withLock { state -> [UInt8]?? in
        if !state.input.isEmpty {
          defer { state.input = [] }
          return .some(state.input)
        }
        if state.isClosed { return .some(nil) }
        state.reader = continuation
        return nil
      }
      if let bytes { continuation.resume(returning: bytes) }
    }
  }
}
