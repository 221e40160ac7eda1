import AppRegistration
import Diagnostics
import Documents

struct ADALKey: Rule {
  let id = "adal-key"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let root = file.node, file.kind == .authSettings || file.kind == .infoPlist else { return [] }
    let isADALFile = file.kind == .authSettings && ADALKeys.resource(in: root) != nil
    let isFixable = !ADALKeys.needsManualMigration(file)
    var fixes = 0
    return root.entries.compactMap { key, value in
      guard let name = key.string, let advice = Self.advice(name, inADALFile: isADALFile) else { return nil }
      if isADALFile, value.string?.isEmpty == true { return nil }
      fixes += 1
      return finding(
        "ADAL key `\(name)`", help: advice, at: key.place,
        fix: isFixable && fixes <= ProjectValidator.mostFindings ? Self.fix(key, name, in: root) : nil)
    }
  }

  private static func advice(_ key: String, inADALFile: Bool) -> String? {
    let folded = KeySpelling.folded(key)
    if key.lowercased().hasPrefix("ida:") {
      return successors[folded].map { "rename it to `\($0)`" } ?? "remove it: only web apps use this key"
    }
    switch folded {
    case "adaluseridentifier", "useridentifier", "useridentifiertype":
      return "find the account with `accountForUsername`, and pass it to the silent request"
    case "userid" where inADALFile:
      return "find the account with `accountForUsername`, and pass it to the silent request"
    case "correlationid" where inADALFile: return "pass it to each request"
    default:
      guard key.hasPrefix("ADAL") || key.hasPrefix("kADAL") || key.hasPrefix("adal") else { return nil }
      return "replace it with the corresponding MSAL configuration option"
    }
  }

  private static let successors = [
    "idaclientid": "ClientId", "idatenant": "Tenant", "idatenantid": "TenantId", "idaauthority": "Authority",
    "idaredirecturi": "RedirectUri",
  ]

  private static func fix(_ key: Node, _ name: String, in root: Node) -> Diagnostic.Fix? {
    guard let successor = successors[KeySpelling.folded(name)], name.lowercased().hasPrefix("ida:"),
      root[successor] == nil, let edits = TextEdits.replaceKey(key, with: successor)
    else { return nil }
    return Diagnostic.Fix(description: "rename to `\(successor)`", edits: edits)
  }
}
