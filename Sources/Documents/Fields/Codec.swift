/// A decoder for one kind of value, with a description of the value as JSON Schema.
package struct Codec<Value: Sendable>: Sendable {
  /// The JSON Schema (2020-12) of accepted values.
  package let schema: @Sendable () -> JSON
  /// A description of the expected value for messages, such as `a string` or `a list of strings`.
  package let expectation: String
  /// A closure that decodes a node, or reports problems and returns nil.
  package let read: @Sendable (Node, inout DiagnosticCollector) -> Value?

  package init(
    expecting expectation: String, schema: @escaping @autoclosure @Sendable () -> JSON,
    read: @escaping @Sendable (Node, inout DiagnosticCollector) -> Value?
  ) {
    self.expectation = expectation
    self.schema = schema
    self.read = read
  }

  /// Creates a codec for a simple conversion. If `accepting` returns nil, the codec reports "expected …, found …".
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

  /// Returns a codec that decodes the same nodes and transforms the value.
  package func map<Other: Sendable>(_ transform: @escaping @Sendable (Value) -> Other) -> Codec<Other> {
    Codec<Other>(expecting: expectation, schema: schema()) { node, problems in
      read(node, &problems).map(transform)
    }
  }

  /// Returns a codec that decodes the same nodes and applies a transformation. The transformation reports its own
  /// failures.
  package func flatMap<Other: Sendable>(
    _ transform: @escaping @Sendable (Value, Node, inout DiagnosticCollector) -> Other?
  ) -> Codec<Other> {
    Codec<Other>(expecting: expectation, schema: schema()) { node, problems in
      read(node, &problems).flatMap { transform($0, node, &problems) }
    }
  }

  /// A codec that decodes the value together with its location.
  package var located: Codec<Positioned<Value>> {
    Codec<Positioned<Value>>(expecting: expectation, schema: schema()) { node, problems in
      read(node, &problems).map { Positioned($0, at: node.place) }
    }
  }

  /// Returns the same codec with a different JSON Schema, such as a `$ref`.
  package func describing(as schema: @escaping @autoclosure @Sendable () -> JSON) -> Self {
    Self(expecting: expectation, schema: schema(), read: read)
  }
}

extension DiagnosticCollector {
  /// Reports a value of the wrong type.
  package mutating func mismatch(_ node: Node, expected: String) {
    var help: String?
    if node.kind == .bool || node.kind == .integer || node.kind == .real, expected.contains("string") {
      help = "add quotes: `\"\(node.scalarText ?? "")\"`"
    }
    error("wrong-type", "expected \(expected), found \(node.typeName)", help: help, at: node)
  }
}
