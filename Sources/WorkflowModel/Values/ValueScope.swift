import Diagnostics
import Documents
import OrderedCollections

/// The values that are available to `${…}` at one point in a run.
package struct ValueScope: Sendable {
  /// Captures and inputs. Captures take precedence.
  package var names: OrderedDictionary<String, JSON>
  package var externalValues: ExternalValues

  package init(names: OrderedDictionary<String, JSON> = [:], externalValues: ExternalValues = .none) {
    self.names = names
    self.externalValues = externalValues
  }
}

/// The sources of `${env:NAME}` and `${secret:NAME}`. The provider of a secret also masks it in all output.
package struct ExternalValues: Sendable {
  package var environment: @Sendable (String) -> String?
  package var secret: @Sendable (String) -> String?

  package init(
    environment: @escaping @Sendable (String) -> String?, secret: @escaping @Sendable (String) -> String?
  ) {
    self.environment = environment
    self.secret = secret
  }

  /// A source without any variables or secrets.
  package static let none = Self(environment: { _ in nil }, secret: { _ in nil })
}

/// An error for a value that cannot be resolved when its step starts.
package struct UnresolvedValue: Error, Sendable {
  package var message: String
  package var help: String?
  package var place: FileSpan?

  package init(_ message: String, help: String? = nil, at place: FileSpan? = nil) {
    self.message = message
    self.help = help
    self.place = place
  }

  /// The error as a diagnostic.
  package var diagnostic: Diagnostic {
    Diagnostic(.error, rule: "unresolved-value", message, help: help, at: place ?? .file("<value>"))
  }
}

extension Template {
  /// Returns the value with all placeholders resolved. A template that consists of a single placeholder has the type of
  /// its value. All other templates are strings.
  /// - Throws: An error if a variable or secret has no value, or if a name in longer text is null.
  package func resolved(in scope: ValueScope) throws(UnresolvedValue) -> JSON {
    if parts.count == 1, case .value(let source) = parts[0] { return try Self.value(of: source, in: scope) }
    var text = ""
    for part in parts {
      switch part {
      case .text(let literal): text += literal
      case .value(let source):
        let value = try Self.value(of: source, in: scope)
        if value.isNull, case .name(let name) = source {
          throw UnresolvedValue(
            "`${\(name)}` is `null` inside longer text",
            help: "set the input, or check the path that captures it")
        }
        text += value.string ?? value.text()
      }
    }
    return .string(text)
  }

  private static func value(of source: Source, in scope: ValueScope) throws(UnresolvedValue) -> JSON {
    switch source {
    case .name(let name):
      return scope.names[name] ?? .null
    case .environment(let name):
      guard let value = scope.externalValues.environment(name) else {
        throw UnresolvedValue(
          "environment variable `\(name)` was not passed (trust rule `variables`)",
          help: "pass `--env \(name)`, or `--env-file FILE` with \(name)=…")
      }
      return .string(value)
    case .secret(let name):
      guard let value = scope.externalValues.secret(name) else {
        throw UnresolvedValue(
          "secret `\(name)` was not passed (trust rule `variables`)",
          help: "pass `--secret \(name)` to read it from the environment, or `--secret \(name)=file:PATH`")
      }
      return .string(value)
    }
  }
}
