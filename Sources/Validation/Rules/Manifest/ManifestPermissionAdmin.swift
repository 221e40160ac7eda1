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
          let match = GraphPermission.withID(permission.id.value)
          // `ManifestPermissionType` reports a type that does not match the ID.
          if let match, match.isRole != permission.isRole { return nil }
          guard let known = match?.permission ?? GraphPermission.named(permission.id.value),
            permission.isRole || known.needsAdmin
          else { return nil }
          let label = permission.isRole ? "the application permission " : ""
          return finding(
            "only an administrator can consent to \(label)`\(known.name)`",
            help: "register a less privileged permission if one is sufficient", at: permission.id.place)
        }
      }
    }
  }
}
