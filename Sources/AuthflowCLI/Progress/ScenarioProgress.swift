import Synchronization

/// Passes the progress of a command that runs scenarios to its caller, such as the MCP server.
enum ScenarioProgress {
  /// Receives the number of finished scenarios, the total if it is known, and a message.
  @TaskLocal static var observer: (@Sendable (Int, Int?, String) -> Void)?

  /// Returns a function that counts a finished scenario, or nil without an observer.
  /// - Parameter total: The number of scenarios, or nil if it is not known.
  static func counter(of total: Int? = nil) -> (@Sendable (String) -> Void)? {
    guard let observer else { return nil }
    let count = ScenarioCount()
    return { observer(count.next(), total, $0) }
  }
}

private final class ScenarioCount: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
