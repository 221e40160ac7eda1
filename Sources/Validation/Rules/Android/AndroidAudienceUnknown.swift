import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct AndroidAudienceUnknown: Rule {
  let id = "android-audience-unknown"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let words = Audience.allCases.map(\.rawValue)
    return (file.androidConfig?.entries ?? []).compactMap { entry in
      // Where the address stands, the audience is not read.
      guard entry.url == nil, let type = entry.audience?.value.type, !type.isReference, !words.contains(type.value)
      else {
        return nil
      }
      let meant = Audience(named: type.value)?.rawValue
      let near = meant ?? Suggestion.nearest(to: type.value, among: words)
      return finding(
        "\"\(type.value)\" is no audience",
        help: near.map { "did you mean \($0)?" } ?? "write \(words.joined(separator: ", "))",
        at: type.place(of: type.value[...]),
        fix: meant.flatMap { file.replacing(type, with: $0) })
    }
  }
}
