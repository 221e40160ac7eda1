import Foundation
import Testing

/// What the README shows of Swift is what these tests compile and run.
@Suite struct ReadmeTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  /// The lines between a mark and its end, without their common indentation.
  static func marked(_ name: String, in file: String) throws -> String {
    let lines = try text(file).components(separatedBy: "\n")
    let mark = try #require(lines.firstIndex { $0.hasSuffix("// README: \(name)") })
    let rest = lines[(mark + 1)...]
    let end = try #require(rest.firstIndex { $0.hasSuffix("// README: end") })
    let block = rest[..<end]
    let indentation = block.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return block.map { String($0.dropFirst(indentation)) }.joined(separator: "\n")
  }

  @Test(
    arguments: [
      ("a workflow", "WorkflowTests.swift"), ("the seam", "SampleApp.swift"), ("the tests", "SampleAppTests.swift"),
    ])
  func theReadmeShowsThisCode(name: String, file: String) throws {
    let code = try Self.marked(name, in: file)
    #expect(code.split(separator: "\n").count >= 4)
    #expect(
      try Self.text("../../README.md").contains("```swift\n\(code)\n```"), "README's copy of \"\(name)\" is another")
  }
}
