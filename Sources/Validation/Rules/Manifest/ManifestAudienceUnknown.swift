import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ManifestAudienceUnknown: Rule {
  let id = "manifest-audience-unknown"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.error]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.compactMap { manifest in
      guard let audience = manifest.signInAudience, Audience(rawValue: audience.value) == nil,
        !AppManifest.isToBeFilledIn(audience.value)
      else { return nil }
      if let meant = manifest.audience {
        return finding(
          "wrong letter case in audience `\(audience.value)`", help: "use `\(meant.rawValue)`",
          at: audience.place,
          fix: .replacing(audience, in: file, with: meant.rawValue, "replace with `\(meant.rawValue)`"))
      }
      let all = Audience.allCases.map(\.rawValue)
      let nearest = Suggestion.nearest(to: audience.value, among: all)
      return finding(
        audience.value.isEmpty ? "`signInAudience` is empty" : "unknown audience `\(audience.value)`",
        severity: .error,
        help: nearest.map { "did you mean `\($0)`?" } ?? "use one of `\(all.joined(separator: "`, `"))`",
        at: audience.place)
    }
  }
}
