import AppRegistration
import DeclaredFields
import Diagnostics

struct MSALJSSecret: Rule {
  let id = "msal-js-secret"
  let severity = Diagnostic.Severity.error
  let words = "a browser app's configuration holds a client secret"
  let help = """
    Everybody who opens the page has its configuration. A single-page app signs in with PKCE and has no secret; the service refuses a \
    secret that comes from a browser (AADSTS9002326, AADSTS9002327).
    """
  let bad = RuleExample(
    "msal.json",
    #"""
    {
      "auth": {
        "clientId": "6731de76-14a6-49ae-97bc-6eba6914391e",
        "authority": "https://login.microsoftonline.com/contoso.com",
        "clientSecret": 1️⃣"<from the portal>"
      },
      "cache": { "cacheLocation": "sessionStorage" }
    }
    """#)
  let good = RuleExample(
    "msal.json",
    #"""
    {
      "auth": {
        "clientId": "6731de76-14a6-49ae-97bc-6eba6914391e",
        "authority": "https://login.microsoftonline.com/contoso.com"
      },
      "cache": { "cacheLocation": "sessionStorage" }
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.msalJS, config.isForBrowsers, let secret = config.clientSecret else { return [] }
    var told = finding(
      "a browser app has no secret", help: "remove it, and have it replaced where it is real", at: secret.place)
    told.pointsAtSecret = true
    return [told]
  }
}
