import AppRegistration
import Diagnostics
import Documents

struct QuerySchemesMisspelled: Rule {
  let id = "query-schemes-misspelled"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]
  let words = "an entry of LSApplicationQueriesSchemes is nearly one of the broker's schemes"
  let help = """
    MSAL looks for msauthv2 and msauthv3, letter by letter. Any other spelling, a colon behind it or a digit too many is another \
    scheme, and the broker is not found.
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
            <string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>
          </array>
        </dict>
      </array>
      <key>LSApplicationQueriesSchemes</key>
      <array>
        <string>msauthv2</string>
        1️⃣<string>msauth-v3</string>
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
            <string>msauth.$(PRODUCT_BUNDLE_IDENTIFIER)</string>
          </array>
        </dict>
      </array>
      <key>LSApplicationQueriesSchemes</key>
      <array>
        <string>msauthv2</string>
        <string>msauthv3</string>
      </array>
    </dict>
    </plist>
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist, plist.signsInWithMSAL else { return [] }
    let demand = project.app(of: file).brokerDemand(of: file)
    let severity: Diagnostic.Severity = if case .certain = demand { .error } else { .warning }
    return BrokerQueries(plist.queries).misspelled.map { entry, meant in
      finding(
        "\(entry.text) is not \(meant), for which MSAL looks", severity: severity, help: "write \(meant)",
        at: entry.node.place,
        fix: TextEdits.replaceValue(entry.node, with: meant).map {
          .init(description: "write \(meant)", edits: $0)
        })
    }
  }
}
