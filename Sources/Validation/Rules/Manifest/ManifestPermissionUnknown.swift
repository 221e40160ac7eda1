import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct ManifestPermissionUnknown: Rule {
  let id = "manifest-permission-unknown"
  let severity = Diagnostic.Severity.warning
  let words = "a permission is nearly, but not quite, one of Microsoft Graph"
  let help = """
    An id that Graph does not know is refused when the registration is saved, or makes consent fail (AADSTS650053). This one differs \
    from a known one by a character or two. Ids that are like none are let pass, for Graph has more permissions than are listed here.
    """
  let bad = RuleExample(
    "app.json",
    #"""
    {
      "displayName": "Contoso",
      "requiredResourceAccess": [
        {
          "resourceAppId": "00000003-0000-0000-c000-000000000000",
          "resourceAccess": [{"id": 1️⃣"e1fe6dd8-ba31-4d61-89e7-88639da4863d", "type": "Scope"}]
        }
      ]
    }
    """#)
  let good = RuleExample(
    "app.json",
    #"""
    {
      "displayName": "Contoso",
      "requiredResourceAccess": [
        {
          "resourceAppId": "00000003-0000-0000-c000-000000000000",
          "resourceAccess": [{"id": "e1fe6dd8-ba31-4d61-89e7-88639da4683d", "type": "Scope"}]
        }
      ]
    }
    """#)

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
  private func nearID(_ id: String, at place: Place) -> Diagnostic? {
    let id = Array(id.lowercased().utf8)
    for permission in GraphPermission.all {
      for (known, kind) in [(permission.id, "Scope"), (permission.applicationRoleID ?? "", "Role")] {
        let other = Array(known.utf8)
        guard other.count == id.count else { continue }
        let distance = zip(id, other).count { $0 != $1 }
        if distance == 0 { return nil }
        if distance <= 2 {
          return finding(
            "Microsoft Graph has no permission with this id", help: "\(permission.name) (\(kind)) is \(known)",
            at: place)
        }
      }
    }
    return nil
  }

  private func nearName(_ name: String, at place: Place) -> Diagnostic? {
    guard GraphPermission.named(name) == nil, !PermissionUnknown.isPlausible(name) else { return nil }
    return Suggestion.nearest(to: name, among: GraphPermission.names).map { nearest in
      finding("Microsoft Graph has no permission \"\(name)\"", help: "did you mean \(nearest)?", at: place)
    }
  }
}
