import AppRegistration
import Diagnostics
import Documents

/// A scope that somebody asks for, and where.
struct ScopeUse: Sendable {
  var scope: String
  var place: FileSpan
  /// The request that it belongs to.
  var list: ScopeList
}

/// The scopes of one request, as they are written.
struct ScopeList: Sendable {
  /// The list, or the string that holds them separated by spaces; nil where it stands in another file.
  var node: Node?
  var scopes: [Positioned<String>]

  /// A change that takes scopes out of the list; nil where nothing would be left, or it cannot be written.
  func removing(_ isSuperfluous: (Int) -> Bool, _ description: String) -> Diagnostic.Fix? {
    let superfluous = scopes.indices.filter(isSuperfluous)
    guard let node, !superfluous.isEmpty, superfluous.count < scopes.count else { return nil }
    let edits: [Diagnostic.Edit]?
    if node.kind == .array {
      let spans = Set(superfluous.compactMap { scopes[$0].place.span })
      edits = TextEdits.removeElements(node.elements.filter { spans.contains($0.span) }, from: node)
    } else {
      let kept = scopes.indices.filter { !superfluous.contains($0) }.map { scopes[$0].value }
      edits = TextEdits.replaceValue(node, with: kept.joined(separator: " "))
    }
    return edits.map { Diagnostic.Fix(description: description, edits: $0) }
  }
}

extension ValidatedFile {
  /// Every scope that the file's own text asks for: the settings' lists, and those of a workflow's steps.
  ///
  /// What is filled in only when it runs cannot be judged and is left out.
  var scopeUses: [ScopeUse] {
    scopeLists.flatMap { list in
      list.scopes.filter { !Definitions.holdsReference($0.value) }.map { scope in
        ScopeUse(scope: scope.value, place: scope.place, list: list)
      }
    }
  }

  /// No URL carries more scopes; a longer list is judged up to here, so that rules may compare each with each.
  static let mostScopes = 200

  /// The lists themselves.
  var scopeLists: [ScopeList] {
    var lists = loadedSettings.compactMap { loaded in
      loaded.settings.scopes.map {
        ScopeList(node: node(at: $0.place), scopes: Array($0.value.prefix(Self.mostScopes)))
      }
    }
    lists += downstreamScopeLists
    if workflow != nil, let node {
      for key in ["steps", "finally"] { if let steps = node[key] { Self.collect(steps, into: &lists) } }
    }
    return lists
  }

  private static func collect(_ node: Node, into lists: inout [ScopeList]) {
    for element in node.elements { collect(element, into: &lists) }
    for (key, value) in node.entries {
      if key.string == "scopes" || key.string == "extraScopesToConsent" {
        lists.append(ScopeList(node: value, scopes: Array(words(value).prefix(mostScopes))))
      } else if key.string != "expect", key.string != "capture", key.string != "when" {
        collect(value, into: &lists)
      }
    }
  }

  static func words(_ node: Node) -> [Positioned<String>] {
    if let text = node.string { return text.split(separator: " ").map { Positioned(String($0), at: node.place) } }
    return node.elements.compactMap { element in element.string.map { Positioned($0, at: element.place) } }
  }
}
