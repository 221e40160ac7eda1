import AppRegistration
import Diagnostics
import IdentityPlatform

struct ManifestAppRoles: Rule {
  let id = "manifest-app-roles"
  let severity = Diagnostic.Severity.warning
  let words = "the registration has app roles, and personal accounts may sign in"
  let help = """
    Roles are assigned to the users and apps of an organization. Registrations that let personal accounts in do not support them, and \
    no token of a personal account carries any.
    """
  let bad = RuleExample(
    "app.json",
    #"""
    {
      "displayName": "Contoso",
      "signInAudience": "AzureADandPersonalMicrosoftAccount",
      "web": {"redirectUris": ["https://contoso.com/signin"]},
      "appRoles": [
        1️⃣{
          "id": "5b1e3c2a-7f0d-4d8e-9a41-0c6b8f2d7e93", "allowedMemberTypes": ["User"], "displayName": "Reader",
          "description": "Reads", "isEnabled": true, "value": "Reader"
        }
      ]
    }
    """#)
  let good = RuleExample(
    "app.json",
    #"""
    {
      "displayName": "Contoso",
      "signInAudience": "AzureADMultipleOrgs",
      "web": {"redirectUris": ["https://contoso.com/signin"]},
      "appRoles": [
        {
          "id": "5b1e3c2a-7f0d-4d8e-9a41-0c6b8f2d7e93", "allowedMemberTypes": ["User"], "displayName": "Reader",
          "description": "Reads", "isEnabled": true, "value": "Reader"
        }
      ]
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.compactMap { manifest in
      guard manifest.allowsPersonalAccounts, let role = manifest.appRoles.first else { return nil }
      return finding(
        "app roles are not supported with \(manifest.audience?.rawValue ?? "personal accounts")",
        help: "remove the roles, or let only organizations sign in", at: role.place)
    }
  }
}
