import Effects
import NIOCore
import Synchronization

/// The end of the time for one exchange, from connecting to the last byte of the body.
///
/// The HTTP client's own deadline ends with the response's head. Its read timeout starts anew with each byte, so a server
/// that sends a byte a second would never meet it.
struct ExchangeDeadline: Sendable {
  /// The same moment for the client's part of the exchange.
  let head: NIODeadline
  private let end: ContinuousClock.Instant
  private let duration: Duration

  init(after duration: Duration) {
    head = NIODeadline.now() + TimeAmount(duration)
    end = ContinuousClock.now + duration
    self.duration = duration
  }

  /// Reads a body, and cancels the reading at the deadline.
  /// - Parameter read: reads the body; it adds the size of each part to `received`.
  /// - Throws: `TransportFailure.timedOut` at the deadline, or what `read` throws.
  func limit(
    host: String, _ read: @escaping @Sendable (_ received: ByteCount) async throws -> [UInt8]
  ) async throws -> [UInt8] {
    let received = ByteCount()
    return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
      group.addTask { try await read(received) }
      group.addTask { [end] in
        try await Task.sleep(until: end, clock: .continuous)
        return nil
      }
      defer { group.cancelAll() }
      guard let first = try await group.next(), let body = first else {
        throw TransportFailure.timedOut(
          "\(host) sent only \(received.value) bytes of the body within \(duration.components.seconds) s")
      }
      return body
    }
  }
}

/// The number of bytes that have arrived, for the message at the deadline.
final class ByteCount: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func add(_ bytes: Int) { count.withLock { $0 += bytes } }
}
