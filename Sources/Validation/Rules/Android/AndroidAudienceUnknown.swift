import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct AndroidAudienceUnknown: Rule {
  let id = "android-audience-unknown"
  let severity = Diagnostic.Severity.error
  let words = "the audience of an Android authority is none that MSAL knows"
  let help = """
    audience.type is AzureADMyOrg, AzureADMultipleOrgs, AzureADandPersonalMicrosoftAccount or PersonalMicrosoftAccount, spelled so. \
    MSAL throws at any other.
    """
  let bad = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/Qk9vSHFmcTFzT3BtT2FkT3JzYVk%3D",
      "authorities": [{ "type": "AAD", "audience": { "type": "1️⃣AzureADAndPersonalMicrosoftAccount" } }]
    }
    """#)
  let good = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/Qk9vSHFmcTFzT3BtT2FkT3JzYVk%3D",
      "authorities": [{ "type": "AAD", "audience": { "type": "AzureADandPersonalMicrosoftAccount" } }]
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let words = Audience.allCases.map(\.rawValue)
    return (file.androidConfig?.entries ?? []).compactMap { entry in
      // Where the address stands, the audience is not read.
      guard entry.url == nil, let type = entry.audience?.value.type, !type.isReference, !words.contains(type.value)
      else {
        return nil
      }
      let meant = Audience(named: type.value)?.rawValue
      let near = meant ?? Suggestion.nearest(to: type.value, among: words)
      return finding(
        "\"\(type.value)\" is no audience",
        help: near.map { "did you mean \($0)?" } ?? "write \(words.joined(separator: ", "))",
        at: type.place(of: type.value[...]),
        fix: meant.flatMap { file.replacing(type, with: $0) })
    }
  }
}
