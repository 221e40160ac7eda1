import AppRegistration
import Diagnostics
import Documents

struct ManifestRedirectDuplicate: Rule {
  let id = "manifest-redirect-duplicate"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      var first: [String: AppManifest.Redirect] = [:]
      return manifest.writtenRedirects.compactMap { redirect -> Diagnostic? in
        guard let earlier = first[redirect.uri.value] else {
          first[redirect.uri.value] = redirect
          return nil
        }
        let isSame = earlier.kind == redirect.kind
        // If one string contains several URIs, they all have the same location.
        guard earlier.uri.place.span?.start != redirect.uri.place.span?.start else { return nil }
        return finding(
          isSame ? "duplicate redirect URI" : "redirect URI is registered for two platforms",
          severity: isSame ? severity : .note,
          help: isSame ? "remove it" : "keep only the platform whose flow the app uses", at: redirect.uri.place,
          related: [.init("the redirect URI is first registered here", at: earlier.uri.place)])
      }
    }
  }
}
