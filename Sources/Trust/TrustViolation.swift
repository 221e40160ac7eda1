/// A request of a project file that only the user may allow.
package struct TrustViolation: Error, Hashable, Sendable {
  /// The rules in SECURITY.md, "Trust boundaries". Messages contain their names.
  package enum Rule: String, Sendable, CaseIterable {
    /// Access tokens are sent only to the hosts that they are intended for.
    case tokens
    /// File references stay inside the project.
    case reads
    /// Outputs stay inside the output folder and replace nothing else.
    case writes
    /// Environment variables and secrets reach a workflow only if the user passes them.
    case variables
    /// Only the user chooses the live service.
    case live
  }

  package var rule: Rule
  /// The reason, as a clause without the rule.
  package var reason: String
  /// The option that allows the request, or an alternative.
  package var help: String

  package init(_ rule: Rule, _ reason: String, help: String) {
    self.rule = rule
    self.reason = reason
    self.help = help
  }

  package var message: String { "\(reason) (trust rule `\(rule.rawValue)`)" }
}
