import Diagnosis
import FuzzSupport

/// Diagnoses input in any encoding: logs, error messages, HTTP archives, and gzip files.
///
/// The result must not depend on the size of the chunks in which the input arrives, and it must not contain secrets.
enum DiagnosisTarget {
  static func run(_ input: [UInt8]) -> CInt {
    let whole = diagnose(input, piece: max(1, input.count))
    let parts = diagnose(input, piece: 61)
    Oracles.require(summary(whole) == summary(parts), "the result depends on the chunk size")
    for failure in whole.failures {
      for evidence in failure.evidence {
        Oracles.require(evidence.line > 0 && evidence.column > 0, "evidence without a location")
        Oracles.require(!evidence.text.contains { $0.isNewline }, "evidence with a line break")
        Oracles.require(Masking.mask(evidence.text) == evidence.text, "evidence with a secret: \(evidence.text)")
      }
      let total = failure.candidates.reduce(0) { $0 + $1.confidence }
      Oracles.require(total <= 1.001, "the confidences add up to \(total)")
      Oracles.require(!failure.isDetermined || failure.cause != nil, "a determined failure without a cause")
    }
    _ = whole.markdown()
    _ = whole.json()
    return 0
  }

  private static func diagnose(_ input: [UInt8], piece: Int) -> DiagnosisResult {
    var diagnoser = Diagnoser()
    diagnoser.add(named: "log") { body in
      var start = 0
      while start < input.count {
        let end = min(input.count, start + piece)
        guard body(Array(input[start..<end])) else { return }
        start = end
      }
    }
    return diagnoser.result
  }

  private static func summary(_ result: DiagnosisResult) -> [String] {
    result.failures.map { "\($0.verdict) \($0.codes) \($0.count)" } + result.unusable.map(\.reason)
  }
}
