import AppRegistration
import Diagnostics
import Documents

extension Rule {
  /// A finding about a word that is none of a few; with the right one as fix where only capitals or a letter differ.
  func unknownWord(
    _ value: Positioned<String>, _ key: String, among words: [String], in file: ValidatedFile
  ) -> [Diagnostic] {
    guard !words.contains(value.value), !value.isReference else { return [] }
    let meant = words.first { $0.lowercased() == value.value.lowercased() }
    let near = meant ?? Suggestion.nearest(to: value.value, among: words)
    return [
      finding(
        "\(key) is \"\(value.value)\", which MSAL does not know",
        help: near.map { "did you mean \($0)?" } ?? "write \(words.joined(separator: " or "))",
        at: value.place(of: value.value[...]), fix: meant.flatMap { file.replacing(value, with: $0) })
    ]
  }
}
