import Synchronization

/// Reports the progress of scenario runs to the caller of a command, such as the MCP server.
final class ScenarioProgress: Sendable {
  /// The receiver for the current task. This is an object, because a task-local function crashes in optimized code.
  @TaskLocal static var current: ScenarioProgress?

  private let report: @Sendable (_ finished: Int, _ total: Int?, _ message: String) -> Void
  private let finished = Atomic(0)

  init(report: @escaping @Sendable (_ finished: Int, _ total: Int?, _ message: String) -> Void) {
    self.report = report
  }

  /// Counts a finished scenario.
  /// - Parameter total: The number of scenarios, or nil if it is not known.
  func finish(_ name: String, of total: Int? = nil) {
    report(finished.add(1, ordering: .relaxed).newValue, total, name)
  }
}
