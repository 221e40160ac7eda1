import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct QuerySchemesDuplicate: Rule {
  let id = "query-schemes-duplicate"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist else { return [] }
    let queries = BrokerQueries(plist.queries)
    // One that was typed for what is missing is mended with that, and told there.
    let isTold = !queries.missing.isEmpty && !QuerySchemesMissing().check(file, in: project).isEmpty
    let brokers = queries.repeatedBrokers.enumerated()
    return brokers.filter { !isTold || !RedirectURI.brokerQuerySchemes.contains($1.entry.text) }.map {
      index, repeated in
      let meant = index < queries.missing.count ? queries.missing[index] : nil
      let edits =
        meant.map { TextEdits.replaceValue(repeated.entry.node, with: $0) }
        ?? repeated.entry.removal
      return finding(
        "\(repeated.entry.text) stands here twice",
        help: meant.map { "write \($0), which is missing" } ?? "remove the second", at: repeated.entry.node.place,
        related: [.init("it stands here before", at: repeated.first.node.place)],
        fix: edits.map { .init(description: meant.map { "write \($0)" } ?? "remove the second", edits: $0) })
    }
  }
}
