import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct IntuneClientID: Rule {
  let id = "intune-client-id"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]
  let words = "ADALClientId in IntuneMAMSettings is no client id"
  let help = """
    The Intune SDK signs in with this client id, and Microsoft's are all GUIDs. White space around one counts as part of it.
    """
  let bad = RuleExample(
    "Info.plist",
    #"""
    <plist version="1.0">
    <dict>
      <key>CFBundleName</key>
      <string>Mail</string>
      <key>IntuneMAMSettings</key>
      <dict>
        <key>ADALClientId</key>
        1️⃣<string> 6731de76-14a6-49ae-97bc-6eba6914391e </string>
      </dict>
    </dict>
    </plist>
    """#)
  let good = RuleExample(
    "Info.plist",
    #"""
    <plist version="1.0">
    <dict>
      <key>CFBundleName</key>
      <string>Mail</string>
      <key>IntuneMAMSettings</key>
      <dict>
        <key>ADALClientId</key>
        <string>6731de76-14a6-49ae-97bc-6eba6914391e</string>
      </dict>
    </dict>
    </plist>
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let entry = file.infoPlist?.intune.first(where: { $0.key == "ADALClientId" })?.entry else { return [] }
    let text = entry.text
    guard !text.allSatisfy(\.isWhitespace), TemplatePlaceholder.find(in: text) == nil, !Definitions.holdsReference(text)
    else {
      return []
    }
    if text == GUIDText.zero || TemplatePlaceholder.isDummyGUID(text) {
      return [
        finding(
          text == GUIDText.zero ? "the all-zero GUID is no app's client id" : "the client id looks made up",
          severity: text == GUIDText.zero ? .error : .warning,
          help: "write the application (client) id of your app registration", at: entry.node.place)
      ]
    }
    guard !GUIDText.isWellFormed(text) else { return [] }
    let trimmed = text.filter { !$0.isWhitespace }
    let isPadded = GUIDText.isWellFormed(trimmed)
    return [
      finding(
        isPadded ? "ADALClientId has white space around it" : "ADALClientId \"\(text)\" is not a GUID",
        help: isPadded ? "write it without" : "write the application (client) id of your app registration",
        at: entry.node.place,
        fix: isPadded
          ? TextEdits.replaceValue(entry.node, with: trimmed).map {
            .init(description: "remove the white space", edits: $0)
          } : nil)
    ]
  }
}
