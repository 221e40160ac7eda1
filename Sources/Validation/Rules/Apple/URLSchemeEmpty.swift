import AppRegistration
import Diagnostics
import Documents

struct URLSchemeEmpty: Rule {
  let id = "url-scheme-empty"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist, plist.signsInWithMSAL else { return [] }
    return plist.schemes.filter { $0.text.allSatisfy(\.isWhitespace) }.map { entry in
      finding(
        "empty URL scheme", help: "set the scheme, or remove the entry", at: entry.node.place,
        fix: entry.removal.map {
          .init(description: "remove the empty entry", edits: $0)
        })
    }
  }
}
