import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct ManifestPermissionAdmin: Rule {
  let id = "manifest-permission-admin"
  let severity = Diagnostic.Severity.note
  let words = "a permission of the registration is one that only an administrator can grant"
  let help = """
    A user who is no administrator meets "Need admin approval" (AADSTS90094) as soon as the app asks for all that is registered \
    (.default). Where a lesser permission will do, register that; otherwise have an administrator consent before the app is rolled \
    out. Permissions of the type Role always need an administrator.
    """
  let bad = RuleExample(
    "app.json",
    #"""
    {
      "displayName": "Contoso",
      "requiredResourceAccess": [
        {
          "resourceAppId": "00000003-0000-0000-c000-000000000000",
          "resourceAccess": [{"id": 1️⃣"a154be20-db9c-4678-8ab7-66f6cc099a59", "type": "Scope"}]
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
          "resourceAccess": [{"id": "b340eb25-3456-403f-be2f-af7a0d370277", "type": "Scope"}]
        }
      ]
    }
    """#)

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
