import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ManifestRedirectMalformed: Rule {
  let id = "manifest-redirect-malformed"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in manifest.redirects.compactMap(judge) }
  }

  private func judge(_ redirect: AppManifest.Redirect) -> Diagnostic? {
    let uri = redirect.uri
    if uri.value.allSatisfy(\.isWhitespace) {
      return finding("the redirect URI is empty", help: "remove it, or write the URI", at: uri.place)
    }
    guard !AppManifest.isToBeFilledIn(uri.value) else { return nil }
    if uri.value.contains(where: \.isWhitespace) {
      return finding("the redirect URI holds white space", help: "remove it", at: uri.place)
    }
    if uri.value.count > 256 {
      return finding(
        "the redirect URI is \(uri.value.count) characters long", help: "at most 256 can be registered", at: uri.place)
    }
    if uri.value.contains("#") {
      return finding(
        "the redirect URI has a fragment", help: "remove the # and what follows it", at: uri.place)
    }
    return judgeParts(of: redirect) ?? judgeCharacters(of: uri)
  }

  /// Of web addresses only: what an app's own scheme holds is compared letter by letter, whatever it is.
  private func judgeCharacters(of uri: Positioned<String>) -> Diagnostic? {
    guard uri.value.lowercased().hasPrefix("http"), let wrong = uri.value.first(where: { "!$'(),;".contains($0) })
    else {
      return nil
    }
    return finding(
      "a redirect URI may not hold \(wrong)", severity: .warning, help: "register an address without it", at: uri.place)
  }

  private func judgeParts(of redirect: AppManifest.Redirect) -> Diagnostic? {
    let uri = redirect.uri
    guard let parts = URLParts(uri.value.replacing("*", with: "x")) else {
      return finding("the redirect URI is no URL: its port is no number", help: "correct the port", at: uri.place)
    }
    // `localhost:3000` looks like a scheme with a path.
    guard let scheme = parts.scheme?.lowercased(), scheme != "localhost", !scheme.contains(".") || parts.hasAuthority
    else {
      return finding(
        "the redirect URI has no scheme", help: "begin it with https://, or http:// for localhost", at: uri.place)
    }
    guard scheme == "http" || scheme == "https" else { return nil }
    guard let host = parts.host, !host.isEmpty else {
      return finding("the redirect URI has no host", help: "name one after \(scheme)://", at: uri.place)
    }
    guard scheme == "http" else { return nil }
    switch host.lowercased() {
    case "localhost", "127.0.0.1": return nil
    case "::1":
      return finding(
        "the loopback address [::1] cannot be registered", help: "write http://localhost or http://127.0.0.1",
        at: uri.place)
    default:
      // Azure AD Graph let native apps have any URI, and such registrations live on.
      if redirect.kind == .installedClient || redirect.kind == nil {
        return redirect.writtenKind == nil && redirect.kind == nil
          ? nil
          : finding(
            "http:// is for localhost alone", severity: .warning, help: "write https://\(host)…", at: uri.place)
      }
      return finding("http:// is for localhost alone", help: "write https://\(host)…", at: uri.place)
    }
  }
}
