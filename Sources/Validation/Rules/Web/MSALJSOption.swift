import AppRegistration
import DeclaredFields
import Diagnostics

struct MSALJSOption: Rule {
  let id = "msal-js-option"
  let severity = Diagnostic.Severity.warning
  let words = "an option of msal.js has a value that it does not know"
  let help = """
    cache.cacheLocation is sessionStorage, localStorage or memoryStorage; auth.protocolMode is AAD, OIDC or EAR. msal.js keeps the \
    tokens in memory where it does not know the word, and everybody signs in again with each page.
    """
  let bad = RuleExample(
    "msal.json",
    #"""
    {
      "auth": {
        "clientId": "6731de76-14a6-49ae-97bc-6eba6914391e",
        "authority": "https://login.microsoftonline.com/contoso.com"
      },
      "cache": { "cacheLocation": "1️⃣localstorage" }
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
      "cache": { "cacheLocation": "localStorage" }
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.msalJS else { return [] }
    let options: [(Positioned<String>?, String, [String])] = [
      (config.cacheLocation, "cacheLocation", ["sessionStorage", "localStorage", "memoryStorage"]),
      (config.protocolMode, "protocolMode", ["AAD", "OIDC", "EAR"]),
    ]
    return options.flatMap { value, key, words in
      value.map { unknownWord($0, key, among: words, in: file) } ?? []
    }
  }
}
