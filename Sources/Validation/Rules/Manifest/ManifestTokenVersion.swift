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
          "with \(audience) the access token version must be 2, not \(version.value.map { "\($0)" } ?? "null")",
          help: "write 2", at: version.place, fix: .replacing(version.place, with: "2", "write 2"))
      }
      if manifest.tokenVersionIsText, version.value == 1 || version.value == 2, manifest.dialect != .appCreationScripts
      {
        let number = version.value ?? 2
        return finding(
          "the access token version is a text, and the service takes a number", help: "write \(number) without quotes",
          at: version.place, fix: .replacing(version.place, with: "\(number)", "write \(number)"))
      }
      guard let number = version.value, number != 1, number != 2 else { return nil }
      return finding("there is no access token version \(number)", help: "write 1, 2 or null", at: version.place)
    }
  }

  /// What is not written is null: Microsoft Graph refuses it, unless the registration has its version already.
  private func absent(_ manifest: AppManifest) -> Diagnostic? {
    guard manifest.dialect == .graph, manifest.allowsPersonalAccounts, let audience = manifest.signInAudience else {
      return nil
    }
    return finding(
      "with \(audience.value) the access token version must be 2, and none is written", severity: .note,
      help: "a new registration needs requestedAccessTokenVersion: 2 in api", at: audience.place)
  }
}
