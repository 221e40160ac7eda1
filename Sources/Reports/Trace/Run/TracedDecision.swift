import Documents
import Effects

/// A `decision` event in the trace.
package struct TracedDecision: Sendable {
  package var seq: Int
  package var time: Instant
  /// The index of the step in `TracedRun.steps`. Nil for decisions that precede the first step or that the platform
  /// makes.
  package var step: Int?
  /// The subject of the decision, such as `accessToken`, `refreshToken`, `idToken`, `authority`, `retry`, `expect`, or
  /// `capture`.
  package var subject: String
  /// The decision in one or two words, such as `hit`, `expired`, or `rejected`.
  package var verdict: String
  /// The reason for the decision, as a short text.
  package var reason: String
  /// The facts on which the decision is based, by name.
  package var facts: JSON
  /// Whether the decision is a detail. The terminal shows details only with `-v`.
  package var isDetail: Bool

  /// The checks on an ID token. The list is empty for other decisions.
  package var checks: [TracedCheck] {
    (facts["checks"]?.array ?? []).map { check in
      TracedCheck(
        name: check["check"]?.string ?? "", passed: check["passed"]?.bool ?? false,
        reason: check["reason"]?.string ?? "")
    }
  }
}

/// A check on an ID token, such as `issuer` or `nonce`.
package struct TracedCheck: Hashable, Sendable {
  package var name: String
  package var passed: Bool
  package var reason: String
}
