import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct ManifestPublicClient: Rule {
  let id = "manifest-public-client"
  let severity = Diagnostic.Severity.note
  let words = "an app for the desktop is registered, and flows without a redirect URI are refused to it"
  let help = """
    Device code, user name with password, and integrated Windows authentication send no redirect URI by which the service could tell \
    that the app is a public one. It then looks at allowPublicClient (isFallbackPublicClient in Microsoft Graph's manifest), where \
    null means no, and asks for a secret: AADSTS7000218.
    """
  let bad = RuleExample(
    "app.json",
    #"""
    {
      "displayName": "Contoso",
      "isFallbackPublicClient": 1️⃣false,
      "publicClient": {"redirectUris": ["http://localhost"]}
    }
    """#)
  let good = RuleExample(
    "app.json",
    #"""
    {
      "displayName": "Contoso",
      "isFallbackPublicClient": true,
      "publicClient": {"redirectUris": ["http://localhost"]}
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.compactMap { manifest in
      guard let flag = manifest.isPublicClient, flag.value != true else { return nil }
      // Apps on phones have no use for these flows.
      let desktop = manifest.writtenRedirects.first { redirect in
        redirect.kind == .installedClient
          && (redirect.uri.value == WellKnown.outOfBandRedirect || redirect.uri.value.hasSuffix("/nativeclient")
            || URLParts(redirect.uri.value)?.isLoopback == true)
      }
      guard let desktop else { return nil }
      return finding(
        "device code and password sign-in are refused to this app (AADSTS7000218)",
        help: "write true if the app uses either of them", at: flag.place,
        related: [.init("this redirect URI is a desktop app's", at: desktop.uri.place)])
    }
  }
}
