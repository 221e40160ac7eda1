import Diagnostics

/// What a reader has to say while it goes on reading: mistakes are collected, never thrown.
package struct DiagnosticCollector: Sendable {
  package private(set) var diagnostics: [Diagnostic] = []

  package init() {}

  package mutating func add(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  package mutating func add(contentsOf others: [Diagnostic]) { diagnostics += others }

  /// Complains about a node.
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

/// A value that remembers where it was written.
package struct Positioned<Value: Sendable>: Sendable {
  package var value: Value
  package var place: FileSpan

  package init(_ value: Value, at place: FileSpan) {
    self.value = value
    self.place = place
  }
}

extension Positioned: Equatable where Value: Equatable {
  /// Values are compared, places are not.
  package static func == (lhs: Self, rhs: Self) -> Bool { lhs.value == rhs.value }
}
