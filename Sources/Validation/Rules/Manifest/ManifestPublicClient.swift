import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ManifestPublicClient: Rule {
  let id = "manifest-public-client"
  let severity = Diagnostic.Severity.note

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
