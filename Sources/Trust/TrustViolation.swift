/// An access that a project file requests and that requires the user's permission.
package struct TrustViolation: Error, Hashable, Sendable {
  /// A rule under "Trust boundaries" in SECURITY.md. Messages contain the name of the rule.
  package enum Rule: String, Sendable, CaseIterable {
    /// Access tokens are sent only to their intended hosts.
    case tokens
    /// File references stay inside the project.
    case reads
    /// Outputs are written only to the output folder and replace only earlier outputs.
    case writes
    /// A workflow can read environment variables and secrets only if the user passes them.
    case variables
    /// Only the user can select the live service.
    case live
  }

  package var rule: Rule
  /// The reason as a clause that does not include the rule name.
  package var reason: String
  /// The option that allows the access, or an alternative.
  package var help: String

  package init(_ rule: Rule, _ reason: String, help: String) {
    self.rule = rule
    self.reason = reason
    self.help = help
  }

  package var message: String { "\(reason) (trust rule `\(rule.rawValue)`)" }
}
