import Effects
import NIOCore
import Synchronization

/// The deadline for an exchange, from connecting to the last byte of the body.
///
/// The HTTP client's own deadline covers only the time until the response head arrives. Its read timeout restarts with
/// each byte, so a server that sends one byte per second never triggers it.
struct ExchangeDeadline: Sendable {
  /// The deadline that the HTTP client enforces.
  let head: NIODeadline
  private let end: ContinuousClock.Instant
  private let duration: Duration

  init(after duration: Duration) {
    head = NIODeadline.now() + TimeAmount(duration)
    end = ContinuousClock.now + duration
    self.duration = duration
  }

  /// Reads a body and cancels the read at the deadline.
  /// - Parameter read: A closure that reads the body and adds the size of each part to `received`.
  /// - Throws: `TransportFailure.timedOut` at the deadline, or the error that `read` throws.
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

/// The number of bytes received, for the timeout message.
final class ByteCount: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func add(_ bytes: Int) { count.withLock { $0 += bytes } }
}
