import AuthflowTesting
import Foundation
import Testing

/// The app's sign-in workflow. Its files are resources in the test bundle, because tests on a device cannot read the
/// source folder. They are JSON and property lists, because libyaml is not available on iOS.
@Suite struct WorkflowTests {
  static let suite = Result {
    let folder = try #require(Bundle.module.url(forResource: "Workflows", withExtension: nil))
    return try WorkflowSuite(contentsOf: folder.appending(path: "profile.json"))
  }

  @Test(arguments: try suite.get().scenarios)
  func workflow(scenario: WorkflowScenario) async throws {
    try await scenario.check()
  }
}
