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
    // If `QuerySchemesMissing` reports a missing scheme, its fix replaces the duplicate.
    let isReported = !queries.missing.isEmpty && !QuerySchemesMissing().check(file, in: project).isEmpty
    let duplicates = queries.duplicateBrokerSchemes.enumerated()
    return duplicates.filter { !isReported || !RedirectURI.brokerQuerySchemes.contains($1.entry.text) }.map {
      index, duplicate in
      let meant = index < queries.missing.count ? queries.missing[index] : nil
      let edits =
        meant.map { TextEdits.replaceValue(duplicate.entry.node, with: $0) }
        ?? duplicate.entry.removal
      return finding(
        "duplicate entry `\(duplicate.entry.text)`",
        help: meant.map { "replace it with `\($0)`, which is missing" } ?? "remove it", at: duplicate.entry.node.place,
        related: [.init("the first entry is here", at: duplicate.first.node.place)],
        fix: edits.map {
          .init(description: meant.map { "replace with `\($0)`" } ?? "remove the duplicate", edits: $0)
        })
    }
  }
}
