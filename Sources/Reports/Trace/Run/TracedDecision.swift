import Documents
import Effects

/// A `decision` of the trace.
package struct TracedDecision: Sendable {
  package var seq: Int
  package var time: Instant
  /// The index of the step in `TracedRun.steps`. Nil for preconditions and the platform.
  package var step: Int?
  /// The subject: `accessToken`, `refreshToken`, `idToken`, `authority`, `retry`, `expect`, `capture`, …
  package var subject: String
  /// The decision in one or two words: `hit`, `expired`, `rejected`, …
  package var verdict: String
  /// The reason as a short text.
  package var reason: String
  /// The evidence by name.
  package var facts: JSON
  /// Whether the decision is a detail, which the terminal prints only with `-v`.
  package var isDetail: Bool

  /// The checks of an ID token. Empty for other decisions.
  package var checks: [TracedCheck] {
    (facts["checks"]?.array ?? []).map { check in
      TracedCheck(
        name: check["check"]?.string ?? "", passed: check["passed"]?.bool ?? false,
        reason: check["reason"]?.string ?? "")
    }
  }
}

/// A check of an ID token, such as `issuer` or `nonce`.
package struct TracedCheck: Hashable, Sendable {
  package var name: String
  package var passed: Bool
  package var reason: String
}
