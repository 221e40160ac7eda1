import AppRegistration
import Diagnostics
import Documents

struct QuerySchemesMisspelled: Rule {
  let id = "query-schemes-misspelled"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

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
