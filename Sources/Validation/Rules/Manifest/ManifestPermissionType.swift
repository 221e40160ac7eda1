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
          spelling(permission, in: file) ?? (resource.isGraph ? meaning(permission) : nil)
        }
      }
    }
  }

  private func spelling(_ permission: AppManifest.Permission, in file: ValidatedFile) -> Diagnostic? {
    guard let written = permission.writtenKind, written.value != "Scope", written.value != "Role",
      !AppManifest.isToBeFilledIn(written.value)
    else { return nil }
    if let meant = ["Scope", "Role"].first(where: { $0.lowercased() == written.value.lowercased() }) {
      return finding(
        "the type \(written.value) is spelled \(meant)", severity: .warning, help: "write \(meant)", at: written.place,
        fix: .replacing(written, in: file, with: meant, "write \(meant)"))
    }
    return finding(
      "there is no type \"\(written.value)\" of permissions", help: "write Scope (with a user) or Role (without one)",
      at: written.place)
  }

  private func meaning(_ permission: AppManifest.Permission) -> Diagnostic? {
    guard let written = permission.writtenKind, let known = GraphPermission.withID(permission.id.value),
      known.isRole != permission.isRole, ["scope", "role"].contains(written.value.lowercased())
    else { return nil }
    let name = known.permission.name
    let other = permission.isRole ? known.permission.applicationRoleID : known.permission.id
    return finding(
      known.isRole
        ? "this is the id of \(name) as an application permission, and is asked for as Scope"
        : "this is the id of \(name) with a signed-in user, and is asked for as Role",
      help: "write \(known.isRole ? "Role" : "Scope")"
        + (other.map { ", or \($0), which is \(name)'s id as \(written.value)" } ?? ""),
      at: written.place)
  }
}
