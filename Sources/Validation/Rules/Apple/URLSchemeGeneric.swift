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
    // Apple demands both of a browser.
    let isBrowser = Self.web.isSubset(of: plist.schemes.map { $0.text.lowercased() })
    return plist.schemes.compactMap { entry in
      let scheme = entry.text.lowercased()
      if Self.brokers.contains(scheme) {
        return finding(
          "\(entry.text) is the broker's own scheme: the app would take its calls",
          help: "name it in LSApplicationQueriesSchemes instead", at: entry.node.place)
      }
      if Self.web.contains(scheme) {
        return finding(
          "the system opens \(scheme) URLs in the browser, and never in an app that registers the scheme",
          severity: isBrowser ? .note : .warning,
          help:
            "remove it; links to a site of the app's own are an entitlement, com.apple.developer.associated-domains",
          at: entry.node.place)
      }
      guard Self.generic.contains(scheme) else { return nil }
      if let client, scheme == "auth" {
        return finding(
          "auth is no part of the scheme: of \(client.text)://auth it is what follows",
          help: "remove it: \(client.text) is registered, and is all that is needed", at: entry.node.place,
          related: [.init("the scheme is here", at: client.node.place)])
      }
      return finding(
        "any app may register the scheme \(entry.text)",
        help: scheme.hasPrefix("ms")
          ? "MSAL uses msauth.<bundle id> or msal<client id>" : "use one that holds the app's own name",
        at: entry.node.place)
    }
  }
}
