/// Runs one query over one value (RFC 9535 §2.3 to §2.5). Lives for that one run and keeps what need not be found twice.
final class Evaluator<Value: QueryableValue> {
  struct Located {
    var value: Value
    var path: PathLink?
  }

  let root: Value
  /// Whether nodes remember their way from the root; inside filters nobody asks for it.
  private let tracksPaths: Bool
  /// Results of the absolute queries in filters, by their numbers.
  var absoluteResults: [Int: [Value]] = [:]
  /// Patterns that became known while running; nil where the text is no I-Regexp.
  var patterns: [String: IRegexp?] = [:]

  init(root: Value, tracksPaths: Bool) {
    self.root = root
    self.tracksPaths = tracksPaths
  }

  func nodes(_ segments: [Segment], from value: Value) -> [Located] {
    run(segments, from: value, tracksPaths: tracksPaths)
  }

  /// The nodes that a filter's own query gives.
  func values(_ query: EmbeddedQuery, at current: Value) -> [Value] {
    guard query.isAbsolute else { return run(query.segments, from: current, tracksPaths: false).map(\.value) }
    if let known = absoluteResults[query.number] { return known }
    let result = run(query.segments, from: root, tracksPaths: false).map(\.value)
    absoluteResults[query.number] = result
    return result
  }

  private func run(_ segments: [Segment], from value: Value, tracksPaths: Bool) -> [Located] {
    var current = [Located(value: value, path: nil)]
    for segment in segments {
      var next: [Located] = []
      for node in current {
        if segment.descends {
          // Before what is below it, each node; a stack of our own, because a document may be deep.
          var waiting = [node]
          while let visited = waiting.popLast() {
            for selector in segment.selectors { apply(selector, to: visited, tracksPaths, into: &next) }
            waiting.append(contentsOf: children(of: visited, tracksPaths).reversed())
          }
        } else {
          for selector in segment.selectors { apply(selector, to: node, tracksPaths, into: &next) }
        }
      }
      current = next
    }
    return current
  }

  private func apply(_ selector: Selector, to node: Located, _ tracksPaths: Bool, into result: inout [Located]) {
    switch selector {
    case .name(let name):
      guard let member = node.value.queryMember(name) else { return }
      result.append(Located(value: member, path: tracksPaths ? PathLink(node.path, .member(name)) : nil))
    case .wildcard:
      result.append(contentsOf: children(of: node, tracksPaths))
    case .index(let index):
      guard case .array = node.value.queryForm else { return }
      let position = index < 0 ? node.value.queryCount + index : index
      guard position >= 0, let element = node.value.queryElement(position) else { return }
      result.append(Located(value: element, path: tracksPaths ? PathLink(node.path, .element(position)) : nil))
    case .slice(let start, let end, let step):
      guard case .array = node.value.queryForm else { return }
      let elements = node.value.queryElements
      for position in Self.positions(start: start, end: end, step: step, count: elements.count) {
        let path = tracksPaths ? PathLink(node.path, .element(position)) : nil
        result.append(Located(value: elements[position], path: path))
      }
    case .filter(let expression):
      for child in children(of: node, tracksPaths) where holds(expression, at: child.value) { result.append(child) }
    }
  }

  private func children(of node: Located, _ tracksPaths: Bool) -> [Located] {
    switch node.value.queryForm {
    case .array:
      return node.value.queryElements.enumerated().map { position, element in
        Located(value: element, path: tracksPaths ? PathLink(node.path, .element(position)) : nil)
      }
    case .object:
      var result: [Located] = []
      node.value.forEachQueryMember { name, value in
        result.append(Located(value: value, path: tracksPaths ? PathLink(node.path, .member(name)) : nil))
      }
      return result
    default: return []
    }
  }

  /// The positions that a slice selects (RFC 9535 §2.3.4.2.2), in its order.
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
