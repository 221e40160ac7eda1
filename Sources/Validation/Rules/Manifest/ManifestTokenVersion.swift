import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ManifestTokenVersion: Rule {
  let id = "manifest-token-version"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.compactMap { manifest in
      guard let version = manifest.tokenVersion else { return absent(manifest) }
      if manifest.allowsPersonalAccounts, version.value != 2 {
        let audience = manifest.audience?.rawValue ?? ""
        return finding(
          "`\(audience)` requires access token version 2, not \(version.value.map { "\($0)" } ?? "null")",
          help: "set it to `2`", at: version.place, fix: .replacing(version.place, with: "2", "set to 2"))
      }
      if manifest.tokenVersionIsText, version.value == 1 || version.value == 2, manifest.dialect != .appCreationScripts
      {
        let number = version.value ?? 2
        return finding(
          "access token version is a string instead of a number", help: "remove the quotes",
          at: version.place, fix: .replacing(version.place, with: "\(number)", "replace with \(number)"))
      }
      guard let number = version.value, number != 1, number != 2 else { return nil }
      return finding("unknown access token version \(number)", help: "use `1`, `2`, or `null`", at: version.place)
    }
  }

  /// Reports a missing version. A missing version means `null`, which Microsoft Graph rejects for new registrations.
  private func absent(_ manifest: AppManifest) -> Diagnostic? {
    guard manifest.dialect == .graph, manifest.allowsPersonalAccounts, let audience = manifest.signInAudience else {
      return nil
    }
    return finding(
      "`\(audience.value)` requires access token version 2", severity: .note,
      help: "add `requestedAccessTokenVersion: 2` to `api` for a new registration", at: audience.place)
  }
}
