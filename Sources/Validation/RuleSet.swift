import Diagnostics

/// The rules that are looked after.
package struct RuleSet: Sendable {
  package let rules: [any Rule]
  private let byID: [String: Int]

  /// Every rule there is, in the order in which `--rules` lists them.
  package static let all = RuleSet(
    rules: settings + scopes + workflow + apple + android + web + manifest + together + migration + secrets)

  package init(rules: [any Rule]) {
    self.rules = rules
    byID = Dictionary(rules.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }

  /// Whether a finding under that name is one of these rules' own.
  func speaks(_ id: String) -> Bool { byID[id] != nil }

  package func rule(_ id: String) -> (any Rule)? { byID[id].map { rules[$0] } }
}
