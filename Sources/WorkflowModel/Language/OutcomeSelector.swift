import Documents

/// The text in a workflow that selects outcomes: the name of an outcome, or a word for several outcomes.
package enum OutcomeSelector: Hashable, Sendable, CustomStringConvertible {
  case outcome(OutcomeName)
  /// In `on` and `retry`: all internal errors of MSAL.
  case `internal`
  /// In `on` and `retry`: all outcomes that lead to failure.
  case error
  /// In the expectation of a scenario: all outcomes that end the run with a failure.
  case failed
  /// A name that no outcome has. The checks report it.
  case unknown(String)

  package init(_ text: String) {
    switch text {
    case "internal": self = .internal
    case "error": self = .error
    case "failed": self = .failed
    default: self = OutcomeName(rawValue: text).map { .outcome($0) } ?? .unknown(text)
    }
  }

  package static let success = outcome(.success)

  package var text: String {
    switch self {
    case .outcome(let name): name.rawValue
    case .internal: "internal"
    case .error: "error"
    case .failed: "failed"
    case .unknown(let text): text
    }
  }

  /// Whether a step with this outcome ran.
  var isPerformed: Bool {
    if case .outcome(let name) = self { name.isPerformed } else { true }
  }

  package var description: String { text }
}

extension Codec where Value == OutcomeSelector {
  static var outcomes: Self { Codec<String>.nonEmptyString.map { OutcomeSelector($0) } }
}
