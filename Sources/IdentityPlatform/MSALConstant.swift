/// A constant of one of MSAL's enumerations of error codes.
package protocol MSALConstant: RawRepresentable<Int>, CaseIterable, Hashable, Sendable {
  /// The codes by the names of their outcomes. Computing a name is slow.
  static var byOutcome: [String: Self] { get }
}

extension MSALConstant {
  /// The name of the outcome in a workflow: MSAL's name in lower camel case.
  package var outcome: String { "\(self)" }

  /// Returns the code with this outcome, or nil if there is none.
  package static func named(_ outcome: String) -> Self? { byOutcome[outcome] }

  static func codesByOutcome() -> [String: Self] {
    Dictionary(uniqueKeysWithValues: allCases.map { ($0.outcome, $0) })
  }
}
