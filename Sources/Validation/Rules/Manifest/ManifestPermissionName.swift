import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ManifestPermissionName: Rule {
  let id = "manifest-permission-name"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      (manifest.requiredResources?.value ?? []).filter(\.isGraph).flatMap { $0.permissions.compactMap(check) }
    }
  }

  private func check(_ permission: AppManifest.Permission) -> Diagnostic? {
    guard let name = permission.writtenName, Self.isPermission(name.value),
      let known = GraphPermission.withID(permission.id.value)?.permission
    else { return nil }
    let lowercasedName = name.value.lowercased()
    let own = known.name.lowercased()
    // The name can start with the API as a prefix.
    guard lowercasedName != own, !lowercasedName.hasSuffix(".\(own)") else { return nil }
    let meant = GraphPermission.named(name.value)
    let id = meant.flatMap { permission.isRole ? $0.applicationRoleID : $0.id }
    return finding(
      "ID belongs to `\(known.name)`, not to `\(name.value)`",
      help: "change the name to `\(known.name)`, or the ID to \(id.map { "`\($0)`" } ?? "that of `\(name.value)`")",
      at: permission.id.place, related: [.init("the name is here", at: name.place)])
  }

  /// Returns whether a string is a permission name, such as `Calendars.Read`, and not a description. A permission name
  /// that is not in authflow's list must consist of a resource and a verb.
  private static func isPermission(_ text: String) -> Bool {
    if GraphPermission.named(text) != nil { return true }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count >= 2
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.utf8.allSatisfy {
            ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z") || $0 == UInt8(ascii: "-")
          }
      } && parts.dropFirst().contains { verbs.contains($0.lowercased()) }
  }

  /// Verbs that occur in permission names.
  private static let verbs: Set<String> = [
    "read", "readwrite", "readbasic", "create", "manage", "send", "invoke", "accessasuser", "privilegedoperations",
  ]
}
