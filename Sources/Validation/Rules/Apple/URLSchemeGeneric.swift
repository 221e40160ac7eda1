import AppRegistration
import Diagnostics
import Documents

struct URLSchemeGeneric: Rule {
  let id = "url-scheme-generic"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.note]

  private static let generic: Set<String> = [
    "auth", "msal", "msauth", "oauth", "oauth2", "authorize", "authentication", "login", "signin", "sign-in",
    "callback", "redirect", "oauthredirect", "app",
  ]
  private static let web: Set<String> = ["http", "https"]
  private static let brokers: Set<String> = ["msauthv2", "msauthv3"]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist, plist.signsInWithMSAL else { return [] }
    let client = plist.schemes.first { if case .client = SignInScheme($0.text) { true } else { false } }
    // Apple requires web browsers to register both schemes.
    let isBrowser = Self.web.isSubset(of: plist.schemes.map { $0.text.lowercased() })
    return plist.schemes.compactMap { entry in
      let scheme = entry.text.lowercased()
      if Self.brokers.contains(scheme) {
        return finding(
          "`\(entry.text)` is a broker scheme, so the app would receive requests for the broker",
          help: "list it in `LSApplicationQueriesSchemes` instead", at: entry.node.place)
      }
      if Self.web.contains(scheme) {
        return finding(
          "the system opens `\(scheme)` URLs only in the browser",
          severity: isBrowser ? .note : .warning,
          help: "remove it, and use `com.apple.developer.associated-domains` for links to your website",
          at: entry.node.place)
      }
      guard Self.generic.contains(scheme) else { return nil }
      if let client, scheme == "auth" {
        return finding(
          "`auth` is not part of the scheme of `\(client.text)://auth`",
          help: "remove it, because `\(client.text)` is already registered", at: entry.node.place,
          related: [.init("the scheme is registered here", at: client.node.place)])
      }
      return finding(
        "other apps can also register the scheme `\(entry.text)`",
        help: scheme.hasPrefix("ms")
          ? "use `msauth.<bundle id>` or `msal<client id>`" : "use a scheme that contains the name of your app",
        at: entry.node.place)
    }
  }
}
