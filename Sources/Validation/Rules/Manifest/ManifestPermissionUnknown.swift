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
            ? nearID(id.value, at: id.place) : manifest.dialect.allowsNames ? nearName(id.value, at: id.place) : nil
        }
      }
    }
  }

  /// Chance does not bring two GUIDs within two characters of each other.
  private func nearID(_ id: String, at place: FileSpan) -> Diagnostic? {
    guard GraphPermission.withID(id) == nil else { return nil }
    let id = Array(id.lowercased().utf8)
    guard let near = Self.knownIDs.first(where: { Self.differsLittle($0.bytes, id) }) else { return nil }
    return finding(
      "Microsoft Graph has no permission with this id", help: "\(near.name) (\(near.kind)) is \(near.id)", at: place)
  }

  /// Whether two texts of the same length differ in no more than two places.
  private static func differsLittle(_ known: [UInt8], _ id: [UInt8]) -> Bool {
    guard known.count == id.count else { return false }
    var differences = 0
    for index in id.indices where known[index] != id[index] {
      differences += 1
      // A list may hold a hundred thousand ids: most are told apart by their first characters.
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

  private func nearName(_ name: String, at place: FileSpan) -> Diagnostic? {
    guard !PermissionUnknown.isPublished(name), !PermissionUnknown.isPlausible(name) else { return nil }
    return Suggestion.nearest(to: name, among: GraphPermission.publishedNames).map { nearest in
      finding("Microsoft Graph has no permission \"\(name)\"", help: "did you mean \(nearest)?", at: place)
    }
  }
}
