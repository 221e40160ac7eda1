import AuthflowTesting
import Foundation
import Testing

/// Workflows, settings, and directories are loaded from file URLs, such as the URLs of test bundle resources.
@Suite struct FileURLTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL

  @Test func `reads a workflow and its files from a URL`() async throws {
    let suite = try WorkflowSuite(contentsOf: Self.root.appending(path: "Workflows/calendar.json"))
    let byPath = try WorkflowSuite(contentsOf: "Workflows/calendar.json")
    #expect(suite.scenarios.map(\.description) == byPath.scenarios.map(\.description))
    #expect(try await #require(suite.scenarios.first).run().passed)
  }

  @Test func `reads settings and a directory from a URL with spaces`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "authflow \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let directory = folder.appending(path: "directory.json")
    try """
    {"directory": 1, "tenants": [{"name": "Tailspin", "domains": ["tailspin.example"],
      "users": [{"username": "tess@tailspin.example", "password": "Fake-Tess-1"}]}]}
    """.write(to: directory, atomically: true, encoding: .utf8)
    let settings = folder.appending(path: "AuthSettings.json")
    try """
    {"AppId": "6731de76-14a6-49ae-97bc-6eba6914391e", "GraphScopes": ["User.Read"], "BundleId": "com.contoso.app"}
    """.write(to: settings, atomically: true, encoding: .utf8)
    let platform = try EmulatedPlatform(directory: .contentsOf(directory))
    let client = try EmulatedPublicClient(on: platform, settings: settings)
    #expect(try client.accounts().isEmpty)
  }

  @Test func `reports a missing file and a URL that is not a file URL`() throws {
    let missing = Self.root.appending(path: "Workflows/missing.json")
    let error = #expect(throws: AuthflowError.self) { try WorkflowSuite(contentsOf: missing) }
    #expect(error?.diagnostics.first?.rule == "unreadable-file")
    #expect(error?.diagnostics.first?.file.hasSuffix("Workflows/missing.json") == true)
    let remote = try #require(URL(string: "https://contoso.com/me.json"))
    let remoteError = #expect(throws: AuthflowError.self) { try WorkflowSuite(contentsOf: remote) }
    #expect(remoteError?.diagnostics.first?.file == "https://contoso.com/me.json")
  }
}
