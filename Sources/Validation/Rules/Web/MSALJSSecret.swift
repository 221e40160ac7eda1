import AppRegistration
import Diagnostics
import Documents

struct MSALJSSecret: Rule {
  let id = "msal-js-secret"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.msalJS, config.isForBrowsers, let secret = config.clientSecret else { return [] }
    var result = finding(
      "client secret in a browser app", help: "remove it; if it is a real secret, replace it in the portal",
      at: secret.place)
    result.pointsAtSecret = true
    return [result]
  }
}
