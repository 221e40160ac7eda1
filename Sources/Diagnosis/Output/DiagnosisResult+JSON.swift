import Diagnostics
import Documents

extension DiagnosisResult {
  /// Returns the diagnosis as one object. Its members describe the main failure, and `failures` lists all failures.
  /// If there is no failure, the object has the same members with empty values.
  /// - Parameter findings: The differences between the input and the project.
  package func json(findings: [JSON] = []) -> JSON {
    var json = (main ?? .none).json
    json["failures"] = .array(failures.map(\.json))
    json["findings"] = .array(findings)
    return json
  }
}

extension DiagnosedFailure {
  /// The description of an input without a failure.
  fileprivate static let none = DiagnosedFailure(
    candidates: [], isDetermined: false, evidence: [], codes: [], decisions: [], captures: [:], platforms: [], count: 0)

  package var json: JSON {
    [
      "determined": .bool(isDetermined), "cause": cause.map { .string($0.id) } ?? .null,
      "confidence": .real(Self.rounded(candidates.first?.confidence ?? 0)),
      "candidates": .array(
        candidates.map { ["cause": .string($0.cause.id), "score": .real(Self.rounded($0.confidence))] }),
      "evidence": .array(
        evidence.map {
          [
            "file": .string($0.source), "line": .integer(Int64($0.line)), "column": .integer(Int64($0.column)),
            "text": .string($0.text),
          ]
        }),
      "codes": .array(codes.map { .string($0) }), "explanation": .string(explanation), "fix": .string(fix),
      "rule": candidates.first?.cause.rules.first.map { .string($0) } ?? .null,
      "scenario": scenario.map { .string($0) } ?? .null,
      "unreproducible": candidates.first?.cause.unreproducible.map { .string($0) } ?? .null,
      "decisions": .array(decisions.map { .string($0) }), "platforms": .array(platforms.map { .string($0) }),
      "occurrences": .integer(Int64(count)), "needs": isDetermined ? .null : .string(needs),
    ]
  }

  private static func rounded(_ confidence: Double) -> Double { (confidence * 1000).rounded() / 1000 }
}
