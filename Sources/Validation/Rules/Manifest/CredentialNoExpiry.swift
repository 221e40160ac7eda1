import AppRegistration
import Diagnostics
import Documents

struct CredentialNoExpiry: Rule {
  let id = "credential-no-expiry"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      manifest.passwordCredentials.compactMap { credential in
        guard let end = credential.end, let seconds = AppManifest.seconds(end.value) else { return nil }
        let start = credential.start.flatMap { AppManifest.seconds($0.value) } ?? project.now
        guard seconds >= Self.year2099 || start.map({ seconds - $0 > Self.thirtyYears }) == true else { return nil }
        return finding(
          "secret is valid until \(String(end.value.prefix(10)))",
          help: "create a secret that is valid for a few months, and remove this one", at: end.place)
      }
    }
  }

  /// The date 2099-01-01, in seconds since 1970.
  private static let year2099: Int64 = 4_070_908_800
  private static let thirtyYears: Int64 = 30 * 31_557_600
}
