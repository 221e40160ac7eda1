import Diagnosis
import Documents

// Diagnosis of failures in other programs.

extension StudioServer {
  /// Diagnoses a log or an error text, as `authflow diagnose` does.
  func diagnose(_ body: JSON) throws(StudioError) -> JSON {
    let result = Diagnoser.result(of: try Self.text("text", in: body))
    guard result.unusable.isEmpty, !result.failures.isEmpty else {
      throw StudioError("the text does not show a failed sign-in")
    }
    var json = result.json()
    if let cause = result.main?.candidates.first?.cause { json["title"] = .string(cause.title) }
    return json
  }
}
