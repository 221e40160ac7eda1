/// Something that a file of the project asked for and that only the user may allow.
package struct TrustViolation: Error, Hashable, Sendable {
  /// The rules of SECURITY.md, "Who is trusted with what". Messages name them.
  package enum Rule: String, Sendable, CaseIterable {
    /// An access token goes only to hosts that it belongs to.
    case tokens
    /// References of files stay inside the project.
    case reads
    /// Outputs stay inside the output folder and replace nothing else.
    case writes
    /// Environment variables and secrets reach a workflow only if the user passes them.
    case variables
    /// Only the user chooses the live service.
    case live
  }

  package var rule: Rule
  /// What was refused, as a clause without the rule.
  package var reason: String
  /// The option that lifts the rule, or what to do instead.
  package var help: String

  package init(_ rule: Rule, _ reason: String, help: String) {
    self.rule = rule
    self.reason = reason
    self.help = help
  }

  package var message: String { "\(reason) (trust rule `\(rule.rawValue)`)" }
}
