import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct ManifestRedirectMalformed: Rule {
  let id = "manifest-redirect-malformed"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in manifest.redirects.compactMap(check) }
  }

  private func check(_ redirect: AppManifest.Redirect) -> Diagnostic? {
    let uri = redirect.uri
    if uri.value.allSatisfy(\.isWhitespace) {
      return finding("empty redirect URI", help: "remove it, or set the URI", at: uri.place)
    }
    guard !AppManifest.isToBeFilledIn(uri.value) else { return nil }
    if uri.value.contains(where: \.isWhitespace) {
      return finding("whitespace in redirect URI", help: "remove it", at: uri.place)
    }
    if uri.value.count > 256 {
      return finding(
        "redirect URI has \(uri.value.count) characters (limit 256)", help: "shorten it", at: uri.place)
    }
    if uri.value.contains("#") {
      return finding(
        "fragment in redirect URI", help: "remove `#` and everything after it", at: uri.place)
    }
    return checkParts(of: redirect) ?? checkCharacters(of: uri)
  }

  /// Checks the characters in a web address. URIs with custom schemes can contain any characters, because the service
  /// only compares these URIs for equality.
  private func checkCharacters(of uri: Positioned<String>) -> Diagnostic? {
    guard uri.value.lowercased().hasPrefix("http"), let character = uri.value.first(where: { "!$'(),;".contains($0) })
    else {
      return nil
    }
    return finding(
      "redirect URI contains `\(character)`, which is not allowed", severity: .warning,
      help: "register a URI without this character", at: uri.place)
  }

  private func checkParts(of redirect: AppManifest.Redirect) -> Diagnostic? {
    let uri = redirect.uri
    guard let parts = URLReference(valid: uri.value.replacing("*", with: "x")) else {
      return finding("port of the redirect URI is not a number", help: "correct the port", at: uri.place)
    }
    // `localhost:3000` looks like a scheme with a path.
    guard let scheme = parts.scheme?.lowercased(), scheme != "localhost",
      !scheme.contains(".") || parts.authority != nil
    else {
      return finding(
        "redirect URI without a scheme", help: "add `https://`, or `http://` for localhost", at: uri.place)
    }
    guard scheme == "http" || scheme == "https" else { return nil }
    guard let host = parts.host else {
      return finding("redirect URI without a host", help: "add a host after `\(scheme)://`", at: uri.place)
    }
    guard scheme == "http" else { return nil }
    switch host {
    case "localhost", "127.0.0.1": return nil
    case "[::1]":
      return finding(
        "loopback address `[::1]` cannot be registered", help: "use `http://localhost` or `http://127.0.0.1`",
        at: uri.place)
    default:
      // Azure AD Graph allowed any URI for native apps, and such registrations still exist.
      if redirect.kind == .installedClient || redirect.kind == nil {
        return redirect.writtenKind == nil && redirect.kind == nil
          ? nil
          : finding(
            "`http://` is allowed only for localhost", severity: .warning, help: "use `https://\(host)…`",
            at: uri.place
          )
      }
      return finding("`http://` is allowed only for localhost", help: "use `https://\(host)…`", at: uri.place)
    }
  }
}
