import AppRegistration
import Diagnostics
import Documents
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
      return judge(value, key, isCallback: key == "redirectUri")
    }
  }

  private func judge(_ uri: Positioned<String>, _ key: String, isCallback: Bool) -> Diagnostic? {
    let place = uri.place(of: uri.value[...])
    if let placeholder = TemplatePlaceholder.find(in: uri.value) {
      return finding(
        "\(key) still holds a placeholder: \(placeholder)", help: "write the page's own address",
        at: placeOf(placeholder, in: uri))
    }
    if uri.value.contains(where: \.isWhitespace) {
      return finding("\(key) holds white space", help: "remove it", at: place)
    }
    // What is no address is a path, seen from the page.
    guard uri.value.contains("://"), let parts = URLParts(uri.value), let scheme = parts.scheme?.lowercased() else {
      return nil
    }
    if isCallback, parts.fragment != nil {
      return finding("\(key) holds a fragment", help: "remove everything from # on", at: place)
    }
    guard scheme == "http", !parts.isLoopback, parts.host != "[::1]" else { return nil }
    return finding(
      "\(key) is neither https nor on localhost", severity: isCallback ? .error : .warning, help: "write https://",
      at: place)
  }
}
