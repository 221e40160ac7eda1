import Diagnostics
import Foundation

/// Input that cannot be used: a workflow, its settings, a directory, an event.
///
/// Everything that is wrong is told at once, each with its exact place.
///
/// ```swift
/// do {
///   _ = try WorkflowSuite(contentsOf: "Workflows/me.yaml")
/// } catch let error as AuthflowError {
///   for diagnostic in error.diagnostics { print(diagnostic.rule, diagnostic.line ?? 0, diagnostic.message) }
/// }
/// ```
public struct AuthflowError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// One thing that is wrong, or worth knowing.
  public struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: String, Hashable, Sendable {
      case note, warning, error
    }

    /// Errors alone stand in the way.
    public let severity: Severity
    /// The stable name of the rule that speaks, such as `unknown-key`.
    public let rule: String
    /// What is wrong.
    public let message: String
    /// What to do about it.
    public let help: String?
    /// The file as it was named, or the name that a text was given.
    public let file: String
    /// Counted from 1; nil where the whole file is meant.
    public let line: Int?
    /// In Unicode code points, counted from 1; nil where the whole file is meant.
    public let column: Int?

    /// `file:line:column: severity: message [rule]`.
    public var description: String {
      let place = [file, line.map { "\($0)" }, column.map { "\($0)" }].compactMap { $0 }.joined(separator: ":")
      return "\(place): \(severity): \(message) [\(rule)]" + (help.map { "\n  help: \($0)" } ?? "")
    }
  }

  /// In the order in which people read: by file, then by place. At least one is an error.
  public let diagnostics: [Diagnostic]
  /// Every diagnostic with its source line and a caret under the place.
  public let description: String

  /// What XCTest shows: the description.
  public var errorDescription: String? { description }

  /// - Parameter diagnostics: what was found; remarks that stand in nobody's way come along.
  init(_ diagnostics: [Diagnostics.Diagnostic]) {
    let sorted = diagnostics.inReadingOrder()
    self.diagnostics = sorted.map(Diagnostic.init)
    description = CaretFrame(color: false).render(sorted)
  }

  /// One complaint without a text that it is about.
  init(_ message: String, rule: String, help: String? = nil, about name: String) {
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
