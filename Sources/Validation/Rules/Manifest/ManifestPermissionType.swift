import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ManifestPermissionType: Rule {
  let id = "manifest-permission-type"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      (manifest.requiredResources?.value ?? []).flatMap { resource in
        resource.permissions.compactMap { permission in
          checkSpelling(permission, in: file) ?? (resource.isGraph ? checkMeaning(permission) : nil)
        }
      }
    }
  }

  private func checkSpelling(_ permission: AppManifest.Permission, in file: ValidatedFile) -> Diagnostic? {
    guard let type = permission.writtenKind, type.value != "Scope", type.value != "Role",
      !AppManifest.isToBeFilledIn(type.value)
    else { return nil }
    if let meant = ["Scope", "Role"].first(where: { $0.lowercased() == type.value.lowercased() }) {
      return finding(
        "wrong letter case in type `\(type.value)`", severity: .warning, help: "use `\(meant)`",
        at: type.place, fix: .replacing(type, in: file, with: meant, "replace with `\(meant)`"))
    }
    return finding(
      "unknown permission type `\(type.value)`", help: "use `Scope` (delegated) or `Role` (application)",
      at: type.place)
  }

  private func checkMeaning(_ permission: AppManifest.Permission) -> Diagnostic? {
    guard let type = permission.writtenKind, let known = GraphPermission.withID(permission.id.value),
      known.isRole != permission.isRole, ["scope", "role"].contains(type.value.lowercased())
    else { return nil }
    let name = known.permission.name
    let other = permission.isRole ? known.permission.applicationRoleID : known.permission.id
    return finding(
      known.isRole
        ? "ID is the application permission `\(name)`, but the type is `Scope`"
        : "ID is the delegated permission `\(name)`, but the type is `Role`",
      help: "change the type to `\(known.isRole ? "Role" : "Scope")`"
        + (other.map { ", or the ID to `\($0)`" } ?? ""),
      at: type.place)
  }
}
