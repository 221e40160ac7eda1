import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ManifestPermissionUnknown: Rule {
  let id = "manifest-permission-unknown"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      (manifest.requiredResources?.value ?? []).filter(\.isGraph).flatMap { resource in
        resource.permissions.compactMap { permission in
          let id = permission.id
          guard !AppManifest.isToBeFilledIn(id.value) else { return nil }
          return GUIDText.isWellFormed(id.value)
            ? checkID(id.value, at: id.place) : manifest.dialect.allowsNames ? checkName(id.value, at: id.place) : nil
        }
      }
    }
  }

  /// Reports an ID that differs from a known ID in only one or two characters. Such a similarity is very unlikely to be
  /// a coincidence.
  private func checkID(_ id: String, at place: FileSpan) -> Diagnostic? {
    guard GraphPermission.withID(id) == nil else { return nil }
    let id = Array(id.lowercased().utf8)
    guard let similar = Self.knownIDs.first(where: { Self.isSimilar($0.bytes, id) }) else { return nil }
    return finding(
      "unknown permission ID", help: "use `\(similar.id)` for `\(similar.name)` (\(similar.kind))", at: place)
  }

  /// Returns whether two strings of the same length differ in at most two characters.
  private static func isSimilar(_ known: [UInt8], _ id: [UInt8]) -> Bool {
    guard known.count == id.count else { return false }
    var differences = 0
    for index in id.indices where known[index] != id[index] {
      differences += 1
      // A list can contain a hundred thousand IDs. Most IDs differ in the first few characters.
      if differences > 2 { return false }
    }
    return true
  }

  private static let knownIDs: [(bytes: [UInt8], id: String, name: String, kind: String)] = GraphPermission.all
    .flatMap { permission in
      [(permission.id, "Scope"), (permission.applicationRoleID, "Role")].compactMap { id, kind in
        id.map { (Array($0.utf8), $0, permission.name, kind) }
      }
    }

  private func checkName(_ name: String, at place: FileSpan) -> Diagnostic? {
    guard !PermissionUnknown.isPublished(name), !PermissionUnknown.isPlausible(name) else { return nil }
    return Suggestion.nearest(to: name, among: GraphPermission.publishedNames).map { nearest in
      finding("unknown Microsoft Graph permission `\(name)`", help: "did you mean `\(nearest)`?", at: place)
    }
  }
}
