import AppRegistration
import Diagnostics
import Documents

struct ManifestFragment: Rule {
  let id = "manifest-fragment"
  let severity = Diagnostic.Severity.error
  let words = "the file is a piece copied out of a manifest, not a document"
  let help = """
    The text begins with a key, where a JSON document begins with { or [. Put braces around it, and drop the comma after its last \
    value.
    """
  let bad = RuleExample(
    "permissions.json",
    #"""
    1️⃣"requiredResourceAccess": [
      {
        "resourceAppId": "00000003-0000-0000-c000-000000000000",
        "resourceAccess": [{"id": "e1fe6dd8-ba31-4d61-89e7-88639da4683d", "type": "Scope"}]
      }
    ],
    """#)
  let good = RuleExample(
    "permissions.json",
    #"""
    {"requiredResourceAccess": [
      {
        "resourceAppId": "00000003-0000-0000-c000-000000000000",
        "resourceAccess": [{"id": "e1fe6dd8-ba31-4d61-89e7-88639da4683d", "type": "Scope"}]
      }
    ]}
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.diagnostics.filter { $0.rule == id }
  }
}
