/// The facts of one failure and its ranked causes.
package struct FailureAnalysis: Sendable {
  let text: NormalizedText
  let facts: Facts
  package let ranking: Ranking

  package init(_ raw: [UInt8], knowledge: KnowledgeBase) {
    text = NormalizedText(raw)
    let index = knowledge.index
    var starts: [Int: [Int]] = [:]
    index.search.scan(text.bytes) { literal, start in starts[literal, default: []].append(start) }
    var words: [(String, Range<Int>)] = []
    for (literal, names) in index.words {
      for start in starts[literal] ?? [] {
        for name in names { words.append((name, start..<start + index.literals[literal].count)) }
      }
    }
    var matches: [Phrase: PhraseMatch] = [:]
    for (phrase, pieces) in index.pieces {
      let places = pieces.compactMap { starts[$0] }
      guard places.count == pieces.count else { continue }
      matches[phrase] = phrase.match(in: text.bytes, starts: places)
    }
    let signs = knowledge.signs.compactMap { sign in
      sign.phrases.lazy.compactMap { matches[$0]?.range }.first.map { (sign.fact, $0) }
    }
    facts = FactExtractor.facts(in: text, words: words.sorted { $0.1.lowerBound < $1.1.lowerBound }, signs: signs)
    ranking = Ranking(facts, matches: matches, text: text, causes: knowledge.causes)
  }
}

extension FailureAnalysis {
  /// The names of all facts, for tests.
  package var summary: String { facts.names.joined(separator: " ") }
}
