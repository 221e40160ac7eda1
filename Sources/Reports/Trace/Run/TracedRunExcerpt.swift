import OrderedCollections

/// The beginning and the end of a long run: what a page, or a user, can take in.
package struct TracedRunExcerpt: Sendable {
  /// How many items of each list stay.
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

  /// What was left out of one list.
  package struct Omission: Sendable, Equatable {
    /// `steps`, `HTTP exchanges`, …
    package var name: String
    package var kept: Int
    package var all: Int
  }

  /// The run without what was left out. Its lists refer to each other as in any story.
  package let story: TracedRun
  /// Empty where the run is all there.
  package let omissions: [Omission]

  /// Keeps half of each limit from the beginning of a list and half from its end, where runs tell how they went.
  package init(of whole: TracedRun, limits: Limits) {
    let steps = KeptPositions(of: whole.steps.count, most: limits.steps)
    let exchanges = KeptPositions(of: whole.exchanges.count, most: limits.exchanges)
    let decisions = KeptPositions(of: whole.decisions.count, most: limits.decisions)
    let tokens = KeptPositions(of: whole.tokens.count, most: limits.tokens)
    let interactions = KeptPositions(of: whole.interactions.count, most: limits.steps)
    let writes = KeptPositions(of: whole.cacheWrites.count, most: limits.cacheWrites)
    let omissions = [
      ("steps", steps), ("HTTP exchanges", exchanges), ("decisions", decisions),
      ("visits to the browser", interactions),
      ("cache writes", writes), ("tokens and codes", tokens),
    ].compactMap { name, kept in
      kept.isAll ? nil : Omission(name: name, kept: kept.all - kept.omitted.count, all: kept.all)
    }
    self.omissions = omissions
    guard !omissions.isEmpty else {
      story = whole
      return
    }

    var story = whole
    story.steps = steps.of(whole.steps) { step in
      step.parent = step.parent.flatMap(steps.position)
      step.decisions = step.decisions.compactMap(decisions.position)
      step.exchanges = step.exchanges.compactMap(exchanges.position)
      step.interactions = step.interactions.compactMap(interactions.position)
      step.cacheWrites = step.cacheWrites.compactMap(writes.position)
      step.children = step.children.compactMap(steps.position)
    }
    story.exchanges = exchanges.of(whole.exchanges) { $0.step = $0.step.flatMap(steps.position) }
    story.decisions = decisions.of(whole.decisions) { $0.step = $0.step.flatMap(steps.position) }
    story.interactions = interactions.of(whole.interactions) { $0.step = $0.step.flatMap(steps.position) }
    story.cacheWrites = writes.of(whole.cacheWrites) { $0.step = $0.step.flatMap(steps.position) }
    if let first = writes.omitted.first, let last = writes.omitted.last {
      // The first one behind the gap stands for what was written in it too: the cache is right everywhere else.
      story.cacheWrites[first].changes = Self.changes(whole, first...last + 1)
      story.cacheWrites[first].reason += ", and \(writes.omitted.count) writes before it that are not told"
    }
    story.tokens = tokens.of(whole.tokens) { token in
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
    self.story = story
  }

  /// What those writes come to, each entry once.
  private static func changes(_ story: TracedRun, _ writes: ClosedRange<Int>) -> [TracedCacheWrite.Change] {
    let before = story.cache(before: story.cacheWrites[writes.lowerBound].seq).entries
    var last: OrderedDictionary<TracedCacheKey, TracedCacheWrite.Change> = [:]
    for write in story.cacheWrites[writes] { for change in write.changes { last[change.key] = change } }
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

/// Which positions of a list stay: so many of the first and of the last.
private struct KeptPositions {
  let all: Int
  /// Those that do not stay.
  let omitted: Range<Int>

  init(of all: Int, most: Int) {
    self.all = all
    // At least one is left at the end.
    let most = max(2, most)
    omitted = all > most ? (most / 2)..<(all - (most - most / 2)) : 0..<0
  }

  var isAll: Bool { omitted.isEmpty }

  /// Where an item stands now; nil where it does not stay.
  func position(_ old: Int) -> Int? {
    omitted.isEmpty || old < omitted.lowerBound ? old : old < omitted.upperBound ? nil : old - omitted.count
  }

  func of<Item>(_ items: [Item], _ change: (inout Item) -> Void) -> [Item] {
    var kept = isAll ? items : Array(items[..<omitted.lowerBound] + items[omitted.upperBound...])
    for index in kept.indices { change(&kept[index]) }
    return kept
  }
}
