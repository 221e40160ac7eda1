import NIOCore

/// A deadline that moves often and rarely expires. Moving the deadline does not reschedule an event loop timer.
///
/// The deadline is checked a few times within the shortest timeout, so the timer can fire late by up to a quarter of
/// that timeout.
final class ConnectionTimer {
  private let tick: TimeAmount
  private let expired: () -> Void
  private var deadline: NIODeadline?
  private var next: Scheduled<Void>?

  /// - Parameter expired: A closure that is called on the event loop each time the deadline passes.
  init(limits: ServerLimits, expired: @escaping () -> Void) {
    let shortest = min(limits.headTime, limits.bodyTime, limits.idleTime, limits.hangUpTime)
    tick = max(TimeAmount(shortest / 4), .milliseconds(1))
    self.expired = expired
  }

  func start(on eventLoop: any EventLoop) {
    next = eventLoop.assumeIsolated().scheduleTask(in: tick) { [weak self] in
      guard let self else { return }
      if let deadline, NIODeadline.now() >= deadline {
        self.deadline = nil
        expired()
      }
      if next != nil { start(on: eventLoop) }
    }
  }

  func stop() {
    next?.cancel()
    next = nil
    deadline = nil
  }

  /// - Parameter span: The timeout from now, or nil for no timeout.
  func set(_ span: Duration?) {
    deadline = span.map { .now() + TimeAmount($0) }
  }
}
