/// An evaluator that applies one query to one value (RFC 9535 §2.3 to §2.5) and caches intermediate results.
final class Evaluator<Value: QueryableValue> {
  struct Located {
    var value: Value
    var path: PathLink?
  }

  let root: Value
  /// Whether to record the paths of nodes. Filters do not require paths.
  private let tracksPaths: Bool
  var meter: VisitMeter
  /// The results of absolute queries in filters, by query number.
  private var absoluteResults: [Int: [Value]] = [:]
  /// The number of nodes in `absoluteResults`.
  private var absoluteNodes = 0
  /// Compiled patterns from the document. A value is nil if the text is not an I-Regexp.
  var patterns: [String: IRegexp?] = [:]

  init(root: Value, tracksPaths: Bool, budget: QueryBudget) {
    self.root = root
    self.tracksPaths = tracksPaths
    meter = VisitMeter(budget)
  }

  func nodes(_ segments: [Segment], from value: Value) throws(QueryFailure) -> [Located] {
    try run(segments, from: value, tracksPaths: tracksPaths)
  }

  /// Returns the nodes that a query in a filter selects.
  func values(_ query: EmbeddedQuery, at current: Value) throws(QueryFailure) -> [Value] {
    guard query.isAbsolute else { return try run(query.segments, from: current, tracksPaths: false).map(\.value) }
    if let cached = absoluteResults[query.number] { return cached }
    let result = try run(query.segments, from: root, tracksPaths: false).map(\.value)
    absoluteNodes += result.count
    try meter.check(nodes: absoluteNodes)
    absoluteResults[query.number] = result
    return result
  }

  private func run(_ segments: [Segment], from value: Value, tracksPaths: Bool) throws(QueryFailure) -> [Located] {
    var current = [Located(value: value, path: nil)]
    let outer = meter.offset
    for segment in segments {
      meter.offset = segment.offset
      var next: [Located] = []
      for node in current {
        if segment.descends {
          try descend(from: node, segment, tracksPaths, into: &next)
        } else {
          for selector in segment.selectors { try apply(selector, to: node, tracksPaths, into: &next) }
        }
      }
      current = next
    }
    meter.offset = outer
    return current
  }

  /// Applies the selectors to a node and its descendants in preorder.
  private func descend(
    from node: Located, _ segment: Segment, _ tracksPaths: Bool, into result: inout [Located]
  ) throws(QueryFailure) {
    for selector in segment.selectors { try apply(selector, to: node, tracksPaths, into: &result) }
    // Uses an explicit stack with one level per container, because a document can be deeply nested.
    var levels = [Level(try children(of: node.value), of: node.path)]
    while let last = levels.indices.last {
      guard let position = levels[last].advance() else {
        levels.removeLast()
        continue
      }
      let visited = levels[last].node(position, tracksPaths)
      for selector in segment.selectors { try apply(selector, to: visited, tracksPaths, into: &result) }
      let below = try children(of: visited.value)
      if !below.values.isEmpty { levels.append(Level(below, of: visited.path)) }
    }
  }

  private struct Level {
    private let children: Children
    private let path: PathLink?
    private var next = 0

    init(_ children: Children, of path: PathLink?) {
      self.children = children
      self.path = path
    }

    mutating func advance() -> Int? {
      guard next < children.values.count else { return nil }
      defer { next += 1 }
      return next
    }

    func node(_ position: Int, _ tracksPaths: Bool) -> Located { children.node(position, below: path, tracksPaths) }
  }

  private func apply(
    _ selector: Selector, to node: Located, _ tracksPaths: Bool, into result: inout [Located]
  ) throws(QueryFailure) {
    // Finding a member or an element of a document takes linear time.
    try meter.spend(1)
    switch selector {
    case .name(let name):
      try meter.spend(node.value.queryCount / QueryBudget.stepsPerVisit)
      guard let member = node.value.queryMember(name) else { return }
      result.append(Located(value: member, path: tracksPaths ? PathLink(node.path, .member(name)) : nil))
    case .wildcard:
      let children = try children(of: node.value)
      try meter.check(nodes: result.count + children.values.count)
      for position in children.values.indices { result.append(children.node(position, below: node.path, tracksPaths)) }
    case .index(let index):
      guard case .array = node.value.queryForm else { return }
      try meter.spend(node.value.queryCount / QueryBudget.stepsPerVisit)
      let position = index < 0 ? node.value.queryCount + index : index
      guard position >= 0, let element = node.value.queryElement(position) else { return }
      result.append(Located(value: element, path: tracksPaths ? PathLink(node.path, .element(position)) : nil))
    case .slice(let start, let end, let step):
      guard case .array = node.value.queryForm else { return }
      let children = try children(of: node.value)
      for position in Self.positions(start: start, end: end, step: step, count: children.values.count) {
        try meter.check(nodes: result.count + 1)
        result.append(children.node(position, below: node.path, tracksPaths))
      }
    case .filter(let expression):
      let children = try children(of: node.value)
      for position in children.values.indices where try isMatch(expression, at: children.values[position]) {
        try meter.check(nodes: result.count + 1)
        result.append(children.node(position, below: node.path, tracksPaths))
      }
    }
    try meter.check(nodes: result.count)
  }

  private struct Children {
    var values: [Value]
    /// The names of an object's members, or nil for an array.
    var names: [String]?

    func node(_ position: Int, below parent: PathLink?, _ tracksPaths: Bool) -> Located {
      guard tracksPaths else { return Located(value: values[position], path: nil) }
      let step: NormalizedPath.Step = names.map { NormalizedPath.Step.member($0[position]) } ?? .element(position)
      return Located(value: values[position], path: PathLink(parent, step))
    }
  }

  private func children(of value: Value) throws(QueryFailure) -> Children {
    switch value.queryForm {
    case .array:
      try meter.spend(value.queryCount)
      return Children(values: value.queryElements)
    case .object:
      try meter.spend(value.queryCount)
      var children = Children(values: [], names: [])
      value.forEachQueryMember { name, member in
        children.names?.append(name)
        children.values.append(member)
      }
      return children
    default: return Children(values: [])
    }
  }

  /// Returns the indices that a slice selects, in order (RFC 9535 §2.3.4.2.2).
  private static func positions(start: Int?, end: Int?, step: Int, count: Int) -> StrideTo<Int> {
    func fromEnd(_ index: Int) -> Int { index < 0 ? count + index : index }
    if step > 0 {
      let lower = min(max(fromEnd(start ?? 0), 0), count)
      let upper = min(max(fromEnd(end ?? count), 0), count)
      return stride(from: lower, to: upper, by: step)
    }
    if step < 0 {
      let upper = min(max(start.map(fromEnd) ?? count - 1, -1), count - 1)
      let lower = min(max(end.map(fromEnd) ?? -1, -1), count - 1)
      return stride(from: upper, to: lower, by: step)
    }
    return stride(from: 0, to: 0, by: 1)
  }
}
