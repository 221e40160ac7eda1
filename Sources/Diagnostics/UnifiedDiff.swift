/// The difference between two texts, in the format of `diff -u` and `patch`.
package enum UnifiedDiff {
  /// The number of unchanged lines around a change.
  static let context = 3

  /// Returns the difference, or an empty string if the texts are equal. Lines include their line endings, so `\r\n` is
  /// preserved.
  package static func text(old: String, new: String, name: String) -> String {
    String(decoding: bytes(old: Array(old.utf8), new: Array(new.utf8), name: name), as: UTF8.self)
  }

  /// Returns the unified diff of two byte sequences.
  package static func bytes(old: [UInt8], new: [UInt8], name: String) -> [UInt8] {
    guard old != new else { return [] }
    let (oldLines, newLines) = (Lines(old), Lines(new))
    // A tab marks the end of a name that contains spaces.
    let name = CaretFrame.visible(name) + (name.contains(" ") ? "\t" : "")
    var result = Array("--- \(name)\n+++ \(name)\n".utf8)
    for hunk in hunks(LineChanges.between(oldLines, newLines), oldLines.count, newLines.count) {
      hunk.write(oldLines, newLines, to: &result)
    }
    return result
  }

  /// Changes that are close enough together to share context lines.
  private struct Hunk {
    var changes: [LineChanges.Change]
    var old: Range<Int>
    var new: Range<Int>

    func write(_ oldLines: Lines, _ newLines: Lines, to result: inout [UInt8]) {
      result += Array("@@ -\(Self.header(old)) +\(Self.header(new)) @@\n".utf8)
      var position = old.lowerBound
      for change in changes {
        for line in position..<change.old.lowerBound { oldLines.write(line, " ", to: &result) }
        for line in change.old { oldLines.write(line, "-", to: &result) }
        for line in change.new { newLines.write(line, "+", to: &result) }
        position = change.old.upperBound
      }
      for line in position..<old.upperBound { oldLines.write(line, " ", to: &result) }
    }

    /// Lines are numbered from 1. For an empty range, the number is that of the preceding line.
    private static func header(_ range: Range<Int>) -> String {
      switch range.count {
      case 0: "\(range.lowerBound),0"
      case 1: "\(range.lowerBound + 1)"
      default: "\(range.lowerBound + 1),\(range.count)"
      }
    }
  }

  private static func hunks(_ changes: [LineChanges.Change], _ oldCount: Int, _ newCount: Int) -> [Hunk] {
    var hunks: [Hunk] = []
    for change in changes {
      let old = max(0, change.old.lowerBound - context)..<min(oldCount, change.old.upperBound + context)
      let new = max(0, change.new.lowerBound - context)..<min(newCount, change.new.upperBound + context)
      if var last = hunks.last, last.old.upperBound >= old.lowerBound {
        last.changes.append(change)
        last.old = last.old.lowerBound..<old.upperBound
        last.new = last.new.lowerBound..<new.upperBound
        hunks[hunks.count - 1] = last
      } else {
        hunks.append(Hunk(changes: [change], old: old, new: new))
      }
    }
    return hunks
  }
}

/// Text split into lines, including line endings.
struct Lines {
  private let bytes: [UInt8]
  private var starts: [Int] = []
  private var hashes: [UInt64] = []

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var start = 0
    while start < bytes.count {
      starts.append(start)
      // FNV-1a.
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      var end = start
      while end < bytes.count {
        hash = (hash ^ UInt64(bytes[end])) &* 0x0100_0000_01B3
        end += 1
        if bytes[end - 1] == 0x0A { break }
      }
      hashes.append(hash)
      start = end
    }
    starts.append(bytes.count)
  }

  var count: Int { hashes.count }

  func isEqual(_ line: Int, _ other: Lines, _ otherLine: Int) -> Bool {
    guard hashes[line] == other.hashes[otherLine] else { return false }
    return bytes[starts[line]..<starts[line + 1]] == other.bytes[other.starts[otherLine]..<other.starts[otherLine + 1]]
  }

  func write(_ line: Int, _ mark: Character, to result: inout [UInt8]) {
    result += Array(mark.utf8)
    result += bytes[starts[line]..<starts[line + 1]]
    if bytes[starts[line + 1] - 1] != 0x0A { result += Array("\n\\ No newline at end of file\n".utf8) }
  }
}

