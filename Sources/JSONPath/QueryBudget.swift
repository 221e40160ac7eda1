/// Limits for the work and the output of one evaluation.
///
/// A short query can have a large result: `$..*..*` visits each node once for every ancestor. The limits are far above
/// the needs of real documents and far below the available memory.
package struct QueryBudget: Hashable, Sendable {
  package enum Limit: Hashable, Sendable {
    case visits, nodes, output
  }

  /// The maximum number of nodes that selectors and filters visit. Long strings and regular expression steps count as
  /// additional visits.
  package var visits: Int
  /// The maximum number of nodes in a result, and after each segment.
  package var nodes: Int
  /// The maximum size of the result as text, in bytes.
  package var output: Int

  package static let standard = QueryBudget(visits: 10_000_000, nodes: 500_000, output: 16 << 20)

  package init(visits: Int, nodes: Int, output: Int) {
    // A practically unlimited value that cannot overflow in multiplications.
    self.visits = min(visits, 1 << 40)
    self.nodes = nodes
    self.output = output
  }

  /// The number of regular expression steps that count as one visit.
  static let stepsPerVisit = 16
  /// The number of compared bytes that count as one visit.
  static let bytesPerVisit = 64
}

/// The reason why an evaluation has no result.
package enum QueryFailure: Error, Hashable, Sendable {
  /// The query exceeded a limit at an offset. The offset is in UTF-8 bytes.
  case exceeded(QueryBudget.Limit, of: Int, offset: Int)
  /// The task was canceled.
  case canceled

  /// The offset in the query, or nil if the query is not the cause.
  package var offset: Int? {
    if case .exceeded(_, _, let offset) = self { offset } else { nil }
  }

  /// The predicate of a sentence whose subject is the query.
  package var message: String {
    switch self {
    case .exceeded(.visits, let limit, _): "visits more than \(Self.grouped(limit)) nodes"
    case .exceeded(.nodes, let limit, _): "selects more than \(Self.grouped(limit)) nodes"
    case .exceeded(.output, let limit, _): "selects more than \(Self.grouped(limit)) bytes of text"
    case .canceled: "was canceled"
    }
  }

  package var help: String? {
    switch self {
    case .exceeded: "narrow the query: use member names instead of several `..` and `*`"
    case .canceled: nil
    }
  }

  private static func grouped(_ number: Int) -> String {
    let digits = Array(String(number))
    return digits.enumerated().reduce(into: "") { text, digit in
      if digit.offset > 0, (digits.count - digit.offset).isMultiple(of: 3) { text += "," }
      text.append(digit.element)
    }
  }
}

/// A counter for the visits in one evaluation.
struct VisitMeter {
  let budget: QueryBudget
  /// The offset of the current segment in the query.
  var offset = 0
  private var visits = 0
  private var nextLook = Self.interval

  /// The number of visits between checks for cancellation.
  private static let interval = 8_192

  init(_ budget: QueryBudget) {
    self.budget = budget
  }

  var left: Int { budget.visits - visits }

  mutating func spend(_ count: Int) throws(QueryFailure) {
    visits += count
    guard visits <= budget.visits else { throw .exceeded(.visits, of: budget.visits, offset: offset) }
    guard visits >= nextLook else { return }
    nextLook = visits + Self.interval
    if Task.isCancelled { throw .canceled }
  }

  /// Counts the visits for a string that is read to its end.
  mutating func spend(text: String) throws(QueryFailure) { try spend(1 + text.utf8.count / QueryBudget.bytesPerVisit) }

  func check(nodes: Int) throws(QueryFailure) {
    guard nodes <= budget.nodes else { throw .exceeded(.nodes, of: budget.nodes, offset: offset) }
  }
}
