import AppRegistration
import Diagnostics
import Documents

struct ADALKey: Rule {
  let id = "adal-key"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let root = file.node, file.kind == .authSettings || file.kind == .infoPlist else { return [] }
    let isADALs = file.kind == .authSettings && ADALKeys.resource(in: root) != nil
    let isMendable = !ADALKeys.isHeldBack(file)
    var fixes = 0
    return root.entries.compactMap { key, value in
      guard let name = key.string, let advice = Self.advice(name, inADALsFile: isADALs) else { return nil }
      if isADALs, value.string?.isEmpty == true { return nil }
      fixes += 1
      return finding(
        "\(name) is a key of ADAL's time", help: advice, at: key.place,
        fix: isMendable && fixes <= ProjectValidator.mostFindings ? Self.fix(key, name, in: root) : nil)
    }
  }

  private static func advice(_ key: String, inADALsFile: Bool) -> String? {
    let folded = KeySpelling.folded(key)
    if key.lowercased().hasPrefix("ida:") {
      return successors[folded].map { "call it \($0)" } ?? "it belongs to web applications"
    }
    switch folded {
    case "adaluseridentifier", "useridentifier", "useridentifiertype":
      return "look for the account first: accountForUsername, then a silent request with it"
    case "userid" where inADALsFile:
      return "look for the account first: accountForUsername, then a silent request with it"
    case "correlationid" where inADALsFile: return "give it to the single requests"
    default:
      guard key.hasPrefix("ADAL") || key.hasPrefix("kADAL") || key.hasPrefix("adal") else { return nil }
      return "see what MSAL's configuration has in its place"
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
    return Diagnostic.Fix(description: "call it \(successor)", edits: edits)
  }
}
