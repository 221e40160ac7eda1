import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct AndroidAudienceUnknown: Rule {
  let id = "android-audience-unknown"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let audiences = Audience.allCases.map(\.rawValue)
    return (file.androidConfig?.entries ?? []).compactMap { entry in
      // MSAL ignores the audience if the entry contains a URL.
      guard entry.url == nil, let type = entry.audience?.value.type, !type.isReference, !audiences.contains(type.value)
      else {
        return nil
      }
      let meant = Audience(named: type.value)?.rawValue
      let suggestion = meant ?? Suggestion.nearest(to: type.value, among: audiences)
      return finding(
        "unknown audience `\(type.value)`",
        help: suggestion.map { "did you mean `\($0)`?" } ?? "use one of `\(audiences.joined(separator: "`, `"))`",
        at: type.place(of: type.value[...]),
        fix: meant.flatMap { file.replacing(type, with: $0) })
    }
  }
}
