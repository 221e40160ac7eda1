/// Causes that have no matching recognizer but are possible, because they share a code with the text or because the
/// most likely cause is known to produce the same text.
///
/// They are runners-up: their scores are lower than that of the most likely cause.
struct RelatedCauses {
  private let facts: Facts
  private let matches: [Phrase: PhraseMatch]
  /// The codes in the text, in lowercase.
  private let codes: Set<String>
  private let known: Set<String>
  /// The most likely cause that a file describes, or nil.
  private let first: Ranking.Candidate?
  /// Whether only codes support the most likely cause.
  private let restsOnCodes: Bool

  /// The score of a cause that shares a code.
  private static let codeScore = -0.5
  /// The score of a cause that shares a code if only the meaning of the code is known.
  private static let meaningScore = 2.0
  /// The score of a cause that can produce the same text.
  private static let textScore = -1.2
  /// The score difference between causes that the same codes support.
  private static let distance = 2.0
  private static let maximum = 3

  init(_ facts: Facts, matches: [Phrase: PhraseMatch], scored: [Ranking.Candidate]) {
    self.facts = facts
    self.matches = matches
    codes = Set(facts.codes.map { $0.lowercased() })
    known = Set(scored.map(\.cause.id))
    let first = scored.filter { !$0.cause.isGeneric }.max { ($0.score, $1.cause.id) < ($1.score, $0.cause.id) }
    self.first = first
    restsOnCodes =
      first?.cause.recognizers.allSatisfy { recognizer in
        (recognizer.texts.isEmpty && recognizer.facts.allSatisfy { Facts.isCode($0.name) })
          || Ranking.match(recognizer, facts, matches) == nil
      } ?? false
  }

  /// Returns the related causes with the highest scores.
  func candidates(among causes: [Cause]) -> [Ranking.Candidate] {
    let found = causes.compactMap { cause -> Ranking.Candidate? in
      guard !cause.isGeneric, !known.contains(cause.id), let score = score(of: cause), !isExcluded(cause) else {
        return nil
      }
      return Ranking.Candidate(
        cause: cause, confidence: 0, score: score + cause.prior.weight / 2, strongest: 0, evidence: [],
        captures: facts.captures)
    }
    return Array(found.sorted { ($1.score, $0.cause.id) < ($0.score, $1.cause.id) }.prefix(Self.maximum))
  }

  /// Returns the score of a cause, or nil if the cause is not related.
  private func score(of cause: Cause) -> Double? {
    if cause.codes.contains(where: { codes.contains($0.lowercased()) }) {
      guard let first else { return known.isEmpty ? Self.codeScore : Self.meaningScore }
      guard restsOnCodes else { return Self.codeScore }
      return max(Self.codeScore, first.score - Self.distance)
    }
    guard let first = first?.cause else { return nil }
    let hasSameText =
      first.discriminators.contains { $0.cause == cause.id } || cause.discriminators.contains { $0.cause == first.id }
    return hasSameText ? Self.textScore : nil
  }

  /// Whether a fact or a phrase contradicts a cause.
  private func isExcluded(_ cause: Cause) -> Bool {
    cause.recognizers.contains { $0.strength.weight < 0 && Ranking.match($0, facts, matches) != nil }
  }
}
