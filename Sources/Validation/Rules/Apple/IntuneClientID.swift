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
    guard !text.allSatisfy(\.isWhitespace), TemplatePlaceholder.find(in: text) == nil,
      !Definitions.containsReference(text)
    else {
      return []
    }
    if text == GUIDText.zero || TemplatePlaceholder.isDummyGUID(text) {
      return [
        finding(
          text == GUIDText.zero ? "client ID is the all-zero GUID" : "client ID looks like a sample value",
          severity: text == GUIDText.zero ? .error : .warning,
          help: "use the application (client) ID of your app registration", at: entry.node.place)
      ]
    }
    guard !GUIDText.isWellFormed(text) else { return [] }
    let trimmed = text.filter { !$0.isWhitespace }
    let isPadded = GUIDText.isWellFormed(trimmed)
    return [
      finding(
        isPadded ? "whitespace around `ADALClientId`" : "`ADALClientId` is not a GUID: `\(text)`",
        help: isPadded ? "remove it" : "use the application (client) ID of your app registration",
        at: entry.node.place,
        fix: isPadded
          ? TextEdits.replaceValue(entry.node, with: trimmed).map {
            .init(description: "remove whitespace", edits: $0)
          } : nil)
    ]
  }
}
