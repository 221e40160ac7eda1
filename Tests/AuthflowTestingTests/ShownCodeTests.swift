import Foundation
import Testing

/// What the documentation shows of Swift is what these tests compile and run.
@Suite struct ShownCodeTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()

  static let page = "Sources/AuthflowTesting/AuthflowTesting.docc/AppTests.md"

  static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }

  /// The lines between a mark and its end, without their common indentation.
  static func marked(_ name: String, in file: String) throws -> String {
    let lines = try text(file).components(separatedBy: "\n")
    let mark = try #require(lines.firstIndex { $0.hasSuffix("// shown: \(name)") })
    let rest = lines[(mark + 1)...]
    let end = try #require(rest.firstIndex { $0.hasSuffix("// shown: end") })
    let block = rest[..<end]
    let indentation = block.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return block.map { String($0.dropFirst(indentation)) }.joined(separator: "\n")
  }

  @Test(
    arguments: [
      ("a workflow", "WorkflowTests.swift", "README.md"), ("a workflow", "WorkflowTests.swift", page),
      ("the seam", "SampleApp.swift", page), ("the tests", "SampleAppTests.swift", page),
    ])
  func thisCodeIsShown(name: String, file: String, page: String) throws {
    let code = try Self.marked(name, in: file)
    #expect(code.split(separator: "\n").count >= 4)
    #expect(try Self.text("../../\(page)").contains("```swift\n\(code)\n```"), "\(page) has another \"\(name)\"")
  }
}
