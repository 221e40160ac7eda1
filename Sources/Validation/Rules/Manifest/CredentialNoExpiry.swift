import AppRegistration
import DeclaredFields
import Diagnostics

struct CredentialNoExpiry: Rule {
  let id = "credential-no-expiry"
  let severity = Diagnostic.Severity.warning
  let words = "a secret of the registration practically never expires"
  let help = """
    A secret that ends in 2299 is one of the time when the portal offered "never". Whoever got hold of it once can use it for ever. \
    Make one that lives for months, and remove this one.
    """
  let bad = RuleExample(
    "app.json",
    #"""
    {
      "appId": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "displayName": "Contoso",
      "web": {"redirectUris": ["https://contoso.com/signin"]},
      "passwordCredentials": [
        {"startDateTime": "2017-05-12T00:00:00Z", "endDateTime": 1️⃣"2299-12-31T05:00:00Z"}
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
        {"startDateTime": "2025-12-01T00:00:00Z", "endDateTime": "2054-06-01T00:00:00Z"}
      ]
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      manifest.passwordCredentials.compactMap { credential in
        guard let end = credential.end, let seconds = AppManifest.seconds(end.value) else { return nil }
        let start = credential.start.flatMap { AppManifest.seconds($0.value) } ?? project.now
        guard seconds >= Self.year2099 || start.map({ seconds - $0 > Self.thirtyYears }) == true else { return nil }
        return finding(
          "the secret lives until \(String(end.value.prefix(10)))",
          help: "make one that lives for months, and remove this one", at: end.place)
      }
    }
  }

  /// 2099-01-01, in seconds since 1970.
  private static let year2099: Int64 = 4_070_908_800
  private static let thirtyYears: Int64 = 30 * 31_557_600
}
