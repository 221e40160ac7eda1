import Diagnostics

extension DiagnosedFailure {
  /// The maximum number of evidence lines.
  private static let maximumEvidence = 6
  /// The maximum number of characters in an evidence line.
  private static let maximumWidth = 160

  /// - Returns: The failure, or nil if the text does not indicate one.
  init?(_ analysis: FailureAnalysis, _ excerpt: Excerpt) {
    let ranking = analysis.ranking
    guard analysis.showsFailure else { return nil }
    guard let first = ranking.candidates.first else {
      self.init(
        candidates: [], isDetermined: false, evidence: [], codes: analysis.facts.codes, decisions: analysis.decisions,
        captures: [:], platforms: analysis.platforms, count: 1)
      return
    }
    var evidence: [Evidence] = []
    for range in first.evidence where evidence.count < Self.maximumEvidence {
      guard let place = Self.evidence(analysis.text.rawRange(range), excerpt) else { continue }
      if !evidence.contains(where: { $0.line == place.line && $0.source == place.source }) { evidence.append(place) }
    }
    self.init(
      candidates: ranking.candidates.map { Candidate(cause: $0.cause, confidence: $0.confidence) },
      isDetermined: ranking.isDetermined, evidence: evidence, codes: analysis.facts.codes,
      decisions: analysis.decisions,
      captures: first.captures.mapValues(Masking.mask), platforms: analysis.platforms,
      request: FailedRequest(analysis.facts, scope: first.captures["scope"]), count: 1)
  }

  private static func evidence(_ range: Range<Int>, _ excerpt: Excerpt) -> Evidence? {
    guard !range.isEmpty else { return nil }
    let (index, offset) = excerpt.position(of: range.lowerBound)
    let line = excerpt.lines[index]
    let end = min(line.bytes.count, offset + range.count)
    func count(_ bytes: ArraySlice<UInt8>) -> Int { String(decoding: bytes, as: UTF8.self).count }
    let column = count(line.bytes[..<offset])
    let length = max(1, count(line.bytes[offset..<end]))
    let masked = Array(Masking.mask(String(decoding: line.bytes, as: UTF8.self)))
    let start = max(0, min(column - 40, masked.count - maximumWidth))
    let shown = masked[start..<min(masked.count, start + maximumWidth)]
    let text = (start > 0 ? "…" : "") + String(shown) + (shown.endIndex < masked.count ? "…" : "")
    let from = column - start + (start > 0 ? 1 : 0)
    return Evidence(
      source: excerpt.source, line: line.number, column: line.offset + column + 1, text: TerminalText.visible(text),
      highlight: from..<min(from + length, max(from + 1, text.count)))
  }
}
