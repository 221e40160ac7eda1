/// A constant in one of MSAL's error code enumerations.
package protocol MSALConstant: RawRepresentable<Int>, CaseIterable, Hashable, Sendable {
  /// The outcome names. Computing a name is slow, so each enumeration computes its names only once.
  static var outcomes: MSALOutcomes<Self> { get }
}

/// The outcome names of an error code enumeration.
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

  /// Returns the code with this outcome, or nil if no code has this outcome.
  package static func named(_ outcome: String) -> Self? { outcomes.codes[outcome] }
}
