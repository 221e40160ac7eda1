import AppRegistration
import Diagnostics
import Documents

struct MSALJSSecret: Rule {
  let id = "msal-js-secret"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.msalJS, config.isForBrowsers, let secret = config.clientSecret else { return [] }
    var told = finding(
      "a browser app has no secret", help: "remove it, and have it replaced where it is real", at: secret.place)
    told.pointsAtSecret = true
    return [told]
  }
}
