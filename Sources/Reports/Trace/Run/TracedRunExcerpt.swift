import OrderedCollections

/// The start and the end of a long run.
package struct TracedRunExcerpt: Sendable {
  /// The maximum number of items to keep in each list.
  package struct Limits: Sendable {
    package var steps: Int
    package var exchanges: Int
    package var decisions: Int
    package var cacheWrites: Int
    package var tokens: Int

    package init(steps: Int, exchanges: Int, decisions: Int, cacheWrites: Int, tokens: Int) {
      self.steps = steps
      self.exchanges = exchanges
      self.decisions = decisions
      self.cacheWrites = cacheWrites
      self.tokens = tokens
    }
  }

  /// The omitted part of a list.
  package struct Omission: Sendable, Equatable {
    /// The name of the list, such as `steps` or `HTTP exchanges`.
    package var name: String
    package var kept: Int
    package var all: Int
  }

  /// The run without the omitted parts. References between the lists remain valid.
  package let tracedRun: TracedRun
  /// The omissions. The list is empty if the run is complete.
  package let omissions: [Omission]

  /// Creates an excerpt. Half of the remaining items in each list are from its start, and half are from its end.
  package init(of whole: TracedRun, limits: Limits) {
    let steps = IncludedPositions(of: whole.steps.count, most: limits.steps)
    let exchanges = IncludedPositions(of: whole.exchanges.count, most: limits.exchanges)
    let decisions = IncludedPositions(of: whole.decisions.count, most: limits.decisions)
    let tokens = IncludedPositions(of: whole.tokens.count, most: limits.tokens)
    let interactions = IncludedPositions(of: whole.interactions.count, most: limits.steps)
    let writes = IncludedPositions(of: whole.cacheWrites.count, most: limits.cacheWrites)
    let omissions = [
      ("steps", steps), ("HTTP exchanges", exchanges), ("decisions", decisions),
      ("interactions", interactions),
      ("cache writes", writes), ("tokens and codes", tokens),
    ].compactMap { name, kept in
      kept.isAll ? nil : Omission(name: name, kept: kept.all - kept.omitted.count, all: kept.all)
    }
    self.omissions = omissions
    guard !omissions.isEmpty else {
      tracedRun = whole
      return
    }

    var tracedRun = whole
    tracedRun.steps = steps.of(whole.steps) { step in
      step.parent = step.parent.flatMap(steps.position)
      step.decisions = step.decisions.compactMap(decisions.position)
      step.exchanges = step.exchanges.compactMap(exchanges.position)
      step.interactions = step.interactions.compactMap(interactions.position)
      step.cacheWrites = step.cacheWrites.compactMap(writes.position)
      step.children = step.children.compactMap(steps.position)
    }
    tracedRun.exchanges = exchanges.of(whole.exchanges) { $0.step = $0.step.flatMap(steps.position) }
    tracedRun.decisions = decisions.of(whole.decisions) { $0.step = $0.step.flatMap(steps.position) }
    tracedRun.interactions = interactions.of(whole.interactions) { $0.step = $0.step.flatMap(steps.position) }
    tracedRun.cacheWrites = writes.of(whole.cacheWrites) { $0.step = $0.step.flatMap(steps.position) }
    if let first = writes.omitted.first, let last = writes.omitted.last {
      // The first write after the gap includes the changes of the omitted writes, so that the cache contents are
      // correct from there on.
      tracedRun.cacheWrites[first].changes = Self.changes(whole, first...last + 1)
      tracedRun.cacheWrites[first].reason += ", and \(writes.omitted.count) omitted writes before it"
    }
    tracedRun.tokens = tokens.of(whole.tokens) { token in
      token.uses = token.uses.compactMap { use in
        switch use {
        case .sent(let position): exchanges.position(position).map { .sent(exchange: $0) }
        case .received(let position): exchanges.position(position).map { .received(exchange: $0) }
        case .cached(let position): writes.position(position).map { .cached(write: $0) }
        }
      }
      for index in token.acquisitions.indices {
        token.acquisitions[index].step = token.acquisitions[index].step.flatMap(steps.position)
      }
      let most = max(2, limits.exchanges / 10)
      if token.uses.count > most { token.uses = token.uses.prefix(most / 2) + token.uses.suffix(most - most / 2) }
      if token.acquisitions.count > most {
        token.acquisitions = token.acquisitions.prefix(most / 2) + token.acquisitions.suffix(most - most / 2)
      }
    }
    self.tracedRun = tracedRun
  }

  /// Returns the combined changes of several writes.
  private static func changes(_ tracedRun: TracedRun, _ writes: ClosedRange<Int>) -> [TracedCacheWrite.Change] {
    let before = tracedRun.cache(before: tracedRun.cacheWrites[writes.lowerBound].seq).entries
    var last: OrderedDictionary<TracedCacheKey, TracedCacheWrite.Change> = [:]
    for write in tracedRun.cacheWrites[writes] { for change in write.changes { last[change.key] = change } }
    return last.values.compactMap { change in
      var change = change
      let held = before[change.key]
      if change.kind == "deleted" { return held == nil ? nil : change }
      if held == change.entry { return nil }
      change.kind = held == nil ? "added" : "changed"
      return change
    }
  }
}

/// The positions that an excerpt keeps in a list.
private struct IncludedPositions {
  let all: Int
  /// The omitted positions.
  let omitted: Range<Int>

  init(of all: Int, most: Int) {
    self.all = all
    // Keep at least one item at the end.
    let most = max(2, most)
    omitted = all > most ? (most / 2)..<(all - (most - most / 2)) : 0..<0
  }

  var isAll: Bool { omitted.isEmpty }

  /// Returns an item's new position, or nil if the item is omitted.
  func position(_ old: Int) -> Int? {
    omitted.isEmpty || old < omitted.lowerBound ? old : old < omitted.upperBound ? nil : old - omitted.count
  }

  func of<Item>(_ items: [Item], _ change: (inout Item) -> Void) -> [Item] {
    var kept = isAll ? items : Array(items[..<omitted.lowerBound] + items[omitted.upperBound...])
    for index in kept.indices { change(&kept[index]) }
    return kept
  }
}
