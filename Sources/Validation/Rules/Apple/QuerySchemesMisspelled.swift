import AppRegistration
import Diagnostics
import Documents

struct QuerySchemesMisspelled: Rule {
  let id = "query-schemes-misspelled"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist, plist.signsInWithMSAL else { return [] }
    let requirement = project.app(of: file).brokerRequirement(of: file)
    let severity: Diagnostic.Severity = if case .certain = requirement { .error } else { .warning }
    return BrokerQueries(plist.queries).misspelled.map { entry, meant in
      finding(
        "misspelled broker scheme `\(entry.text)`", severity: severity, help: "replace it with `\(meant)`",
        at: entry.node.place,
        fix: TextEdits.replaceValue(entry.node, with: meant).map {
          .init(description: "replace with `\(meant)`", edits: $0)
        })
    }
  }
}
