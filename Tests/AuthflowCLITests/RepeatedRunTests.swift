import AuthflowCLI
import SimulatedWorld
import Testing

/// Every shipped workflow succeeds again in the place where it ran before, and whichever of them ran in between.
@Suite struct ShippedTwiceTests {
  /// The shipped files that are workflows, in alphabetical order.
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

  /// Forwards and then backwards, so that each one runs after each of the others.
  @Test func allOfThemTwiceInOnePlace() async throws {
    let session = try TerminalSession(shipped: true)
    let names = Self.workflows(in: session)
    #expect(names.count >= 19, "\(names)")
    for (round, name) in (names + names.reversed()).enumerated() {
      let result = try await session.run("run", name)
      #expect(result.status == .success, "\(name), run \(round + 1) of this place: \(result.output)\(result.error)")
    }
  }

  /// Nothing else ran in between: what a workflow leaves must not be in its own way.
  @Test func eachOfThemTwiceInARow() async throws {
    for name in Self.workflows(in: try TerminalSession(shipped: true)) {
      let session = try TerminalSession(shipped: true)
      for round in 1...2 {
        let result = try await session.run("run", name)
        #expect(result.status == .success, "\(name), run \(round): \(result.output)\(result.error)")
      }
    }
  }
}
