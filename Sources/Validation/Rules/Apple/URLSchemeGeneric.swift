import AppRegistration
import Diagnostics
import Documents

struct URLSchemeGeneric: Rule {
  let id = "url-scheme-generic"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.note]
  let words = "a URL scheme belongs to nobody, or to somebody else"
  let help = """
    Any app may register auth or msal, and which of them the system opens is not defined: another app could be handed the answer to \
    a sign-in. http and https are the browser's. Of msal<client id>://auth only what stands before :// is a scheme.
    """
  let bad = RuleExample(
    "Info.plist",
    #"""
    <plist version="1.0">
    <dict>
      <key>CFBundleURLTypes</key>
      <array>
        <dict>
          <key>CFBundleURLSchemes</key>
          <array>
            <string>msal6731de76-14a6-49ae-97bc-6eba6914391e</string>
            1️⃣<string>auth</string>
          </array>
        </dict>
      </array>
    </dict>
    </plist>
    """#)
  let good = RuleExample(
    "Info.plist",
    #"""
    <plist version="1.0">
    <dict>
      <key>CFBundleURLTypes</key>
      <array>
        <dict>
          <key>CFBundleURLSchemes</key>
          <array>
            <string>msal6731de76-14a6-49ae-97bc-6eba6914391e</string>
          </array>
        </dict>
      </array>
    </dict>
    </plist>
    """#)

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
