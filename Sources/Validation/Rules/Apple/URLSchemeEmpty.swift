import AppRegistration
import Diagnostics
import Documents

struct URLSchemeEmpty: Rule {
  let id = "url-scheme-empty"
  let severity = Diagnostic.Severity.warning
  let words = "an empty text stands among the URL schemes"
  let help = """
    No URL begins with nothing, so it registers nothing, and Apple's review refuses it (ITMS-90158). Most often a scheme was to be \
    written there.
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
            1️⃣<string></string>
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

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist, plist.signsInWithMSAL else { return [] }
    return plist.schemes.filter { $0.text.allSatisfy(\.isWhitespace) }.map { entry in
      finding(
        "the URL scheme is empty", help: "write the scheme that was meant, or remove the entry", at: entry.node.place,
        fix: entry.removal.map {
          .init(description: "remove the empty entry", edits: $0)
        })
    }
  }
}
