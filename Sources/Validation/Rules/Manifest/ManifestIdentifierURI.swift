import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct ManifestIdentifierURI: Rule {
  let id = "manifest-identifier-uri"
  let severity = Diagnostic.Severity.error
  let words = "an identifier URI is none, or not one that the registration's audience allows"
  let help = """
    An identifier URI is what other apps call this API by: api://<client id>, https:// under a verified domain, or a urn. It is at \
    most 255 characters long. Where personal accounts may sign in, it is at most 120 long, there are at most 50, and none is a urn.
    """
  let bad = RuleExample(
    "app.json",
    #"""
    {
      "appId": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "signInAudience": "AzureADandPersonalMicrosoftAccount",
      "accessTokenAcceptedVersion": 2,
      "identifierUris": [1️⃣"contoso-api", 1️⃣"urn:contoso:api"]
    }
    """#)
  let good = RuleExample(
    "app.json",
    #"""
    {
      "appId": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "signInAudience": "AzureADandPersonalMicrosoftAccount",
      "accessTokenAcceptedVersion": 2,
      "identifierUris": ["api://6731de76-14a6-49ae-97bc-6eba6914391e"]
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      manifest.identifierURIs.compactMap { uri in
        guard !uri.value.allSatisfy(\.isWhitespace), !AppManifest.isToBeFilledIn(uri.value) else { return nil }
        return judge(uri, personal: manifest.allowsPersonalAccounts)
      }
    }
  }

  private func judge(_ uri: Positioned<String>, personal: Bool) -> Diagnostic? {
    guard let scheme = URLParts(uri.value)?.scheme?.lowercased() else {
      return finding(
        "\"\(uri.value)\" is no URI", help: "write it like api://<client id>", at: uri.place)
    }
    if personal, scheme == "urn" {
      return finding(
        "with personal accounts an identifier URI is no urn", help: "write it like api://<client id>", at: uri.place)
    }
    let limit = personal ? 120 : 255
    guard uri.value.count > limit else { return nil }
    return finding(
      "the identifier URI is \(uri.value.count) characters long", help: "at most \(limit) are allowed", at: uri.place)
  }
}
