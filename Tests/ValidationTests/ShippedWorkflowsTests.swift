import Diagnostics
import Documents
import Foundation
import TestSupport
import Testing
import Validation

/// Tests that shipped workflows have no findings, because they are examples.
@Suite struct ShippedWorkflowsTests {
  static let folder = ProjectFiles.directory.appending(path: "Workflows")

  static let files: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".json") || $0.hasSuffix(".plist") }.sorted()
  }()

  @Test(arguments: files) func reportsNothingForAShippedFile(name: String) throws {
    let validator = ProjectValidator { path, options in
      guard let bytes = try? ProjectFiles.bytes(of: Self.folder.appending(path: path)) else {
        return ReadResult(
          document: nil, diagnostics: [Diagnostic(.error, rule: "unreadable-file", path, at: .file(path))])
      }
      return DocumentReader.read(bytes, named: path, options: options)
    }
    let bytes = try ProjectFiles.bytes(of: Self.folder.appending(path: name))
    let report = validator.validate([NamedFile(name: name, bytes: bytes)])
    #expect(report.diagnostics.filter { $0.severity != .note }.map { "\($0.rule): \($0.message)" } == [])
    #expect(
      report.files.map { "\($0.kind)" }.first.map {
        ["workflow", "scenarios", "authSettings", "directory"].contains($0)
      } == true)
  }

  @Test func findsShippedFiles() { #expect(Self.files.count >= 7) }
}
