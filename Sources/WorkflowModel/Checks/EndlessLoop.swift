import Diagnostics

extension WorkflowCheck {
  /// A loop of steps without an exit.
  static let endlessLoop = WorkflowCheck(
    "endless-loop", .error, needsEveryStep: true, "loop that only a failure can end"
  ) { checked in
    checked.graphs.flatMap { graph in
      graph.loops.compactMap { loop -> Diagnostic? in
        guard let first = loop.min() else { return nil }
        guard !loop.contains(where: { graph.steps[$0].maxRuns != nil }) else { return nil }
        let (hasExit, canFail) = graph.exits(of: loop)
        guard !hasExit else { return nil }
        let ids = loop.sorted().map { graph.steps[$0].id }
        return .endlessLoop(ids, canFail: canFail, maxSteps: checked.workflow.maxSteps, at: graph.steps[first])
      }
    }
  }
}

extension StepGraph {
  /// Returns whether a loop has an exit other than a default failure, and whether a step in the loop can fail.
  fileprivate func exits(of loop: Set<Int>) -> (hasExit: Bool, canFail: Bool) {
    var canFail = false
    for edge in loop.flatMap(Self.places).flatMap(loopEdges) {
      if let target = edge.target {
        if !loop.contains(target.position) { return (true, canFail) }
      } else if edge.destination == .success {
        return (true, canFail)
      } else if case .on = edge.rule.source {
        return (true, canFail)
      } else if edge.outcome.name != .invalidParameter {
        // An unresolved value fails in the first iteration or not at all, so it does not end a loop.
        canFail = true
      }
    }
    return (false, canFail)
  }

  /// Returns the edges from a place. Detours are omitted, because a run takes each detour only once.
  fileprivate func loopEdges(from place: Place) -> [Edge] {
    edges(from: place).filter { edge in
      if case .detour = edge.destination { false } else { true }
    }
  }

  /// The loops of the graph. They are its strongly connected components, found with Tarjan's algorithm without
  /// recursion.
  fileprivate var loops: [Set<Int>] {
    var successors: [Int: Set<Int>] = [:]
    for place in reached {
      for edge in loopEdges(from: place) {
        if let target = edge.target { successors[place.position, default: []].insert(target.position) }
      }
    }
    var index: [Int: Int] = [:]
    var lowLink: [Int: Int] = [:]
    var stack: [Int] = []
    var onStack: Set<Int> = []
    var loops: [Set<Int>] = []
    for root in steps.indices where index[root] == nil && successors[root] != nil {
      var work: [(node: Int, unvisited: [Int])] = []
      func visit(_ node: Int) {
        index[node] = index.count
        lowLink[node] = index[node]
        stack.append(node)
        onStack.insert(node)
        work.append((node, (successors[node] ?? []).sorted()))
      }
      visit(root)
      while let (node, successorsLeft) = work.popLast() {
        var unvisited = successorsLeft
        if let next = unvisited.popLast() {
          work.append((node, unvisited))
          if index[next] == nil {
            visit(next)
          } else if onStack.contains(next) {
            lowLink[node] = min(lowLink[node] ?? 0, index[next] ?? 0)
          }
          continue
        }
        if let parent = work.last?.node { lowLink[parent] = min(lowLink[parent] ?? 0, lowLink[node] ?? 0) }
        guard lowLink[node] == index[node] else { continue }
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
  fileprivate static func endlessLoop(_ ids: [String], canFail: Bool, maxSteps: Int, at step: Step) -> Diagnostic {
    let loop = ids.count == 1 ? "step `\(ids[0])`" : "steps \(ids.quotedList)"
    return Diagnostic(
      canFail ? .warning : .error, rule: WorkflowCheck.endlessLoop.id,
      canFail
        ? "\(loop) repeat\(ids.count == 1 ? "s" : "") until a step fails or `maxSteps` (\(maxSteps)) is reached"
        : "endless loop: \(loop)",
      help: "set `maxRuns` on a step in the loop, or add an `on` target outside the loop", at: step.place)
  }
}
