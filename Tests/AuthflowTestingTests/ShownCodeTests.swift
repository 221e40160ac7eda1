import Foundation
import Testing

/// Compares the Swift code in the documentation with code that these tests or `.ci/check-library` compile and run.
@Suite(.serialized) struct ShownCodeTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  static let example = "../../Examples/ProfileApp"

  static let page = "Sources/AuthflowTesting/AuthflowTesting.docc/AppTests.md"

  static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  /// Returns the lines between two markers without their common indentation.
  static func marked(_ name: String, in file: String) throws -> String {
    let lines = try text(file).components(separatedBy: "\n")
    let marker = try #require(lines.firstIndex { $0.hasSuffix("// shown: \(name)") })
    let rest = lines[(marker + 1)...]
    let end = try #require(rest.firstIndex { $0.hasSuffix("// shown: end") })
    let block = rest[..<end]
    let indentation = block.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return block.map { String($0.dropFirst(indentation)) }.joined(separator: "\n")
  }

  @Test(
    arguments: [
      ("workflow", "WorkflowTests.swift", "README.md"), ("workflow", "WorkflowTests.swift", page),
      ("token provider", "\(example)/Sources/ProfileApp/ProfileModel.swift", page),
      ("tests", "\(example)/Tests/ProfileAppTests/ProfileModelTests.swift", page),
    ])
  func documentationContainsTestedCode(name: String, file: String, page: String) throws {
    let code = try Self.marked(name, in: file)
    #expect(code.split(separator: "\n").count >= 4)
    let shown = try Self.text("../../\(page)")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      // Replace the block that has the same first line.
      let start = try #require(shown.range(of: "```swift\n\(code.prefix { $0 != "\n" })\n"))
      let end = try #require(shown.range(of: "\n```", range: start.upperBound..<shown.endIndex))
      try shown.replacingCharacters(in: start.lowerBound..<end.upperBound, with: "```swift\n\(code)\n```")
        .write(to: Self.folder.appending(path: "../../\(page)"), atomically: true, encoding: .utf8)
      return
    }
    #expect(shown.contains("```swift\n\(code)\n```"), "\(page) has another version of \"\(name)\"")
  }
}
