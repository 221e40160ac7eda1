import AppRegistration
import Diagnostics
import Documents

struct QuerySchemesMissing: Rule {
  let id = "query-schemes-missing"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist, !plist.isAppExtension, file.isWhole, let root = file.node,
      !project.app(of: file).isForMacOnly(file), let demand = project.app(of: file).brokerDemand(of: file)
    else { return [] }
    let queries = BrokerQueries(plist.queries)
    let missing = queries.missing.joined(separator: " and ")
    // They stand there, beneath a key that another rule tells of.
    guard !MisspelledURLKeys(root).holds("LSApplicationQueriesSchemes") else { return [] }
    guard !missing.isEmpty, !plist.queries.contains(where: { Definitions.holdsReference($0.text) }) else { return [] }
    let key = root.entry("LSApplicationQueriesSchemes")?.key
    switch demand {
    case .certain(let node):
      return [
        finding(
          key == nil
            ? "this scheme brings a broker in, and LSApplicationQueriesSchemes with \(missing) is missing"
            : "LSApplicationQueriesSchemes lacks \(missing)",
          help: "add \(missing) to LSApplicationQueriesSchemes", at: (key ?? node).place,
          related: key == nil ? [] : [.init("this brings a broker in", at: node.place)], fix: fix(queries, root))
      ]
    case .likely(let node):
      return [
        finding(
          key == nil
            ? "a broker may answer to this scheme, and LSApplicationQueriesSchemes with \(missing) is missing"
            : "LSApplicationQueriesSchemes lacks \(missing)", severity: .warning,
          help: "add \(missing): where this is the scheme of the app's redirect, MSAL does not start without",
          at: (key ?? node).place,
          related: key == nil ? [] : [.init("a broker may answer to this", at: node.place)], fix: fix(queries, root))
      ]
    case .begun:
      return [
        finding(
          "LSApplicationQueriesSchemes lacks \(missing): MSAL finds a broker with both only", severity: .warning,
          help: "add \(missing), and msauth.<bundle id> to the URL schemes, without which no broker answers",
          at: (key ?? root).place, fix: fix(queries, root))
      ]
    }
  }

  private func fix(_ queries: BrokerQueries, _ root: Node) -> Diagnostic.Fix? {
    let list = root["LSApplicationQueriesSchemes"]
    var missing = queries.missing
    var edits: [Diagnostic.Edit] = []
    // An entry that stands there twice was typed for what is missing.
    for (repeated, scheme) in zip(queries.repeatedBrokers, missing) {
      guard let edit = TextEdits.replaceValue(repeated.entry.node, with: scheme) else { return nil }
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
    return .init(description: "add \(queries.missing.joined(separator: " and "))", edits: edits)
  }
}
