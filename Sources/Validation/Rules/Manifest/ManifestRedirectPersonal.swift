import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ManifestRedirectPersonal: Rule {
  let id = "manifest-redirect-personal"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      manifest.writtenRedirects.compactMap { redirect in
        let uri = redirect.uri
        let hasWildcard = uri.value.contains("*")
        guard hasWildcard || uri.value.contains("?") else { return nil }
        if manifest.allowsPersonalAccounts {
          return finding(
            "with personal accounts a redirect URI has no \(hasWildcard ? "wildcard" : "query")",
            help: hasWildcard ? "register each URI by itself" : "remove the query, and carry it in the state instead",
            at: uri.place)
        }
        guard hasWildcard else { return nil }
        return finding(
          "whoever holds any host that this matches can receive tokens", severity: .note,
          help: "register each URI by itself", at: uri.place)
      }
    }
  }
}
