import AppRegistration
import DeclaredFields
import Diagnostics

struct CredentialExpired: Rule {
  let id = "credential-expired"
  let severity = Diagnostic.Severity.warning
  let words = "a secret or certificate of the registration has expired"
  let help = """
    An app that signs in with it is refused: AADSTS7000222 for a secret, AADSTS700027 for a certificate. Make a new one, give it to \
    the app, then remove this one. A public client needs none at all.
    """
  let bad = RuleExample(
    "app.json",
    #"""
    {
      "appId": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "displayName": "Contoso",
      "web": {"redirectUris": ["https://contoso.com/signin"]},
      "passwordCredentials": [
        {"displayName": "Server", "startDateTime": "2023-05-01T00:00:00Z", "endDateTime": 1️⃣"2024-05-01T00:00:00Z"}
      ]
    }
    """#)
  let good = RuleExample(
    "app.json",
    #"""
    {
      "appId": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "displayName": "Contoso",
      "web": {"redirectUris": ["https://contoso.com/signin"]},
      "passwordCredentials": [
        {"displayName": "Server", "startDateTime": "2025-12-01T00:00:00Z", "endDateTime": "2054-06-01T00:00:00Z"}
      ]
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let now = project.now else { return [] }
    return file.appManifests.flatMap { manifest in
      [("secret", manifest.passwordCredentials), ("certificate", manifest.keyCredentials)].flatMap {
        what, credentials in
        credentials.compactMap { credential in
          guard let end = credential.end, let seconds = AppManifest.seconds(end.value), seconds <= now else {
            return nil
          }
          return finding(
            "the \(what) expired on \(end.value.hasPrefix("/") ? end.value : String(end.value.prefix(10)))",
            help: "make a new one and remove this one; a public client needs none", at: end.place)
        }
      }
    }
  }
}
