import Diagnostics
import Foundation

/// An error for invalid input, such as a workflow, settings, a directory, or an event.
///
/// The error contains a finding with an exact location for each problem in the input.
///
/// ```swift
/// do {
///   _ = try WorkflowSuite(contentsOf: "Workflows/me.yaml")
/// } catch let error as AuthflowError {
///   for diagnostic in error.diagnostics { print(diagnostic.rule, diagnostic.line ?? 0, diagnostic.message) }
/// }
/// ```
public struct AuthflowError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// A finding about the input.
  public struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
    /// The severity of a finding.
    public enum Severity: String, Hashable, Sendable {
      case note, warning, error
    }

    /// The severity. Only errors make input invalid.
    public let severity: Severity
    /// The stable ID of the rule, such as `unknown-key`.
    public let rule: String
    /// The message.
    public let message: String
    /// The suggested fix, or nil if there is none.
    public let help: String?
    /// The path of the file, or the name of the string that was parsed.
    public let file: String
    /// The line, starting at 1, or nil if the finding applies to the whole file.
    public let line: Int?
    /// The column, counted in Unicode code points from 1, or nil if the finding applies to the whole file.
    public let column: Int?

    /// The finding in the format `file:line:column: severity: message [rule]`.
    public var description: String {
      let place = [file, line.map { "\($0)" }, column.map { "\($0)" }].compactMap { $0 }.joined(separator: ":")
      return "\(place): \(severity): \(message) [\(rule)]" + (help.map { "\n  help: \($0)" } ?? "")
    }
  }

  /// All findings, sorted by file and location. At least one is an error.
  public let diagnostics: [Diagnostic]
  /// All findings, each with its source line and a caret.
  public let description: String

  /// The text that XCTest shows, identical to `description`.
  public var errorDescription: String? { description }

  /// - Parameter diagnostics: All findings, including warnings and notes.
  init(_ diagnostics: [Diagnostics.Diagnostic]) {
    let sorted = diagnostics.inReadingOrder()
    self.diagnostics = sorted.map(Diagnostic.init)
    description = CaretFrame(color: false).render(sorted)
  }

  /// Creates an error with a single finding, for input that has no source text.
  package init(_ message: String, rule: String, help: String? = nil, about name: String) {
    self.init([Diagnostics.Diagnostic(.error, rule: rule, message, help: help, at: .file(name))])
  }
}

extension AuthflowError.Diagnostic {
  init(_ diagnostic: Diagnostics.Diagnostic) {
    let start = diagnostic.place.span.map { _ in diagnostic.place.start }
    severity = Severity(rawValue: diagnostic.severity.rawValue) ?? .error
    rule = diagnostic.rule
    message = diagnostic.message
    help = diagnostic.help
    file = diagnostic.place.source.name
    line = start?.line
    column = start?.column
  }
}
