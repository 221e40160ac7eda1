import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct ManifestAudienceUnknown: Rule {
  let id = "manifest-audience-unknown"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.error]
  let words = "signInAudience is none of the four audiences, or is spelled with other letter case"
  let help = """
    A registration is for the accounts of one organization (AzureADMyOrg), of any organization (AzureADMultipleOrgs), of \
    organizations and personal ones (AzureADandPersonalMicrosoftAccount), or for personal ones alone (PersonalMicrosoftAccount). \
    Tools compare these words letter by letter; a word that is none of them is an error, for the registration is refused.
    """
  let bad = RuleExample(
    "app.json",
    #"""
    {
      "displayName": "Contoso",
      "signInAudience": 1️⃣"AzureADAndPersonalMicrosoftAccount",
      "publicClient": {"redirectUris": ["http://localhost"]}
    }
    """#)
  let good = RuleExample(
    "app.json",
    #"""
    {
      "displayName": "Contoso",
      "signInAudience": "AzureADandPersonalMicrosoftAccount",
      "publicClient": {"redirectUris": ["http://localhost"]}
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.compactMap { manifest in
      guard let written = manifest.signInAudience, Audience(rawValue: written.value) == nil,
        !AppManifest.isToBeFilledIn(written.value)
      else { return nil }
      if let meant = manifest.audience {
        return finding(
          "signInAudience \(written.value) is spelled \(meant.rawValue)", help: "write \(meant.rawValue)",
          at: written.place, fix: .replacing(written, in: file, with: meant.rawValue, "write \(meant.rawValue)"))
      }
      let all = Audience.allCases.map(\.rawValue)
      let nearest = Suggestion.nearest(to: written.value, among: all)
      return finding(
        written.value.isEmpty ? "signInAudience is empty" : "there is no audience \"\(written.value)\"",
        severity: .error,
        help: nearest.map { "did you mean \($0)?" } ?? "write one of \(all.joined(separator: ", "))",
        at: written.place)
    }
  }
}
