import Diagnostics
import Testing

/// The expected diffs come from GNU `diff -u`, without headers.
struct UnifiedDiffTests {
  static func lines(_ range: ClosedRange<Int>) -> String { range.map { "line \($0)\n" }.joined() }

  @Test(arguments: [
    ("a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"),
    ("", "a\n", "@@ -0,0 +1 @@\n+a\n"),
    ("a\n", "", "@@ -1 +0,0 @@\n-a\n"),
    ("a\nb", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"),
    ("a\nb\n", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"),
    ("a\nb", "A\nb", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n"),
    ("a\r\nb\r\n", "a\r\nB\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+B\r\n"),
    ("é\n", "è\n", "@@ -1 +1 @@\n-é\n+è\n"),
    (
      lines(1...20), lines(1...9) + "new\n" + lines(10...20),
      "@@ -7,6 +7,7 @@\n line 7\n line 8\n line 9\n+new\n line 10\n line 11\n line 12\n"
    ),
    (
      lines(1...20), lines(2...19),
      "@@ -1,4 +1,3 @@\n-line 1\n line 2\n line 3\n line 4\n@@ -17,4 +16,3 @@\n line 17\n line 18\n line 19\n-line 20\n"
    ),
    // If six lines separate two changes, the changes share a hunk. If seven lines separate them, there are two hunks.
    (
      "x\n" + lines(1...6) + "y\n", lines(1...6),
      "@@ -1,8 +1,6 @@\n-x\n line 1\n line 2\n line 3\n line 4\n line 5\n line 6\n-y\n"
    ),
    (
      "x\n" + lines(1...7) + "y\n", lines(1...7),
      "@@ -1,4 +1,3 @@\n-x\n line 1\n line 2\n line 3\n@@ -6,4 +5,3 @@\n line 5\n line 6\n line 7\n-y\n"
    ),
  ]) func matchesGNUDiff(old: String, new: String, hunks: String) {
    #expect(UnifiedDiff.text(old: old, new: new, name: "f.plist") == "--- f.plist\n+++ f.plist\n" + hunks)
  }

  @Test func returnsNothingForEqualTexts() {
    #expect(UnifiedDiff.text(old: "a\n", new: "a\n", name: "f") == "")
  }

  @Test func addsATabAfterANameThatContainsSpaces() {
    #expect(UnifiedDiff.text(old: "", new: "a\n", name: "my f").hasPrefix("--- my f\t\n+++ my f\t\n"))
  }

  /// Applying a diff to the old text results in the new text.
  @Test(arguments: 0..<200) func producesApplicableDiffs(seed: Int) throws {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func next(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
    var old: [String] = []
    for _ in 0..<next(30) { old.append("\(next(6))") }
    var new = old
    for _ in 0...next(8) {
      if !new.isEmpty, next(2) == 0 { new.remove(at: next(new.count)) }
      new.insert("\(next(8))", at: next(new.count + 1))
    }
    func text(_ lines: [String], _ endsOpen: Bool) -> String {
      lines.joined(separator: "\n") + (endsOpen || lines.isEmpty ? "" : "\n")
    }
    let (before, after) = (text(old, next(4) == 0), text(new, next(4) == 0))
    #expect(try Self.patch(before, UnifiedDiff.text(old: before, new: after, name: "f")) == after)
  }

  /// Applies a diff without tolerance: every line must be at its exact position.
  static func patch(_ text: String, _ diff: String) throws -> String {
    func split(_ text: String) -> [String] {
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)\n" }
      let last = lines.removeLast().dropLast()
      return last.isEmpty ? lines : lines + [String(last)]
    }
    var marked: [String] = []
    for line in split(diff).dropFirst(2) {
      if line == "\\ No newline at end of file\n", let last = marked.popLast() {
        marked.append(String(last.dropLast()))
      } else {
        marked.append(line)
      }
    }
    let old = split(text)
    var result: [String] = []
    var taken = 0
    for line in marked {
      switch line.first {
      case "@":
        let header = try #require(line.firstMatch(of: /@@ -(\d+)(?:,(\d+))? \+/))
        let first = try #require(Int(header.1)) - (header.2 == "0" ? 0 : 1)
        result += old[taken..<first]
        taken = first
      case "+": result.append(String(line.dropFirst()))
      default:
        #expect(old[taken] == String(line.dropFirst()))
        if line.first == " " { result.append(old[taken]) }
        taken += 1
      }
    }
    return (result + old[taken...]).joined()
  }

  @Test func joinsManyChanges() {
    let old = (0..<5000).map { "old \($0)\n" }.joined()
    let new = (0..<5000).map { "new \($0)\n" }.joined()
    let diff = UnifiedDiff.text(old: "a\n" + old + "z\n", new: "a\n" + new + "z\n", name: "f")
    #expect(diff.hasPrefix("--- f\n+++ f\n@@ -1,5002 +1,5002 @@\n a\n-old 0\n-old 1\n"))
    #expect(diff.utf8.count { $0 == 0x0A } == 10_005)
  }

  @Test func findsFewChangesInALargeFile() {
    let text = (0..<200_000).map { "line number \($0)\n" }.joined()
    let new = "first\n" + text.replacing("number 100000\n", with: "number x\n") + "last\n"
    let diff = UnifiedDiff.text(old: text, new: new, name: "f")
    #expect(diff.utf8.count { $0 == 0x0A } < 30)
    #expect(diff.contains("\n-line number 100000\n+line number x\n"))
  }
}
