import AppRegistration
import DeclaredFields
import Diagnostics
import Documents

struct ManifestFormatRetired: Rule {
  let id = "manifest-format-retired"
  let severity = Diagnostic.Severity.note
  let words = "the registration is written as the retired Azure AD Graph spelled it"
  let help = """
    Azure AD Graph is switched off. Microsoft Graph's application object says the same with other keys: replyUrls are redirectUris \
    under web, spa or publicClient, availableToOtherTenants is signInAudience, objectId is id, homepage is web.homePageUrl.
    """
  let bad = RuleExample(
    "app.json",
    #"""
    {
      "appId": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "displayName": "Contoso",
      "publicClient": true,
      "replyUrls": 1️⃣["http://localhost"]
    }
    """#)
  let good = RuleExample(
    "app.json",
    #"""
    {
      "appId": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "displayName": "Contoso",
      "isFallbackPublicClient": true,
      "publicClient": {"redirectUris": ["http://localhost"]}
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.filter { $0.dialect == .azureADGraph }.map { manifest in
      finding(
        "this is how Azure AD Graph wrote a registration down, and it is retired",
        help: "export the registration anew: az ad app show, or the portal's manifest page",
        at: manifest.redirectList ?? manifest.appID?.place ?? manifest.node.place)
    }
  }
}
