import Diagnostics
import Documents
import OrderedCollections

/// What `${…}` can read at one moment of a run.
package struct ValueScope: Sendable {
  /// Captures over inputs.
  package var names: OrderedDictionary<String, JSON>
  package var surroundings: ExternalValues

  package init(names: OrderedDictionary<String, JSON> = [:], surroundings: ExternalValues = .none) {
    self.names = names
    self.surroundings = surroundings
  }
}

/// Where `${env:NAME}` and `${secret:NAME}` are read. Whoever gives a secret out here also masks it from then on.
package struct ExternalValues: Sendable {
  package var environment: @Sendable (String) -> String?
  package var secret: @Sendable (String) -> String?

  package init(
    environment: @escaping @Sendable (String) -> String?, secret: @escaping @Sendable (String) -> String?
  ) {
    self.environment = environment
    self.secret = secret
  }

  /// Surroundings in which nothing is set.
  package static let none = Self(environment: { _ in nil }, secret: { _ in nil })
}

/// A value that could not be filled in when its step's turn came.
package struct UnresolvedValue: Error, Sendable {
  package var message: String
  package var help: String?
  package var place: FileSpan?

  package init(_ message: String, help: String? = nil, at place: FileSpan? = nil) {
    self.message = message
    self.help = help
    self.place = place
  }

  /// The same as a diagnostic.
  package var diagnostic: Diagnostic {
    Diagnostic(.error, rule: "unresolved-value", message, help: help, at: place ?? .file("<value>"))
  }
}

extension Template {
  /// The value with everything filled in: a template that is one `${…}` keeps that value's type, anything else is text.
  /// - Throws: where a variable is unset, or a name that is null stands inside a longer text.
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
            "\"${\(name)}\" is null here, inside a longer text",
            help: "give the input a value, or check the path that captures it")
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
      guard let value = scope.surroundings.environment(name) else {
        throw UnresolvedValue(
          "environment variable `\(name)` was not passed (trust rule `variables`)",
          help: "pass `--env \(name)`, or `--env-file FILE` with \(name)=…")
      }
      return .string(value)
    case .secret(let name):
      guard let value = scope.surroundings.secret(name) else {
        throw UnresolvedValue(
          "secret `\(name)` was not passed (trust rule `variables`)",
          help: "pass `--secret \(name)` to read it from the environment, or `--secret \(name)=file:PATH`")
      }
      return .string(value)
    }
  }
}
