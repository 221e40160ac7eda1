import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ManifestPermissionName: Rule {
  let id = "manifest-permission-name"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      (manifest.requiredResources?.value ?? []).filter(\.isGraph).flatMap { $0.permissions.compactMap(judge) }
    }
  }

  private func judge(_ permission: AppManifest.Permission) -> Diagnostic? {
    guard let name = permission.writtenName, Self.isPermission(name.value),
      let known = GraphPermission.withID(permission.id.value)?.permission
    else { return nil }
    let written = name.value.lowercased()
    let own = known.name.lowercased()
    // Some write the API's name before the permission's.
    guard written != own, !written.hasSuffix(".\(own)") else { return nil }
    let meant = GraphPermission.named(name.value)
    let id = meant.flatMap { permission.isRole ? $0.applicationRoleID : $0.id }
    return finding(
      "this is the id of \(known.name), and not of \(name.value)",
      help: "write the name \(known.name)" + (id.map { ", or the id \($0)" } ?? ", or the id of \(name.value)"),
      at: permission.id.place, related: [.init("the name stands here", at: name.place)])
  }

  /// Whether a text is surely a permission's name, and no description of one: `Calendars.Read`. Graph has more permissions than are
  /// listed here, all of them named for a resource and what is done to it.
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

  /// What most names of permissions end in, or nearly.
  private static let verbs: Set<String> = [
    "read", "readwrite", "readbasic", "create", "manage", "send", "invoke", "accessasuser", "privilegedoperations",
  ]
}
