import Diagnostics

/// A collector of diagnostics that allows a decoder to continue after a problem.
package struct DiagnosticCollector: Sendable {
  package private(set) var diagnostics: [Diagnostic] = []

  package init() {}

  package mutating func add(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  package mutating func add(contentsOf others: [Diagnostic]) { diagnostics += others }

  /// Adds an error at a node.
  package mutating func error(_ rule: String, _ message: String, help: String? = nil, at node: Node) {
    add(Diagnostic(.error, rule: rule, message, help: help, at: node.place))
  }

  package mutating func warning(_ rule: String, _ message: String, help: String? = nil, at node: Node) {
    add(Diagnostic(.warning, rule: rule, message, help: help, at: node.place))
  }

  package mutating func note(_ rule: String, _ message: String, help: String? = nil, at node: Node) {
    add(Diagnostic(.note, rule: rule, message, help: help, at: node.place))
  }
}

/// A value with its location in the source.
package struct Positioned<Value: Sendable>: Sendable {
  package var value: Value
  package var place: FileSpan

  package init(_ value: Value, at place: FileSpan) {
    self.value = value
    self.place = place
  }
}

extension Positioned: Equatable where Value: Equatable {
  /// Compares only the values, not the locations.
  package static func == (lhs: Self, rhs: Self) -> Bool { lhs.value == rhs.value }
}
