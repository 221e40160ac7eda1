import Diagnostics

extension WorkflowCheck {
  /// Steps that form a loop without an exit.
  static let endlessLoop = WorkflowCheck(
    "endless-loop", .error, needsEveryStep: true, "loop that only a failure can end"
  ) { checked in
    [checked.main, checked.last].flatMap { graph in
      graph.loops.compactMap { loop in
        guard let first = loop.min() else { return nil }
        guard !loop.contains(where: { graph.steps[$0].maxRuns != nil }) else { return nil }
        var hasExit = false
        var fails = false
        let places = loop.flatMap { position in
          [true, false].map { StepGraph.Place(position: position, entered: $0) }
        }
        for place in places {
          for edge in graph.loopEdges(from: place) {
            if let target = edge.target {
              if !loop.contains(target.position) { hasExit = true }
            } else if edge.destination == .success {
              hasExit = true
            } else if case .on = edge.rule.source {
              hasExit = true
            } else if edge.outcome.name != Outcome.invalidParameter.name {
              // A value that cannot be resolved fails in the first iteration or never, so it does not end a loop.
              fails = true
            }
          }
        }
        guard !hasExit else { return nil }
        let names = loop.sorted().map { graph.steps[$0].id }
        return .endlessLoop(names, fails: fails, maxSteps: checked.workflow.maxSteps, at: graph.steps[first])
      }
    }
  }
}

extension StepGraph {
  /// The edges without detours, which are followed only once.
  fileprivate func loopEdges(from place: Place) -> [Edge] {
    edges(from: place).filter { edge in
      if case .detour = edge.destination { false } else { true }
    }
  }

  /// The loops: strongly connected components by Tarjan's algorithm, without recursion.
  fileprivate var loops: [Set<Int>] {
    var successors: [Int: Set<Int>] = [:]
    for place in reached {
      for edge in loopEdges(from: place) {
        if let target = edge.target { successors[place.position, default: []].insert(target.position) }
      }
    }
    var index: [Int: Int] = [:]
    var low: [Int: Int] = [:]
    var stack: [Int] = []
    var onStack: Set<Int> = []
    var loops: [Set<Int>] = []
    for root in steps.indices where index[root] == nil && successors[root] != nil {
      var work: [(node: Int, rest: [Int])] = [(root, (successors[root] ?? []).sorted())]
      index[root] = index.count
      low[root] = index[root]
      stack.append(root)
      onStack.insert(root)
      while let (node, remaining) = work.popLast() {
        var rest = remaining
        if let next = rest.popLast() {
          work.append((node, rest))
          if index[next] == nil {
            index[next] = index.count
            low[next] = index[next]
            stack.append(next)
            onStack.insert(next)
            work.append((next, (successors[next] ?? []).sorted()))
          } else if onStack.contains(next) {
            low[node] = min(low[node] ?? 0, index[next] ?? 0)
          }
          continue
        }
        if let parent = work.last?.node { low[parent] = min(low[parent] ?? 0, low[node] ?? 0) }
        guard low[node] == index[node] else { continue }
        var component: Set<Int> = []
        while let top = stack.popLast() {
          onStack.remove(top)
          component.insert(top)
          if top == node { break }
        }
        if component.count > 1 || (successors[node] ?? []).contains(node) { loops.append(component) }
      }
    }
    return loops
  }
}

extension Diagnostic {
  fileprivate static func endlessLoop(_ names: [String], fails: Bool, maxSteps: Int, at step: Step) -> Diagnostic {
    let loop = names.count == 1 ? "step `\(names[0])`" : "steps \(names.map { "`\($0)`" }.joined(separator: ", "))"
    return Diagnostic(
      fails ? .warning : .error, rule: WorkflowCheck.endlessLoop.id,
      fails
        ? "\(loop) repeat\(names.count == 1 ? "s" : "") until a step fails or `maxSteps` (\(maxSteps)) is reached"
        : "endless loop: \(loop)",
      help: "set `maxRuns` in a step of the loop, or add an `on` that leaves it", at: step.place)
  }
}
