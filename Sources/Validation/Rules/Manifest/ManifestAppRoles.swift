import AppRegistration
import Diagnostics
import IdentityPlatform

struct ManifestAppRoles: Rule {
  let id = "manifest-app-roles"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.compactMap { manifest in
      guard manifest.allowsPersonalAccounts, let role = manifest.appRoles.first else { return nil }
      return finding(
        "app roles are not supported with \(manifest.audience.map { "`\($0.rawValue)`" } ?? "personal accounts")",
        help: "remove the roles, or allow only work and school accounts", at: role.place)
    }
  }
}
