import Diagnostics
import Documents

/// A parameter of a step: a literal value, or a value with `${…}` that is resolved when the step starts.
package struct Resolvable<Value: Sendable>: Sendable {
  private enum Source: Sendable {
    case literal(Value)
    case template(TemplateTree, Codec<Value>)
  }

  private let source: Source
  /// The location of the value. Nil for a default.
  package let place: FileSpan?

  /// Creates a literal value.
  package init(_ value: Value, at place: FileSpan? = nil) {
    source = .literal(value)
    self.place = place
  }

  init(_ tree: TemplateTree, _ codec: Codec<Value>, at place: FileSpan) {
    source = .template(tree, codec)
    self.place = place
  }

  /// The literal value, or nil if it contains `${…}`.
  package var literal: Value? {
    if case .literal(let value) = source { value } else { nil }
  }

  /// Returns the value at this point of the run. A single `${name}` that is null resolves to nil, as if the key were
  /// missing.
  package func resolved(in scope: ValueScope) throws(UnresolvedValue) -> Value? {
    switch source {
    case .literal(let value): return value
    case .template(let tree, let codec):
      guard let json = try tree.resolved(in: scope) else { return nil }
      var problems = DiagnosticCollector()
      if let value = codec.read(Document.of(json, name: "<value>").root, &problems) { return value }
      let problem = problems.diagnostics.first
      throw UnresolvedValue(problem?.message ?? "invalid value", help: problem?.help, at: place)
    }
  }
}

extension Codec {
  /// A codec for the same values that also accepts strings with `${…}`.
  package var resolvable: Codec<Resolvable<Value>> {
    Codec<Resolvable<Value>>(expecting: expectation, schema: Self.orTemplate(schema())) { node, problems in
      guard node.containsTemplates else {
        return read(node, &problems).map { Resolvable($0, at: node.place) }
      }
      // Keys cannot contain `${…}`, so their problems can be reported before the values are resolved.
      var unresolvedProblems = DiagnosticCollector()
      _ = read(node, &unresolvedProblems)
      let earlierCount = problems.diagnostics.count
      problems.add(contentsOf: unresolvedProblems.diagnostics.filter { Self.rulesForKeys.contains($0.rule) })
      let tree = TemplateTree(node, &problems)
      guard problems.diagnostics.count == earlierCount else { return nil }
      return Resolvable(tree, self, at: node.place)
    }
  }

  private static var rulesForKeys: Set<String> {
    ["unknown-key", "missing-key", "duplicate-key", "split-at-comma", "unknown-event", "event", RenamedKeyword.rule]
  }

  /// Returns a schema that accepts the values of `schema` and strings that contain `${`.
  private static func orTemplate(_ schema: JSON) -> JSON {
    if case .bool(true) = schema { return schema }
    if schema == ["type": "string"] { return schema }
    return ["anyOf": [schema, ["type": "string", "pattern": "\\$\\{"]]]
  }
}
