import AppRegistration
import DeclaredFields
import Diagnostics

struct ManifestIDEmpty: Rule {
  let id = "manifest-id-empty"
  let severity = Diagnostic.Severity.error
  let words = "an id of the registration is empty"
  let help = """
    The service refuses an empty id, and an empty permission or resource means nothing to it. Such holes are left where ids were \
    taken out before the file was shared.
    """
  let bad = RuleExample(
    "app.json",
    #"""
    {
      "appId": 1️⃣"",
      "requiredResourceAccess": [
        {"resourceAppId": 1️⃣"", "resourceAccess": [{"id": 1️⃣"", "type": "Scope"}]}
      ]
    }
    """#)
  let good = RuleExample(
    "app.json",
    #"""
    {
      "appId": "6731de76-14a6-49ae-97bc-6eba6914391e",
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
      manifest.ids.filter { $0.id.value.allSatisfy(\.isWhitespace) }.map { name, id in
        finding("\(name) is empty", help: "write it, or remove the entry", at: id.place)
      }
    }
  }
}
