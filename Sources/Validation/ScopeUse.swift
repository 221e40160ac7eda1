import AppRegistration
import DeclaredFields
import Diagnostics
import Documents

/// A scope that somebody asks for, and where.
struct ScopeUse: Sendable {
  var scope: String
  var place: Place
  /// The other scopes of the same request.
  var siblings: [String]
}

extension ValidatedFile {
  /// Every scope that the file's own text asks for: the settings' lists, and those of a workflow's steps.
  ///
  /// What is filled in only when it runs cannot be judged and is left out.
  var scopeUses: [ScopeUse] {
    var lists = loadedSettings.compactMap { $0.settings.scopes?.value }
    if workflow != nil, let node {
      for key in ["steps", "finally"] { if let steps = node[key] { Self.collect(steps, into: &lists) } }
    }
    return lists.flatMap { list in
      list.filter { !Definitions.holdsReference($0.value) }.map { scope in
        ScopeUse(scope: scope.value, place: scope.place, siblings: list.map(\.value))
      }
    }
  }

  private static func collect(_ node: Node, into lists: inout [[Located<String>]]) {
    for element in node.elements { collect(element, into: &lists) }
    for (key, value) in node.entries {
      if key.string == "scopes" || key.string == "extraScopesToConsent" {
        lists.append(words(value))
      } else if key.string != "expect", key.string != "capture", key.string != "when" {
        collect(value, into: &lists)
      }
    }
  }

  private static func words(_ node: Node) -> [Located<String>] {
    if let text = node.string { return text.split(separator: " ").map { Located(String($0), at: node.place) } }
    return node.elements.compactMap { element in element.string.map { Located($0, at: element.place) } }
  }
}
