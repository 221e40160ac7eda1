/// How one kind of value is written: read from a node, and described as JSON Schema, by the same declaration.
package struct Codec<Value: Sendable>: Sendable {
  /// The JSON Schema (2020-12) of what is accepted.
  package let schema: @Sendable () -> JSON
  /// What is expected, as it stands in "expected …": `a string`, `a list of strings`.
  package let expectation: String
  /// Reads the node; nil after the problems have been told.
  package let read: @Sendable (Node, inout DiagnosticCollector) -> Value?

  package init(
    expecting expectation: String, schema: @escaping @autoclosure @Sendable () -> JSON,
    read: @escaping @Sendable (Node, inout DiagnosticCollector) -> Value?
  ) {
    self.expectation = expectation
    self.schema = schema
    self.read = read
  }

  /// A codec that only asks whether the node holds such a value, and says "expected …, found …" where it does not.
  package init(
    expecting expectation: String, schema: @escaping @autoclosure @Sendable () -> JSON,
    accepting value: @escaping @Sendable (Node) -> Value?
  ) {
    self.init(expecting: expectation, schema: schema()) { node, problems in
      if let value = value(node) { return value }
      problems.mismatch(node, expected: expectation)
      return nil
    }
  }

  /// The same nodes, with a further step from what was read to what is wanted.
  package func map<Other: Sendable>(_ transform: @escaping @Sendable (Value) -> Other) -> Codec<Other> {
    Codec<Other>(expecting: expectation, schema: schema()) { node, problems in
      read(node, &problems).map(transform)
    }
  }

  /// The same nodes, where the step may fail with words of its own.
  package func flatMap<Other: Sendable>(
    _ transform: @escaping @Sendable (Value, Node, inout DiagnosticCollector) -> Other?
  ) -> Codec<Other> {
    Codec<Other>(expecting: expectation, schema: schema()) { node, problems in
      read(node, &problems).flatMap { transform($0, node, &problems) }
    }
  }

  /// The value together with its place.
  package var located: Codec<Positioned<Value>> {
    Codec<Positioned<Value>>(expecting: expectation, schema: schema()) { node, problems in
      read(node, &problems).map { Positioned($0, at: node.place) }
    }
  }

  /// The same codec under another JSON Schema, such as a `$ref`.
  package func describing(as schema: @escaping @autoclosure @Sendable () -> JSON) -> Self {
    Self(expecting: expectation, schema: schema(), read: read)
  }
}

extension DiagnosticCollector {
  /// The complaint about a value of the wrong type.
  package mutating func mismatch(_ node: Node, expected: String) {
    var help: String?
    if node.kind == .bool || node.kind == .integer || node.kind == .real, expected.contains("string") {
      help = "put quotes around it: \"\(node.scalarText ?? "")\""
    }
    error("wrong-type", "expected \(expected), found \(node.typeName)", help: help, at: node)
  }
}
