/// A constant of one of MSAL's enumerations of error codes.
package protocol MSALConstant: RawRepresentable<Int>, CaseIterable, Hashable, Sendable {
  /// The names of the outcomes. Computing a name is slow, so each enumeration computes its names once.
  static var outcomes: MSALOutcomes<Self> { get }
}

/// The names of the outcomes of an enumeration of error codes.
package struct MSALOutcomes<Code: MSALConstant>: Sendable {
  fileprivate let names: [Code: String]
  fileprivate let codes: [String: Code]

  init() {
    let pairs = Code.allCases.map { ($0, "\($0)") }
    names = Dictionary(uniqueKeysWithValues: pairs)
    codes = Dictionary(uniqueKeysWithValues: pairs.map { ($1, $0) })
  }
}

extension MSALConstant {
  /// The name of the outcome in a workflow: MSAL's name in lower camel case.
  package var outcome: String { Self.outcomes.names[self] ?? "\(self)" }

  /// Returns the code with this outcome, or nil if there is none.
  package static func named(_ outcome: String) -> Self? { outcomes.codes[outcome] }
}
