import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct ManifestIDPlaceholder: Rule {
  let id = "manifest-id-placeholder"
  let severity = Diagnostic.Severity.error
  let words = "an id of the registration is still a placeholder"
  let help = """
    The file is to be filled in before it can be used: the service knows no app, API or permission by this text. References that a \
    tool fills in, such as ${{AAD_APP_CLIENT_ID}}, are no placeholders.
    """
  let bad = RuleExample(
    "app.json",
    #"""
    {
      "appId": 1️⃣"<your client id>",
      "signInAudience": "AzureADMyOrg",
      "replyUrlsWithType": []
    }
    """#)
  let good = RuleExample(
    "app.json",
    #"""
    {
      "appId": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "signInAudience": "AzureADMyOrg",
      "replyUrlsWithType": []
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.filter { $0.dialect != .appCreationScripts }.flatMap { manifest in
      manifest.ids.compactMap { name, id in
        if name == "appId", GUIDText.isWellFormed(id.value), id.value.allSatisfy({ $0 == "0" || $0 == "-" }) {
          return finding("appId is all zeros, which is no app's", help: "write the app's id in its place", at: id.place)
        }
        guard !AppManifest.isReference(id.value), !GUIDText.isWellFormed(id.value),
          let placeholder = TemplatePlaceholder.find(in: id.value)
        else { return nil }
        return finding(
          "\(name) is still a placeholder: \(placeholder)", help: "write the id in its place", at: id.place)
      }
    }
  }
}
