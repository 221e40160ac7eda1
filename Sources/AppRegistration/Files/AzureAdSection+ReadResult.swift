import Diagnostics
import Documents
import IdentityPlatform

extension AzureAdSection {
  /// Where a section stands in a document.
  struct Match {
    /// Its name: a key of its own, or the first of the keys that begin with it.
    var key: Node
    /// The section; the mapping around it where its keys are written in one, as deployments and function apps do:
    /// `AzureAd:ClientId`, `AzureAd__ClientId`.
    var node: Node
    /// The name without what follows it.
    var name: String
    /// The entries of a section that is written in such keys; nil where the section is a mapping.
    var members: [(name: String, value: Node)]?
  }

  /// More sections than any app has; what follows them is not read.
  static let mostSections = 200

  /// Whether a document holds any section.
  package static func isAny(in root: Node) -> Bool { !all(in: root, most: 1).isEmpty }

  /// Every section of a document, wherever it stands; the outermost of two nested ones.
  static func all(in root: Node, most: Int = mostSections) -> [Match] {
    var found: [Match] = []
    collect(root, depth: 0, most: most, into: &found)
    return found
  }

  private static func collect(_ node: Node, depth: Int, most: Int, into found: inout [Match]) {
    var compound: [Match] = []
    for (key, value) in node.entries {
      guard found.count < most else { return }
      guard value.kind == .mapping else {
        if value.kind == .string, let spelling = key.string { add(spelling, key, value, of: node, to: &compound) }
        continue
      }
      let name = key.string ?? ""
      if isOne(value, named: name.lowercased()) {
        found.append(Match(key: key, node: value, name: name))
      } else if depth < 3 {
        collect(value, depth: depth + 1, most: most, into: &found)
      }
    }
    for section in compound where found.count < most && isWhole(section) { found.append(section) }
  }

  /// Sorts an entry such as `AzureAd:ClientId` to its section.
  private static func add(
    _ spelling: String, _ key: Node, _ value: Node, of node: Node, to sections: inout [Match]
  ) {
    guard let end = spelling.firstRange(of: ":") ?? spelling.firstRange(of: "__") else { return }
    let name = spelling[..<end.lowerBound]
    guard name.count < 32, name.lowercased().hasPrefix("azuread") else { return }
    let member = (name: String(spelling[end.upperBound...]), value: value)
    if let index = sections.firstIndex(where: { $0.name == name }) {
      sections[index].members?.append(member)
    } else if sections.count < mostSections {
      sections.append(Match(key: key, node: node, name: String(name), members: [member]))
    }
  }

  private static func isWhole(_ section: Match) -> Bool {
    (section.members ?? []).contains { ["clientid", "tenantid", "instance"].contains($0.name.lowercased()) }
  }

  private static func isOne(_ node: Node, named name: String) -> Bool {
    let isNamedSo = name.hasPrefix("azuread")
    if isNamedSo, node.count == 0 { return true }
    var keys: Set<String> = []
    var address: String?
    // Few keys tell it, and the longest of them is short; a mapping may have any number of others.
    for (key, value) in node.entries {
      guard let spelling = key.string, spelling.utf8.count <= 17 else { continue }
      let folded = spelling.lowercased()
      guard telling.contains(folded) else { continue }
      if isNamedSo, folded != "validateauthority" { return true }
      keys.insert(folded)
      if address == nil, folded == "instance" || folded == "authority" { address = value.string }
    }
    // Any other name is believed where the login host stands beside the client id.
    guard keys.contains("clientid"), let address, let host = URLParts(address)?.host else { return false }
    return Authority.isMicrosofts(host: host) && (keys.contains("instance") || keys.contains("validateauthority"))
  }

  private static let telling: Set<String> = [
    "instance", "tenantid", "clientid", "domain", "authority", "validateauthority",
  ]

  /// Reads every section of a document.
  /// - Parameter definitions: values for references; those without one stay in silence, for releases fill them in.
  package static func readAll(_ root: Node, filling definitions: Definitions) -> [(AzureAdSection, DiagnosticCollector)]
  {
    let fields = fields(filling: definitions.leavingReferences)
    return all(in: root).map { read($0, fields) }
  }

  /// Reads the first section of a document; nil where there is none.
  package static func readFirst(_ root: Node, filling definitions: Definitions, _ problems: inout DiagnosticCollector)
    -> AzureAdSection?
  {
    guard let found = all(in: root, most: 1).first else { return nil }
    let (section, told) = read(found, fields(filling: definitions))
    problems.add(contentsOf: told.diagnostics)
    return section
  }

  private static func read(_ found: Match, _ fields: Fields<AzureAdSection>) -> (AzureAdSection, DiagnosticCollector) {
    var section = AzureAdSection()
    var problems = DiagnosticCollector()
    if let members = found.members {
      // A list's elements have numbers for keys, `AzureAd:Scopes:0`, and are left alone.
      for (name, value) in members { fields.field(named: name)?.assign(value, &section, &problems) }
    } else {
      _ = fields.read(found.node, into: &section, &problems)
    }
    section.node = found.node
    section.name = Positioned(found.name, at: found.key.place)
    return (section, problems)
  }
}
