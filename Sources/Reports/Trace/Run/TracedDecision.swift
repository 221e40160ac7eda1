import Documents
import Effects

/// Why the run went on as it did: one `decision` of the trace.
package struct TracedDecision: Sendable {
  package var seq: Int
  package var time: Instant
  /// The step that it belongs to, as a position in `TracedRun.steps`; nil for what is given and for the platform's own.
  package var step: Int?
  /// What was decided about: `accessToken`, `refreshToken`, `idToken`, `authority`, `retry`, `expect`, `capture`, …
  package var subject: String
  /// The outcome in a word or two: `hit`, `expired`, `refused`, …
  package var verdict: String
  /// One sentence for people.
  package var reason: String
  /// What it rests on, by name.
  package var facts: JSON
  /// Whether it only matters to who looks closely; the terminal leaves it out unless asked.
  package var isDetail: Bool

  /// The checks of an ID token, each with its verdict; empty for other decisions.
  package var checks: [TracedCheck] {
    (facts["checks"]?.array ?? []).map { check in
      TracedCheck(
        name: check["check"]?.string ?? "", passed: check["passed"]?.bool ?? false,
        reason: check["reason"]?.string ?? "")
    }
  }
}

/// One check of an ID token, such as `issuer` or `nonce`.
package struct TracedCheck: Hashable, Sendable {
  package var name: String
  package var passed: Bool
  package var reason: String
}
