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
            "redirect URI with a \(hasWildcard ? "wildcard" : "query") is not supported with personal accounts",
            help: hasWildcard
              ? "register each URI separately" : "remove the query, and use the `state` parameter instead",
            at: uri.place)
        }
        guard hasWildcard else { return nil }
        return finding(
          "wildcard in redirect URI: any matching host can receive tokens", severity: .note,
          help: "register each URI separately", at: uri.place)
      }
    }
  }
}
