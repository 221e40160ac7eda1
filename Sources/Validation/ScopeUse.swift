import AppRegistration
import Diagnostics
import Documents

/// A requested scope and its location.
struct ScopeUse: Sendable {
  var scope: String
  var place: FileSpan
  /// The scopes of the request that contains this scope.
  var list: ScopeList
}

/// The scopes of a request.
struct ScopeList: Sendable {
  /// A list, or a string of scopes separated by spaces. Nil if the scopes are in another file.
  var node: Node?
  var scopes: [Positioned<String>]

  /// Returns a fix that removes scopes from the list, or nil if the list would be empty or cannot be edited.
  func removing(_ shouldRemove: (Int) -> Bool, _ description: String) -> Diagnostic.Fix? {
    let removed = scopes.indices.filter(shouldRemove)
    guard let node, !removed.isEmpty, removed.count < scopes.count else { return nil }
    let edits: [Diagnostic.Edit]?
    if node.kind == .array {
      let spans = Set(removed.compactMap { scopes[$0].place.span })
      edits = TextEdits.removeElements(node.elements.filter { spans.contains($0.span) }, from: node)
    } else {
      let remaining = scopes.indices.filter { !removed.contains($0) }.map { scopes[$0].value }
      edits = TextEdits.replaceValue(node, with: remaining.joined(separator: " "))
    }
    return edits.map { Diagnostic.Fix(description: description, edits: $0) }
  }
}

extension ValidatedFile {
  /// The scopes in the file's settings and workflow steps, except scopes with references that are resolved only during
  /// a run.
  var scopeUses: [ScopeUse] {
    scopeLists.flatMap { list in
      list.scopes.filter { !Definitions.containsReference($0.value) }.map { scope in
        ScopeUse(scope: scope.value, place: scope.place, list: list)
      }
    }
  }

  /// The maximum number of scopes to check in a list. The limit bounds the cost of rules that compare every pair of
  /// scopes. More scopes would not fit in a URL.
  static let mostScopes = 200

  /// Returns the scope lists in the file's settings and workflow steps.
  func findScopeLists() -> [ScopeList] {
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
        lists.append(ScopeList(node: value, scopes: Array(scopeTexts(value).prefix(mostScopes))))
      } else if key.string != "expect", key.string != "capture", key.string != "when" {
        collect(value, into: &lists)
      }
    }
  }

  static func scopeTexts(_ node: Node) -> [Positioned<String>] {
    if let text = node.string { return text.split(separator: " ").map { Positioned(String($0), at: node.place) } }
    return node.elements.compactMap { element in element.string.map { Positioned($0, at: element.place) } }
  }
}
