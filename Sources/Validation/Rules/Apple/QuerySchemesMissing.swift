import AppRegistration
import Diagnostics
import Documents

struct QuerySchemesMissing: Rule {
  let id = "query-schemes-missing"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist, !plist.isAppExtension, file.isComplete, let root = file.node,
      !project.app(of: file).isForMacOnly(file), let requirement = project.app(of: file).brokerRequirement(of: file)
    else { return [] }
    let queries = BrokerQueries(plist.queries)
    let missing = queries.missing.map { "`\($0)`" }.joined(separator: " and ")
    // If the schemes are under a misspelled key, `URLTypesMisspelled` reports the key.
    guard !MisspelledURLKeys(root).contains("LSApplicationQueriesSchemes") else { return [] }
    guard !missing.isEmpty, !plist.queries.contains(where: { Definitions.containsReference($0.text) }) else {
      return []
    }
    let key = root.entry("LSApplicationQueriesSchemes")?.key
    switch requirement {
    case .certain(let node):
      return [
        finding(
          key == nil
            ? "scheme enables brokers, but `LSApplicationQueriesSchemes` is missing"
            : "\(missing) missing from `LSApplicationQueriesSchemes`",
          help: "add \(missing) to `LSApplicationQueriesSchemes`", at: (key ?? node).place,
          related: key == nil ? [] : [.init("brokers are enabled by this scheme", at: node.place)],
          fix: fix(queries, root))
      ]
    case .likely(let node):
      return [
        finding(
          key == nil
            ? "scheme may enable brokers, but `LSApplicationQueriesSchemes` is missing"
            : "\(missing) missing from `LSApplicationQueriesSchemes`", severity: .warning,
          help: "add \(missing), which MSAL requires if the app's redirect URI has this scheme",
          at: (key ?? node).place,
          related: key == nil ? [] : [.init("brokers may be enabled by this scheme", at: node.place)],
          fix: fix(queries, root))
      ]
    case .incomplete:
      return [
        finding(
          "\(missing) missing from `LSApplicationQueriesSchemes`", severity: .warning,
          help: "add \(missing), and `msauth.<bundle id>` to the URL schemes",
          at: (key ?? root).place, fix: fix(queries, root))
      ]
    }
  }

  private func fix(_ queries: BrokerQueries, _ root: Node) -> Diagnostic.Fix? {
    let list = root["LSApplicationQueriesSchemes"]
    var missing = queries.missing
    var edits: [Diagnostic.Edit] = []
    // A duplicate entry was probably intended to be a missing scheme.
    for (duplicate, scheme) in zip(queries.duplicateBrokerSchemes, missing) {
      guard let edit = TextEdits.replaceValue(duplicate.entry.node, with: scheme) else { return nil }
      edits += edit
      missing.removeFirst()
    }
    if !missing.isEmpty {
      let values = missing.map(JSON.string)
      let added =
        list.map { TextEdits.appendElements(values, to: $0) }
        ?? TextEdits.insertEntry("LSApplicationQueriesSchemes", .array(values), into: root, after: "CFBundleURLTypes")
      guard let added else { return nil }
      edits += added
    }
    return .init(
      description: "add \(queries.missing.map { "`\($0)`" }.joined(separator: " and "))", edits: edits)
  }
}
