import AuthflowCLI
import SimulatedWorld
import Testing

/// Repeated runs of the shipped workflows with the same saved state.
@Suite struct RepeatedRunTests {
  /// Returns the shipped files that are workflows, in alphabetical order.
  private static func workflows(in session: TerminalSession) -> [String] {
    let folder = TerminalSession.workingDirectory + "/"
    return session.files.paths.filter {
      $0.hasPrefix(folder + "Workflows/") && !$0.contains("/conformance/") && !$0.contains(".scenarios.")
        && !$0.hasSuffix(".md")
    }
    .map { String($0.dropFirst(folder.count)) }
    .filter { session.files.text($0)?.contains("authflow") == true && !$0.hasSuffix("Settings.plist") }
    .sorted()
  }

  /// Runs the workflows in order and in reverse order, so that every workflow runs after every other workflow.
  @Test func runsAllWorkflowsTwiceInOneStateFolder() async throws {
    let session = try TerminalSession(shipped: true)
    let names = Self.workflows(in: session)
    #expect(names.count >= 19, "\(names)")
    for (round, name) in (names + names.reversed()).enumerated() {
      let result = try await session.run("run", name)
      #expect(result.status == .success, "\(name), run \(round + 1): \(result.output)\(result.error)")
    }
  }

  /// The state that a workflow saves does not change the result of its next run.
  @Test func runsEachWorkflowTwiceInARow() async throws {
    for name in Self.workflows(in: try TerminalSession(shipped: true)) {
      let session = try TerminalSession(shipped: true)
      for round in 1...2 {
        let result = try await session.run("run", name)
        #expect(result.status == .success, "\(name), run \(round): \(result.output)\(result.error)")
      }
    }
  }
}
