import Diagnostics

/// An entry-by-entry comparison of an expected path with an actual path.
package struct PathComparison: Sendable {
  package enum Kind: Sendable, Hashable {
    case same
    /// The entries differ.
    case different
    /// An expected entry is missing.
    case missing
    /// The entry is unexpected.
    case extra
    /// `...` matches the entry.
    case anything
  }

  package struct Row: Sendable, Hashable {
    package var expected: String?
    package var actual: String?
    package var kind: Kind
    /// The position in the actual path, starting at 0, or nil for a missing entry.
    package var index: Int?
    /// The position in the expected path, starting at 0.
    package var expectedIndex: Int?
  }

  package private(set) var rows: [Row] = []
  /// The number of entries in the actual path.
  private let length: Int

  private static let anything = "..."
  private static let extraPrice = 1
  private static let missingPrice = 3
  /// The maximum size of the alignment table. If the paths are longer, entries with the same position are compared
  /// without alignment.
  private static let mostCells = 4_000_000

  /// - Parameter expected: Entries such as `silent.success`. The entry `...` matches any number of entries.
  package init(expected: [String], actual: [String]) {
    length = actual.count
    guard (expected.count + 1) * (actual.count + 1) <= Self.mostCells else {
      for index in 0..<max(expected.count, actual.count) {
        let left = expected.indices.contains(index) ? expected[index] : nil
        let right = actual.indices.contains(index) ? actual[index] : nil
        let kind: Kind = left == right ? .same : left == nil ? .extra : right == nil ? .missing : .different
        rows.append(
          Row(
            expected: left, actual: right, kind: kind, index: right.map { _ in index },
            expectedIndex: left.map { _ in index }))
      }
      return
    }
    align(expected, actual)
  }

  /// The index of the first row that differs.
  package var firstDifference: Int? { rows.firstIndex { $0.kind != .same && $0.kind != .anything } }

  /// The position of the expected entry at the first difference. This entry is missing, or another entry occurred
  /// instead of it.
  package var expectedIndex: Int? {
    guard let first = firstDifference else { return nil }
    return rows[first...].lazy.compactMap(\.expectedIndex).first
  }

  /// The position of the actual entry whose step caused the difference, or nil if the path is empty.
  ///
  /// If a step ended with a different outcome, that step caused the difference. If a different step or no step ran, the
  /// previous step caused the difference.
  package var decidingIndex: Int? {
    guard let first = firstDifference else { return nil }
    let row = rows[first]
    if row.kind == .different, let expected = row.expected, let actual = row.actual,
      Self.step(of: expected) == Self.step(of: actual)
    {
      return row.index
    }
    let before = rows[..<first].compactMap(\.index).last
    return before ?? row.index
  }

  /// A description of the first difference in one sentence.
  package var sentence: String? {
    guard let first = firstDifference else { return nil }
    let row = rows[first]
    switch row.kind {
    case .missing:
      return row.expected.map { expected in
        rows[first...].allSatisfy { $0.actual == nil }
          ? "the path ends after \(length.counting("entry", plural: "entries")), expected \(expected) next"
          : "the path does not contain \(expected)"
      }
    case .extra:
      return
        "the path differs at entry \((row.index ?? 0) + 1): unexpected \(row.actual ?? "nothing")"
    default:
      return
        "the path differs at entry \((row.index ?? 0) + 1): expected \(row.expected ?? "nothing"), found \(row.actual ?? "nothing")"
    }
  }

  private static func step(of entry: String) -> Substring {
    entry.lastIndex(of: ".").map { entry[..<$0] } ?? entry[...]
  }

  /// Finds the alignment with the lowest cost. A different outcome for the same step costs less than a different step.
  /// A different step costs less than an extra entry plus a missing entry.
  private mutating func align(_ expected: [String], _ actual: [String]) {
    let width = actual.count + 1
    var costs = [Int](repeating: 0, count: (expected.count + 1) * width)
    func at(_ i: Int, _ j: Int) -> Int { i * width + j }
    func price(_ i: Int, _ j: Int) -> Int {
      if expected[i] == actual[j] { return 0 }
      return Self.step(of: expected[i]) == Self.step(of: actual[j]) ? 1 : 3
    }
    for i in stride(from: expected.count, through: 0, by: -1) {
      for j in stride(from: actual.count, through: 0, by: -1) {
        let isAnything = i < expected.count && expected[i] == Self.anything
        var best = Int.max
        if i == expected.count, j == actual.count { best = 0 }
        if j < actual.count { best = min(best, costs[at(i, j + 1)] + (isAnything ? 0 : Self.extraPrice)) }
        if i < expected.count { best = min(best, costs[at(i + 1, j)] + (isAnything ? 0 : Self.missingPrice)) }
        if i < expected.count, j < actual.count, !isAnything {
          best = min(best, costs[at(i + 1, j + 1)] + price(i, j))
        }
        costs[at(i, j)] = best
      }
    }
    var (i, j) = (0, 0)
    var isOpen = false
    while i < expected.count || j < actual.count {
      let cost = costs[at(i, j)]
      if i < expected.count, expected[i] == Self.anything {
        if costs[at(i + 1, j)] == cost {
          if !isOpen {
            rows.append(Row(expected: Self.anything, actual: nil, kind: .anything, index: nil, expectedIndex: i))
          }
          i += 1
          isOpen = false
        } else {
          rows.append(
            Row(expected: isOpen ? nil : Self.anything, actual: actual[j], kind: .anything, index: j, expectedIndex: i))
          isOpen = true
          j += 1
        }
      } else if i < expected.count, j < actual.count, costs[at(i + 1, j + 1)] + price(i, j) == cost {
        let kind: Kind = expected[i] == actual[j] ? .same : .different
        rows.append(Row(expected: expected[i], actual: actual[j], kind: kind, index: j, expectedIndex: i))
        i += 1
        j += 1
      } else if i < expected.count, costs[at(i + 1, j)] + Self.missingPrice == cost {
        rows.append(Row(expected: expected[i], actual: nil, kind: .missing, index: nil, expectedIndex: i))
        i += 1
      } else {
        rows.append(Row(expected: nil, actual: actual[j], kind: .extra, index: j, expectedIndex: nil))
        j += 1
      }
    }
  }
}
