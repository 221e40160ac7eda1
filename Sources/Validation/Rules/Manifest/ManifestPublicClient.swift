import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct ManifestPublicClient: Rule {
  let id = "manifest-public-client"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.compactMap { manifest in
      guard let flag = manifest.isPublicClient, flag.value != true else { return nil }
      // Mobile apps do not use these flows.
      let desktop = manifest.writtenRedirects.first { redirect in
        redirect.kind == .installedClient
          && (redirect.uri.value == WellKnown.outOfBandRedirect || redirect.uri.value.hasSuffix("/nativeclient")
            || URLReference(valid: redirect.uri.value)?.isLoopback == true)
      }
      guard let desktop else { return nil }
      return finding(
        "app cannot sign in with a device code or password (AADSTS7000218)",
        help: "set the flag to `true` if the app uses either flow", at: flag.place,
        related: [.init("a redirect URI for a desktop app is here", at: desktop.uri.place)])
    }
  }
}
