import Effects
import Synchronization

/// An event in watch mode.
enum WatchEvent: Sendable {
  /// A file may have changed.
  case mayHaveChanged
  /// The user pressed a key.
  case key(Character)
  /// The current round ended.
  case finished
}

/// The event queue of watch mode.
final class WatchEvents: Sendable {
  let stream: AsyncStream<WatchEvent>
  private let continuation: AsyncStream<WatchEvent>.Continuation
  /// Whether the queue contains `mayHaveChanged`. The event is queued only once, because a build can change thousands
  /// of files.
  private let hasHint = Atomic(false)

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func hint() {
    if !hasHint.exchange(true, ordering: .relaxed) { continuation.yield(.mayHaveChanged) }
  }

  /// Allows the queue to accept another `mayHaveChanged` event. Watch mode calls this before it compares the files.
  func takeHint() { hasHint.store(false, ordering: .relaxed) }

  func finishRound() { continuation.yield(.finished) }

  /// Adds a `mayHaveChanged` event at each interval until the task is canceled.
  func poll(every interval: Duration, on clock: any WorldClock) async {
    while (try? await clock.sleep(for: interval)) != nil { hint() }
  }

  /// Adds an event for each key that the user presses until standard input closes or the task is canceled.
  func readKeys(from console: any Console) async {
    while !Task.isCancelled, let bytes = await console.readBytes() {
      for key in String(decoding: bytes, as: UTF8.self) { continuation.yield(.key(key)) }
    }
  }
}
