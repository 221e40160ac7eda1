import Diagnostics
import Documents
import Effects
import IdentityPlatform

extension AzureAdSection {
  /// The location of a section in a document.
  struct Match {
    /// The section's key, or the first key that has the section name as a prefix.
    var key: Node
    /// The section, or the mapping that contains its prefixed keys. Deployments and function apps use such keys:
    /// `AzureAd:ClientId`, `AzureAd__ClientId`.
    var node: Node
    /// The section's name, which is the prefix of a prefixed key.
    var name: String
    /// The entries of a section with prefixed keys, such as `AzureAd:ClientId`, or nil if the section is a mapping.
    var members: [(name: String, value: Node)]?
  }

  /// The maximum number of sections to read.
  static let maximumSections = 200

  /// Whether a document contains an `AzureAd` section.
  package static func hasSection(in root: Node) -> Bool { !all(in: root, limit: 1).isEmpty }

  /// Returns all sections at any level of a document. If sections are nested, only the outer section is included.
  static func all(in root: Node, limit: Int = maximumSections) -> [Match] {
    var matches: [Match] = []
    collect(root, depth: 0, limit: limit, into: &matches)
    return matches
  }

  private static func collect(_ node: Node, depth: Int, limit: Int, into matches: inout [Match]) {
    var compound: [Match] = []
    for (key, value) in node.entries {
      guard matches.count < limit else { return }
      guard value.kind == .mapping else {
        if value.kind == .string, let spelling = key.string { add(spelling, key, value, of: node, to: &compound) }
        continue
      }
      let name = key.string ?? ""
      if isOne(value, named: name.lowercased()) {
        matches.append(Match(key: key, node: value, name: name))
      } else if depth < 3 {
        collect(value, depth: depth + 1, limit: limit, into: &matches)
      }
    }
    for section in compound where matches.count < limit && isComplete(section) { matches.append(section) }
  }

  /// Adds an entry such as `AzureAd:ClientId` to its section.
  private static func add(
    _ spelling: String, _ key: Node, _ value: Node, of node: Node, to sections: inout [Match]
  ) {
    guard let end = spelling.firstRange(of: ":") ?? spelling.firstRange(of: "__") else { return }
    let name = spelling[..<end.lowerBound]
    guard name.count < 32, name.lowercased().hasPrefix("azuread") else { return }
    let member = (name: String(spelling[end.upperBound...]), value: value)
    if let index = sections.firstIndex(where: { $0.name == name }) {
      sections[index].members?.append(member)
    } else if sections.count < maximumSections {
      sections.append(Match(key: key, node: node, name: String(name), members: [member]))
    }
  }

  private static func isComplete(_ section: Match) -> Bool {
    (section.members ?? []).contains { ["clientid", "tenantid", "instance"].contains($0.name.lowercased()) }
  }

  private static func isOne(_ node: Node, named name: String) -> Bool {
    let hasAzureAdName = name.hasPrefix("azuread")
    if hasAzureAdName, node.count == 0 { return true }
    var keys: Set<String> = []
    var address: String?
    // The keys that identify a section are short. A mapping can have any number of other keys.
    for (key, value) in node.entries {
      guard let spelling = key.string, spelling.utf8.count <= 17 else { continue }
      let folded = spelling.lowercased()
      guard identifyingKeys.contains(folded) else { continue }
      if hasAzureAdName, folded != "validateauthority" { return true }
      keys.insert(folded)
      if address == nil, folded == "instance" || folded == "authority" { address = value.string }
    }
    // Under any other name, a login host next to the client ID identifies the section.
    guard keys.contains("clientid"), let address, let host = URLReference(valid: address)?.host else { return false }
    return Authority.isMicrosofts(host: host) && (keys.contains("instance") || keys.contains("validateauthority"))
  }

  private static let identifyingKeys: Set<String> = [
    "instance", "tenantid", "clientid", "domain", "authority", "validateauthority",
  ]

  /// Reads all sections of a document.
  /// - Parameter definitions: Values for references. References without a value are not reported, because deployments
  ///   set them.
  package static func readAll(_ root: Node, filling definitions: Definitions) -> [(AzureAdSection, DiagnosticCollector)]
  {
    let fields = fields(filling: definitions.preservingReferences)
    return all(in: root).map { read($0, fields) }
  }

  /// Reads the first section of a document, or returns nil if the document has none.
  package static func readFirst(_ root: Node, filling definitions: Definitions, _ problems: inout DiagnosticCollector)
    -> AzureAdSection?
  {
    guard let matches = all(in: root, limit: 1).first else { return nil }
    let (section, sectionProblems) = read(matches, fields(filling: definitions))
    problems.add(contentsOf: sectionProblems.diagnostics)
    return section
  }

  private static func read(_ matches: Match, _ fields: Fields<AzureAdSection>) -> (AzureAdSection, DiagnosticCollector)
  {
    var section = AzureAdSection()
    var problems = DiagnosticCollector()
    if let members = matches.members {
      // Lists with numbered keys, such as `AzureAd:Scopes:0`, are ignored.
      for (name, value) in members { fields.field(named: name)?.assign(value, &section, &problems) }
    } else {
      _ = fields.read(matches.node, into: &section, &problems)
    }
    section.node = matches.node
    section.name = Positioned(matches.name, at: matches.key.place)
    return (section, problems)
  }
}
