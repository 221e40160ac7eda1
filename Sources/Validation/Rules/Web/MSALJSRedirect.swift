import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct MSALJSRedirect: Rule {
  let id = "msal-js-redirect"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let config = file.msalJS else { return [] }
    return [("redirectUri", config.redirectURI), ("postLogoutRedirectUri", config.postLogoutRedirectURI)].compactMap {
      key, value in
      guard let value, !value.isReference, !value.isBlank else { return nil }
      return check(value, key, isCallback: key == "redirectUri")
    }
  }

  private func check(_ uri: Positioned<String>, _ key: String, isCallback: Bool) -> Diagnostic? {
    let place = uri.place(of: uri.value[...])
    if let placeholder = TemplatePlaceholder.find(in: uri.value) {
      return finding(
        "`\(key)` contains a placeholder: `\(placeholder)`", help: "replace it with the page's URL",
        at: self.place(of: placeholder, in: uri))
    }
    if uri.value.contains(where: \.isWhitespace) {
      return finding("whitespace in `\(key)`", help: "remove it", at: place)
    }
    // A value without `://` is a path relative to the page.
    guard uri.value.contains("://"), let parts = URLReference(valid: uri.value), let scheme = parts.scheme?.lowercased()
    else {
      return nil
    }
    if isCallback, parts.fragment != nil {
      return finding("fragment in `\(key)`", help: "remove `#` and everything after it", at: place)
    }
    guard scheme == "http", !parts.isLoopback else { return nil }
    return finding(
      "`\(key)` uses HTTP, which is allowed only on localhost", severity: isCallback ? .error : .warning,
      help: "use `https://`", at: place)
  }
}
