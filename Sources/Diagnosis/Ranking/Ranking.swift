/// The scored causes of one failure.
///
/// The score of a cause is its prior plus the weights of its matching recognizers, as log-odds. The largest weight
/// counts in full, the second largest counts half, and so on, because recognizers of the same cause are not
/// independent. The confidence is the softmax over all causes and the hypothesis that the knowledge base lacks the
/// cause.
package struct Ranking: Sendable {
  /// A cause with its score and the locations that support it.
  package struct Candidate: Sendable {
    package var cause: Cause
    /// The probability that this is the cause, from 0 to 1.
    package var confidence: Double
    var score: Double
    /// The largest weight of a matching recognizer.
    var strongest: Double
    var evidence: [Range<Int>]
    var captures: [String: String]
  }

  /// The candidates with the highest confidence first.
  package private(set) var candidates: [Candidate] = []

  /// Whether the evidence for any candidate is stronger than a hint.
  var hasEvidence: Bool { candidates.contains { $0.strongest >= Recognizer.Strength.weak.weight } }

  /// The log-odds of the hypothesis that no known cause applies.
  static let unknownScore = 2.0
  /// The minimum confidence of a determined cause.
  static let minimumConfidence = 0.9
  /// The maximum number of candidates.
  static let maximumCandidates = 8
  /// The maximum number of candidates that only single words support.
  private static let maximumFaintCandidates = 3

  /// Whether the first candidate is sufficiently more likely than all others. The meaning of a code alone does not
  /// determine a cause.
  package var isDetermined: Bool {
    candidates.first.map { $0.confidence >= Self.minimumConfidence && !$0.cause.isGeneric } ?? false
  }

  init(_ facts: Facts, matches: [Phrase: PhraseMatch], text: NormalizedText, causes: [Cause]) {
    var scored: [Candidate] = []
    for cause in causes {
      guard var candidate = Self.candidate(cause, facts, matches, text) else { continue }
      candidate.score += cause.prior.weight
      scored.append(candidate)
    }
    // A cause from the error tables applies only if no cause from a file applies.
    if scored.contains(where: {
      !$0.cause.isGeneric && $0.score >= 1 && $0.strongest >= Recognizer.Strength.weak.weight
    }) {
      scored.removeAll(where: \.cause.isGeneric)
    }
    Self.limitFaint(&scored)
    scored += RelatedCauses(facts, matches: matches, scored: scored).candidates(among: causes)
    let unknownScore = Self.unknownScore(facts, scored)
    let total = scored.reduce(unknownScore.exponential) { $0 + $1.score.exponential }
    for index in scored.indices { scored[index].confidence = scored[index].score.exponential / total }
    scored.sort { ($1.score, $0.cause.id) < ($0.score, $1.cause.id) }
    candidates = Array(scored.filter { $0.confidence >= 0.01 }.prefix(Self.maximumCandidates))
  }

  /// Returns the log-odds of the hypothesis that no known cause applies. If the sign-in works elsewhere or at other
  /// times, this hypothesis is at least as likely as every cause without decisive evidence, because a wrong
  /// configuration would fail everywhere.
  private static func unknownScore(_ facts: Facts, _ scored: [Candidate]) -> Double {
    guard facts.has("sign:contrast"), let best = scored.max(by: { $0.score < $1.score }),
      best.strongest < Recognizer.Strength.decisive.weight
    else { return unknownScore }
    return max(unknownScore, best.score)
  }

  /// Limits the candidates that only single words support, because any text contains some of these words.
  private static func limitFaint(_ scored: inout [Candidate]) {
    let isFaint = { (candidate: Candidate) in candidate.strongest < Recognizer.Strength.hint.weight }
    let faint = scored.filter(isFaint).sorted { ($1.score, $0.cause.id) < ($0.score, $1.cause.id) }
    scored.removeAll(where: isFaint)
    scored += faint.prefix(maximumFaintCandidates)
  }

  private static func candidate(
    _ cause: Cause, _ facts: Facts, _ matches: [Phrase: PhraseMatch], _ text: NormalizedText
  ) -> Candidate? {
    var weights: [Double] = []
    var against = 0.0
    var evidence: [(weight: Double, range: Range<Int>)] = []
    var captures = facts.captures
    for recognizer in cause.recognizers {
      guard let match = match(recognizer, facts, matches) else { continue }
      let weight = recognizer.strength.weight
      if weight < 0 {
        against += weight
        continue
      }
      weights.append(weight)
      evidence += match.ranges.map { (weight, $0) }
      for (name, range) in match.captures { captures[name] = text.original(range) }
    }
    guard !weights.isEmpty else { return nil }
    var score = against
    var share = 1.0
    for weight in weights.sorted(by: >) {
      score += weight * share
      share /= 2
    }
    let ranges = evidence.sorted { $0.weight > $1.weight }.map(\.range)
    return Candidate(
      cause: cause, confidence: 0, score: score, strongest: weights.max() ?? 0, evidence: ranges, captures: captures)
  }

  /// Returns the locations that a recognizer matches, or nil if it does not match.
  static func match(
    _ recognizer: Recognizer, _ facts: Facts, _ matches: [Phrase: PhraseMatch]
  ) -> (ranges: [Range<Int>], captures: [String: Range<Int>])? {
    var ranges: [Range<Int>] = []
    var captures: [String: Range<Int>] = [:]
    if !recognizer.texts.isEmpty {
      guard let match = recognizer.texts.lazy.compactMap({ matches[$0] }).first else { return nil }
      ranges.append(match.range)
      captures = match.captures
    }
    for fact in recognizer.facts {
      guard let place = facts.place(of: fact) else { return nil }
      if !place.isEmpty { ranges.append(place) }
    }
    guard !recognizer.texts.isEmpty || !recognizer.facts.isEmpty,
      !recognizer.withoutFacts.contains(where: { facts.place(of: $0) != nil }),
      !recognizer.withoutTexts.contains(where: { matches[$0] != nil })
    else { return nil }
    return (ranges, captures)
  }
}

extension Double {
  /// The exponential of this number, computed as a power series for a small argument and then squared repeatedly.
  fileprivate var exponential: Double {
    let small = self / 1024
    var result = 1 + small + small * small / 2 + small * small * small / 6
    for _ in 0..<10 { result *= result }
    return result
  }
}
