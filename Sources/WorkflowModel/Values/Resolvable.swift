import Diagnostics
import Documents

/// A parameter of a step: written out, or with `${…}` in it, to be filled in when the step's turn comes.
package struct Resolvable<Value: Sendable>: Sendable {
  private enum Form: Sendable {
    case literal(Value)
    case template(TemplateTree, Codec<Value>)
  }

  private let form: Form
  /// Where it was written; nil for a value that stands for a default.
  package let place: FileSpan?

  /// A value that needs no filling in.
  package init(_ value: Value, at place: FileSpan? = nil) {
    form = .literal(value)
    self.place = place
  }

  init(_ tree: TemplateTree, _ codec: Codec<Value>, at place: FileSpan) {
    form = .template(tree, codec)
    self.place = place
  }

  /// The value, where it was written out.
  package var literal: Value? {
    if case .literal(let value) = form { value } else { nil }
  }

  /// The value at this moment of the run; nil where it is one `${name}` that is null: then the key counts as left out.
  package func resolved(in scope: ValueScope) throws(UnresolvedValue) -> Value? {
    switch form {
    case .literal(let value): return value
    case .template(let tree, let codec):
      guard let json = try tree.resolved(in: scope) else { return nil }
      var problems = DiagnosticCollector()
      if let value = codec.read(Document.of(json, name: "<value>").root, &problems) { return value }
      let said = problems.diagnostics.first
      throw UnresolvedValue(said?.message ?? "the value does not fit here", help: said?.help, at: place)
    }
  }
}

extension Codec {
  /// The same value, where any string inside may hold `${…}`.
  package var resolvable: Codec<Resolvable<Value>> {
    Codec<Resolvable<Value>>(expecting: expectation, schema: Self.orTemplate(schema())) { node, problems in
      guard node.holdsTemplates else {
        return read(node, &problems).map { Resolvable($0, at: node.place) }
      }
      // What can be told before anything is filled in: keys are never templates.
      var early = DiagnosticCollector()
      _ = read(node, &early)
      let before = problems.diagnostics.count
      problems.add(contentsOf: early.diagnostics.filter { Self.rulesAboutKeys.contains($0.rule) })
      let tree = TemplateTree(node, &problems)
      guard problems.diagnostics.count == before else { return nil }
      return Resolvable(tree, self, at: node.place)
    }
  }

  private static var rulesAboutKeys: Set<String> {
    ["unknown-key", "missing-key", "duplicate-key", "split-at-comma", "unknown-event", "event", RenamedKeyword.rule]
  }

  /// A schema that also accepts one whole-string `${name}`.
  private static func orTemplate(_ schema: JSON) -> JSON {
    if case .bool(true) = schema { return schema }
    if schema == ["type": "string"] { return schema }
    return ["anyOf": [schema, ["type": "string", "pattern": "\\$\\{"]]]
  }
}
