import Effects

/// The functions and services that the Graph emulator receives from the identity emulator.
package struct GraphDependencies: Sendable {
  let randomness: any Randomness
  /// The sender of notifications, or nil if the emulator has no network.
  let sender: NotificationSender?
  private let clock: @Sendable () -> Instant
  private let records: @Sendable (_ tenantID: String) -> TenantRecords?
  private let reading: @Sendable ((GraphState) -> Void) -> Void
  private let writing: @Sendable ((inout GraphState) -> Void) -> Void

  /// - Parameters:
  ///   - notificationTransport: The transport for webhook notifications, or nil if the emulator has no network.
  ///   - now: A closure that returns the emulator's current time.
  ///   - records: A closure that returns the registrations, grants, and sign-ins of a tenant.
  ///   - read: A closure that calls its argument with the state and prevents concurrent changes during the call.
  ///   - write: A closure that calls its argument with the state and stores the changes.
  package init(
    randomness: any Randomness, notificationTransport: (any HTTPTransport)?, now: @escaping @Sendable () -> Instant,
    records: @escaping @Sendable (_ tenantID: String) -> TenantRecords?,
    read: @escaping @Sendable ((GraphState) -> Void) -> Void,
    write: @escaping @Sendable ((inout GraphState) -> Void) -> Void
  ) {
    self.randomness = randomness
    sender = notificationTransport.map { NotificationSender(transport: $0) }
    clock = now
    self.records = records
    reading = read
    writing = write
  }

  /// Calls `body` with the state and returns its result.
  func read<Result: Sendable>(_ body: (GraphState) -> Result) -> Result {
    var result: Result?
    reading { result = body($0) }
    guard let result else { preconditionFailure("the `read` closure did not call its argument") }
    return result
  }

  /// Returns the registrations, grants, and sign-ins of a tenant.
  func records(of tenantID: String) -> TenantRecords? { records(tenantID) }

  /// Changes the state atomically and sends notifications about the changes.
  func write<Result: Sendable>(_ body: (inout GraphState) -> Result) -> Result {
    let now = clock()
    var result: Result?
    var notifications: [GraphNotification] = []
    writing { state in
      let earlier = Subscription.all(state, at: now).isEmpty ? nil : state
      result = body(&state)
      if let earlier { notifications = state.notify(since: earlier, at: now, canSend: sender != nil) }
    }
    guard let result else { preconditionFailure("the `write` closure did not call its argument") }
    send(notifications)
    return result
  }

  /// Sends notifications in the background, so that a slow webhook endpoint does not delay the response.
  private func send(_ notifications: [GraphNotification]) {
    guard let sender, !notifications.isEmpty else { return }
    let writing = writing
    Task {
      for notification in notifications {
        let outcome = await sender.send(notification)
        writing { $0.setOutcome(outcome, ofNotification: notification.number) }
      }
    }
  }
}
