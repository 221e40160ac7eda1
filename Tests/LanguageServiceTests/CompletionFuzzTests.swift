import Diagnostics
import Documents
import LanguageService
import TestSupport
import Testing

@Suite struct CompletionFuzzTests {
  /// A generator with a fixed seed (Knuth's MMIX).
  private struct Generator {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(max(1, bound)))
    }
  }

  private static func files(_ folder: String) throws -> [String] {
    try ProjectFiles.files(in: folder).filter { name in
      [".yaml", ".json", ".plist", ".entitlements", ".xml"].contains { name.hasSuffix($0) }
    }
    .map { "\(folder)/\($0)" }
  }

  @Test("accepts truncated files and cursors at every offset", arguments: ["Workflows", "Tests/Fixtures"])
  func acceptsTruncatedFiles(folder: String) throws {
    var random = Generator(state: 1)
    for file in try Self.files(folder) {
      let bytes = try ProjectFiles.bytes(of: file)
      guard bytes.count < 50_000 else { continue }
      for _ in 0..<4 {
        let cut = random.next(below: bytes.count + 1)
        let text = String(decoding: bytes[..<cut], as: UTF8.self)
        try check(FilePath.name(of: file), text, at: [text.utf8.count, random.next(below: text.utf8.count + 1)])
      }
    }
  }

  @Test("accepts deep nesting and text that is not a document")
  func acceptsHostileText() throws {
    let texts = [
      String(repeating: "[", count: 5_000), String(repeating: "{\"a\":", count: 5_000),
      String(repeating: "- ", count: 5_000), String(repeating: "a:\n ", count: 200), "\"", "'", "{", ": :", "- -\n-",
      "a: |\n\n\n", "<plist>" + String(repeating: "<dict><key>a</key>", count: 2_000), "<", "<!--", "\u{1}", "\r\r\n",
      "a: ${", "steps:\n- - -\n  - x:\n y", "😀: 😀", "- a\n b\n  c: d\n - e", "{a: {b: [c, {d: ", "a: 'b\nc: d",
    ]
    for text in texts {
      for name in ["a.yaml", "a.json", "AuthSettings.plist"] {
        let count = text.utf8.count
        try check(name, text, at: [0, count / 2, count])
        try check(name, "authflow: 1\nsteps:\n" + text, at: [19, count + 19])
      }
    }
  }

  private func check(_ name: String, _ text: String, at offsets: [Int]) throws {
    let project = try CompletionProject(name, text)
    let count = project.document.source.bytes.count
    for offset in offsets {
      for item in project.snapshot.completions(in: project.document, at: offset) {
        let isValid = item.span.start >= 0 && item.span.start <= item.span.end && item.span.end <= count
        if !isValid { Issue.record("\(name) at \(offset): \(item)") }
      }
      if let hover = project.snapshot.hover(in: project.document, at: offset) {
        #expect(hover.span.start >= 0 && hover.span.start <= hover.span.end && hover.span.end <= count)
      }
    }
  }
}
