import AppRegistration
import Diagnostics
import Documents

struct ManifestImplicitFlow: Rule {
  let id = "manifest-implicit-flow"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.compactMap { manifest in
      let flags = [manifest.issuesIDTokensImplicitly, manifest.issuesAccessTokensImplicitly].compactMap { $0 }
      let on = flags.filter(\.value).sorted { ($0.place.span?.start ?? 0) < ($1.place.span?.start ?? 0) }
      guard let first = on.first else { return nil }
      if let list = manifest.redirectList, manifest.redirects.isEmpty {
        return finding(
          "implicit flow is enabled without a redirect URI", help: "set the flag to `false`",
          at: first.place, related: [.init("the list of redirect URIs is empty", at: list)],
          fix: Diagnostic.Fix(
            description: "turn off the implicit flow",
            edits: on.compactMap { flag in flag.place.span.map { .init(span: $0, replacement: "false") } }))
      }
      guard let access = manifest.issuesAccessTokensImplicitly, access.value else { return nil }
      return finding(
        "implicit flow is enabled for access tokens", severity: .note,
        help: "turn it off when the app uses the authorization code flow with PKCE", at: access.place)
    }
  }
}
