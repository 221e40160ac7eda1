/// The work and the output that one use of a query may take.
///
/// A short query can multiply: `$..*..*` visits each node once for every ancestor. The limits are far above the needs of
/// real documents, and far below what fills a machine's memory.
package struct QueryBudget: Hashable, Sendable {
  package enum Limit: Hashable, Sendable {
    case visits, nodes, output
  }

  /// The number of nodes that selectors and filters look at. Long texts count more than once, and so do the steps of
  /// regular expressions.
  package var visits: Int
  /// The number of nodes in a result, and between two segments.
  package var nodes: Int
  /// The size of the result as text, in bytes.
  package var output: Int

  package static let standard = QueryBudget(visits: 10_000_000, nodes: 500_000, output: 16 << 20)

  package init(visits: Int, nodes: Int, output: Int) {
    // Far beyond any machine, and still a number that can be multiplied.
    self.visits = min(visits, 1 << 40)
    self.nodes = nodes
    self.output = output
  }

  /// A step of a regular expression is much cheaper than a visit.
  static let stepsPerVisit = 16
  /// The number of bytes of a text that are compared at the cost of a visit.
  static let bytesPerVisit = 64
}

/// Why the evaluation of a query ended without a result.
package enum QueryFailure: Error, Hashable, Sendable {
  /// A limit is exceeded at an offset of the query, in UTF-8 bytes.
  case exceeded(QueryBudget.Limit, of: Int, offset: Int)
  /// The task was canceled.
  case canceled

  /// The position in the query; nil if the query is not the reason.
  package var offset: Int? {
    if case .exceeded(_, _, let offset) = self { offset } else { nil }
  }

  /// A verb and its object, for a sentence whose subject is the query.
  package var message: String {
    switch self {
    case .exceeded(.visits, let limit, _): "visits more than \(Self.grouped(limit)) nodes"
    case .exceeded(.nodes, let limit, _): "selects more than \(Self.grouped(limit)) nodes"
    case .exceeded(.output, let limit, _): "selects more than \(Self.grouped(limit)) bytes of text"
    case .canceled: "was interrupted"
    }
  }

  package var help: String? {
    switch self {
    case .exceeded: "narrow the query: name members instead of using `..` and `*` more than once"
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

/// Counts the visits of one evaluation.
struct VisitMeter {
  let budget: QueryBudget
  /// The segment that is being evaluated, as its offset in the query.
  var offset = 0
  private var visits = 0
  private var nextLook = Self.interval

  /// The number of visits between two looks at the task, so that small queries never ask.
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

  /// A text that is read to its end.
  mutating func spend(text: String) throws(QueryFailure) { try spend(1 + text.utf8.count / QueryBudget.bytesPerVisit) }

  func check(nodes: Int) throws(QueryFailure) {
    guard nodes <= budget.nodes else { throw .exceeded(.nodes, of: budget.nodes, offset: offset) }
  }
}
