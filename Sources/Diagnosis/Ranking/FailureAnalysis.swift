import Effects

/// The facts of one failure and its ranked causes.
package struct FailureAnalysis: Sendable {
  let text: NormalizedText
  let facts: Facts
  package let ranking: Ranking
  /// The decisions in the text, in order.
  let decisions: [String]

  package init(_ raw: [UInt8], knowledge: KnowledgeBase = .shipped) {
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
      let places = pieces.map { starts[$0] ?? [] }
      guard zip(phrase.pieces, places).allSatisfy({ $0.isShort || !$1.isEmpty }) else { continue }
      matches[phrase] = phrase.match(in: text.bytes, starts: places)
    }
    let signs = knowledge.signs.compactMap { sign in
      sign.phrases.lazy.compactMap { matches[$0]?.range }.first.map { (sign.fact, $0) }
    }
    facts = FactExtractor.facts(
      in: text, words: words.sorted { $0.1.lowerBound < $1.1.lowerBound }, signs: signs,
      captures: matches.values.flatMap(\.captures))
    ranking = Ranking(facts, matches: matches, text: text, causes: knowledge.causes)
    let shown = knowledge.decisions.compactMap { decision in
      matches[decision.phrase].map { ($0.range.lowerBound, decision.meaning) }
    }
    decisions = shown.sorted { $0.0 < $1.0 }.map(\.1).reduce(into: []) { list, meaning in
      if !list.contains(meaning) { list.append(meaning) }
    }
  }

  /// The platforms that the text indicates, most specific first.
  var platforms: [String] {
    let order = [
      "react-native", "flutter", "cordova", "android", "ios", "macos", "js", "java", "python", "go", "node", "dotnet",
    ]
    let found = facts.values(of: "platform")
    return order.filter(found.contains) + found.filter { !order.contains($0) }
  }

  /// Whether the text indicates a failure. Weak evidence alone is not sufficient, because any log can contain
  /// the words that count as weak evidence.
  var showsFailure: Bool {
    ranking.hasEvidence || !facts.codes.isEmpty
      || ["error", "exception", "fail", "denied", "invalid", "unable to", "could not", "couldn't"].contains {
        text.bytes.firstRange(ofBytes: Array($0.utf8)) != nil
      }
  }
}
