import Diagnostics

/// A list of validation rules.
package struct RuleSet: Sendable {
  package let rules: [any Rule]
  private let byID: [String: Int]

  /// All rules, in the order that `authflow validate --rules` uses.
  package static let all = RuleSet(
    rules: settings + scopes + workflow + apple + android + web + manifest + crossFile + migration + secrets)

  package init(rules: [any Rule]) {
    self.rules = rules
    byID = Dictionary(rules.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }

  /// Returns whether the set contains a rule with the given ID.
  func contains(_ id: String) -> Bool { byID[id] != nil }

  package func rule(_ id: String) -> (any Rule)? { byID[id].map { rules[$0] } }
}
