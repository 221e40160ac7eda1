import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct ManifestRedirectPersonal: Rule {
  let id = "manifest-redirect-personal"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.note]
  let words = "a redirect URI has a wildcard or a query, and personal accounts may sign in"
  let help = """
    A registration that lets personal accounts in cannot have redirect URIs with a * or a ?. Without them both are allowed, and a \
    wildcard is still a risk: whoever gets hold of any host that it matches receives the tokens.
    """
  let bad = RuleExample(
    "app.json",
    #"""
    {
      "displayName": "Contoso",
      "signInAudience": "AzureADandPersonalMicrosoftAccount",
      "web": {"redirectUris": [1️⃣"https://*.contoso.com/signin", 1️⃣"https://contoso.com/signin?site=1"]}
    }
    """#)
  let good = RuleExample(
    "app.json",
    #"""
    {
      "displayName": "Contoso",
      "signInAudience": "AzureADandPersonalMicrosoftAccount",
      "web": {"redirectUris": ["https://www.contoso.com/signin", "https://contoso.com/signin"]}
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      manifest.writtenRedirects.compactMap { redirect in
        let uri = redirect.uri
        let hasWildcard = uri.value.contains("*")
        guard hasWildcard || uri.value.contains("?") else { return nil }
        if manifest.allowsPersonalAccounts {
          return finding(
            "with personal accounts a redirect URI has no \(hasWildcard ? "wildcard" : "query")",
            help: hasWildcard ? "register each URI by itself" : "remove the query, and carry it in the state instead",
            at: uri.place)
        }
        guard hasWildcard else { return nil }
        return finding(
          "whoever holds any host that this matches can receive tokens", severity: .note,
          help: "register each URI by itself", at: uri.place)
      }
    }
  }
}
