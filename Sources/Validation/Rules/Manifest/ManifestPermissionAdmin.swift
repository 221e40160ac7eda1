import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ManifestPermissionAdmin: Rule {
  let id = "manifest-permission-admin"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      (manifest.requiredResources?.value ?? []).filter(\.isGraph).flatMap { resource in
        resource.permissions.compactMap { permission in
          let found = GraphPermission.withID(permission.id.value)
          // Asked for in the other way than its id says, it is an error, and not known which is meant.
          if let found, found.isRole != permission.isRole { return nil }
          guard let known = found?.permission ?? GraphPermission.named(permission.id.value),
            permission.isRole || known.needsAdmin
          else { return nil }
          return finding(
            "only an administrator can consent to \(known.name)\(permission.isRole ? " as an application permission" : "")",
            help: "register a lesser permission where one will do", at: permission.id.place)
        }
      }
    }
  }
}
