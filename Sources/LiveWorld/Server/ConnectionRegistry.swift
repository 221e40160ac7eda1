import NIOCore
import Synchronization

/// The open connections of a server.
final class ConnectionRegistry: Sendable {
  private struct State {
    var open: [ObjectIdentifier: any Channel] = [:]
    var isEnding = false
    var whenEmpty: CheckedContinuation<Void, Never>?
  }

  /// An event that makes a connection close after its current response.
  struct DrainRequest: Sendable {}

  private let state = Mutex(State())

  /// - Returns: Whether the connection is accepted. A server that is stopping rejects all connections.
  func add(_ channel: any Channel) -> Bool {
    let key = ObjectIdentifier(channel)
    let isTaken = state.withLock { state in
      guard !state.isEnding else { return false }
      state.open[key] = channel
      return true
    }
    if isTaken { channel.closeFuture.whenComplete { [self] _ in remove(key) } }
    return isTaken
  }

  private func remove(_ key: ObjectIdentifier) {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.open[key] = nil
      guard state.open.isEmpty else { return nil }
      defer { state.whenEmpty = nil }
      return state.whenEmpty
    }
    waiting?.resume()
  }

  /// Waits up to `grace` for open requests to finish, then closes all connections.
  func end(grace: Duration) async {
    for channel in begin() { channel.pipeline.fireUserInboundEventTriggered(DrainRequest()) }
    let graceTimer = Task {
      try? await Task.sleep(for: grace)
      closeAll()
    }
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if !state.open.isEmpty { state.whenEmpty = continuation }
        return state.open.isEmpty
      }
      if isEmpty { continuation.resume() }
    }
    graceTimer.cancel()
  }

  private func begin() -> [any Channel] {
    state.withLock { state in
      state.isEnding = true
      return Array(state.open.values)
    }
  }

  private func closeAll() {
    for channel in begin() { channel.close(promise: nil) }
  }
}
