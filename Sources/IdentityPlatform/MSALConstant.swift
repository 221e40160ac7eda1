/// A constant of one of MSAL's enumerations of error codes.
package protocol MSALConstant: RawRepresentable<Int>, CaseIterable, Hashable, Sendable {}

extension MSALConstant {
  /// The name of the outcome in a workflow: MSAL's name in lower camel case.
  package var outcome: String { "\(self)" }

  /// Returns the code with this outcome, or nil if there is none.
  static func named(_ outcome: String) -> Self? { allCases.first { $0.outcome == outcome } }
}