/// A search for replaced lines with Myers' shortest edit script, up to a maximum number of changes.
enum LineChanges {
  struct Change: Equatable {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// The maximum number of added and removed lines. Beyond this limit, all lines between the first and the last change
  /// count as changed, because time and memory grow quadratically.
  static let bound = 1024

  static func between(_ old: Lines, _ new: Lines) -> [Change] {
    var start = 0
    while start < old.count, start < new.count, old.isEqual(start, new, start) { start += 1 }
    var (oldEnd, newEnd) = (old.count, new.count)
    while oldEnd > start, newEnd > start, old.isEqual(oldEnd - 1, new, newEnd - 1) {
      oldEnd -= 1
      newEnd -= 1
    }
    if start == oldEnd, start == newEnd { return [] }
    return myers(old, start..<oldEnd, new, start..<newEnd) ?? [Change(old: start..<oldEnd, new: start..<newEnd)]
  }

  /// Finds the edit script with the greedy algorithm from E. W. Myers, “An O(ND) Difference Algorithm and Its
  /// Variations” (1986). Returns nil if the limit is exceeded.
  private static func myers(_ old: Lines, _ oldRange: Range<Int>, _ new: Lines, _ newRange: Range<Int>) -> [Change]? {
    let (n, m) = (oldRange.count, newRange.count)
    guard n > 0, m > 0 else { return nil }
    // The furthest point on each diagonal after d changes: reach[d][k + d] is x, counting old lines; y = x - k.
    var history: [[Int32]] = []
    var last: [Int32] = [0, 0, 0]
    for d in 0...min(bound, n + m) {
      var reach = [Int32](repeating: 0, count: 2 * d + 1)
      for k in stride(from: -d, through: d, by: 2) {
        var x: Int
        if d == 0 {
          x = 0
        } else if k == -d || (k != d && last[k - 1 + d - 1] < last[k + 1 + d - 1]) {
          x = Int(last[k + 1 + d - 1])
        } else {
          x = Int(last[k - 1 + d - 1]) + 1
        }
        while x < n, x - k < m, x - k >= 0, old.isEqual(oldRange.lowerBound + x, new, newRange.lowerBound + x - k) {
          x += 1
        }
        reach[k + d] = Int32(truncatingIfNeeded: x)
        if x >= n, x - k >= m {
          history.append(reach)
          return changes(history, n, m, oldRange.lowerBound, newRange.lowerBound)
        }
      }
      history.append(reach)
      last = reach
    }
    return nil
  }

  /// Traces the history backward and merges changes to adjacent lines.
  private static func changes(_ history: [[Int32]], _ n: Int, _ m: Int, _ oldBase: Int, _ newBase: Int) -> [Change] {
    var changes: [Change] = []
    var (x, y) = (n, m)
    for d in stride(from: history.count - 1, to: 0, by: -1) {
      let last = history[d - 1]
      let k = x - y
      let isInsertion = k == -d || (k != d && last[k - 1 + d - 1] < last[k + 1 + d - 1])
      let fromX = Int(last[(isInsertion ? k + 1 : k - 1) + d - 1])
      let fromY = fromX - (isInsertion ? k + 1 : k - 1)
      let old = oldBase + fromX..<oldBase + fromX + (isInsertion ? 0 : 1)
      let new = newBase + fromY..<newBase + fromY + (isInsertion ? 1 : 0)
      if let next = changes.last, next.old.lowerBound == old.upperBound, next.new.lowerBound == new.upperBound {
        changes[changes.count - 1] = Change(
          old: old.lowerBound..<next.old.upperBound, new: new.lowerBound..<next.new.upperBound)
      } else {
        changes.append(Change(old: old, new: new))
      }
      (x, y) = (fromX, fromY)
    }
    return changes.reversed()
  }
}
