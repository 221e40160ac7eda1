/// The result of a diagnosis: the failures in all inputs, the main failure, and findings about the project.
package struct DiagnosisResult: Sendable {
  /// The distinct failures, in order of appearance.
  package var failures: [DiagnosedFailure]
  /// The inputs that could not be used, with the reasons.
  package var unusable: [(source: String, reason: String)]

  /// The main failure: the last failure with a determined cause, because apps report the last failure to the user.
  ///
  /// A failure from which the app is expected to recover is used only if no other failure has a determined cause. If no
  /// cause is determined, the failure whose first candidate has the highest confidence is used.
  package var main: DiagnosedFailure? {
    failures.last { $0.isDetermined && !$0.isRecoverable } ?? failures.last { $0.isDetermined }
      ?? failures.max {
        ($0.candidates.first?.confidence ?? 0) < ($1.candidates.first?.confidence ?? 0)
      }
  }
}

/// One failure with its possible causes.
package struct DiagnosedFailure: Sendable {
  /// A line of the input that supports the diagnosis.
  package struct Evidence: Sendable {
    package var source: String
    /// The one-based line number, and the one-based column in characters.
    package var line: Int
    package var column: Int
    /// The line, shortened around the evidence, with secrets and personal data masked.
    package var text: String
    /// The range of the evidence in `text`, in characters.
    package var highlight: Range<Int>
  }

  package struct Candidate: Sendable {
    package var cause: Cause
    /// The probability from 0 to 1.
    package var confidence: Double
  }

  package var candidates: [Candidate]
  package var isDetermined: Bool
  package var evidence: [Evidence]
  /// The codes in the input, as users see them, such as `AADSTS50011`.
  package var codes: [String]
  /// The decisions by the library and the service in the input, in order.
  package var decisions: [String]
  /// Values from the input that the explanation uses, with secrets masked.
  package var captures: [String: String]
  package var platforms: [String]
  /// The parameters of the failed request that a reproducing workflow reuses.
  package var request = FailedRequest()
  /// The number of times that the failure occurs.
  package var count: Int

  /// The determined cause, or nil.
  package var cause: Cause? { isDetermined ? candidates.first?.cause : nil }

  /// The explanation of the first candidate, with the details whose values are known.
  package var explanation: String {
    guard let cause = candidates.first?.cause else { return "" }
    return ([cause.explanation] + cause.details.compactMap(fill)).joined(separator: " ")
  }

  package var fix: String {
    candidates.first.map { fill($0.cause.fix(for: platforms)) ?? $0.cause.fix(for: platforms) } ?? ""
  }

  /// The workflow that reproduces the first candidate with the code from the input, or nil if there is none.
  package var scenario: String? {
    candidates.first?.cause.reproduction(of: codes).map { request.applied(to: $0.workflow) }
  }

  /// The information that would determine the cause, as a noun phrase.
  package var needs: String {
    if candidates.count > 1, let first = candidates.first?.cause {
      let others = Set(candidates.dropFirst().prefix(3).map(\.cause.id))
      if let discriminator = first.discriminators.first(where: { others.contains($0.cause) }) {
        return discriminator.tell
      }
    }
    return candidates.lazy.compactMap(\.cause.needs).first
      ?? "the complete error with its AADSTS code, and the log lines before it"
  }

  /// Whether the app is expected to recover from the failure with an interactive request.
  var isRecoverable: Bool { codes.contains("interaction_required") }

  /// Replaces the captures in braces with their values. Returns nil if a value is missing.
  private func fill(_ text: String) -> String? {
    var result = ""
    var rest = Substring(text)
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      guard let value = captures[String(rest[rest.index(after: start)..<end])] else { return nil }
      result += rest[..<start] + value
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }
}
