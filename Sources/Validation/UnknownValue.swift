import AppRegistration
import Diagnostics
import Documents

extension Rule {
  /// Reports a value that is not allowed. The finding has a fix if the value differs from an allowed value only in
  /// letter case.
  func unknownValue(
    _ value: Positioned<String>, _ key: String, among allowed: [String], in file: ValidatedFile
  ) -> [Diagnostic] {
    guard !allowed.contains(value.value), !value.isReference else { return [] }
    let meant = allowed.first { $0.lowercased() == value.value.lowercased() }
    let suggestion = meant ?? Suggestion.nearest(to: value.value, among: allowed)
    return [
      finding(
        "unknown value `\(value.value)` for `\(key)`",
        help: suggestion.map { "did you mean `\($0)`?" } ?? "use `\(allowed.joined(separator: "` or `"))`",
        at: value.place(of: value.value[...]), fix: meant.flatMap { file.replacing(value, with: $0) })
    ]
  }
}
