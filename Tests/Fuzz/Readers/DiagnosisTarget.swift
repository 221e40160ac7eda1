import Diagnosis
import FuzzSupport

/// Logs in any encoding. The size of the chunks must not change the result.
enum DiagnosisTarget {
  static func run(_ input: [UInt8]) -> CInt {
    let whole = diagnose(input, chunk: max(1, input.count))
    let parts = diagnose(input, chunk: 61)
    Oracles.require(summary(whole) == summary(parts), "the result depends on the size of the chunks")
    for failure in whole.failures {
      for evidence in failure.evidence {
        Oracles.require(evidence.line > 0 && evidence.column > 0, "evidence has no place")
        Oracles.require(!evidence.text.contains { $0.isNewline }, "evidence has several lines")
      }
      let total = failure.candidates.reduce(0) { $0 + $1.confidence }
      Oracles.require(total <= 1.001, "the confidences add up to \(total)")
      Oracles.require(!failure.isDetermined || failure.cause != nil, "a determined failure has no cause")
    }
    return 0
  }

  private static func diagnose(_ input: [UInt8], chunk: Int) -> DiagnosisResult {
    var diagnoser = Diagnoser()
    diagnoser.add(named: "log") { body in
      var start = 0
      while start < input.count {
        let end = min(input.count, start + chunk)
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
