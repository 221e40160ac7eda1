import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct IntuneClientID: Rule {
  let id = "intune-client-id"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

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
