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
      guard let written = manifest.signInAudience, Audience(rawValue: written.value) == nil,
        !AppManifest.isToBeFilledIn(written.value)
      else { return nil }
      if let meant = manifest.audience {
        return finding(
          "signInAudience \(written.value) is spelled \(meant.rawValue)", help: "write \(meant.rawValue)",
          at: written.place, fix: .replacing(written, in: file, with: meant.rawValue, "write \(meant.rawValue)"))
      }
      let all = Audience.allCases.map(\.rawValue)
      let nearest = Suggestion.nearest(to: written.value, among: all)
      return finding(
        written.value.isEmpty ? "signInAudience is empty" : "there is no audience \"\(written.value)\"",
        severity: .error,
        help: nearest.map { "did you mean \($0)?" } ?? "write one of \(all.joined(separator: ", "))",
        at: written.place)
    }
  }
}
