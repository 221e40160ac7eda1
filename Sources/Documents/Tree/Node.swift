import Diagnostics

/// A reference to one node of a document. A reference is cheap to copy and keeps the document alive.
package struct Node: Sendable {
  package enum Kind: Sendable {
    case null, bool, integer, real, string, data, date, uid, array, mapping
  }

  package let document: Document
  /// The index of the node. For an alias, the content has a different index.
  let index: Int
  let contentIndex: Int

  init(document: Document, index: Int) {
    self.document = document
    self.index = index
    contentIndex = document.content(at: index)
  }

  var record: NodeRecord { document.records[contentIndex] }

  package var kind: Kind {
    switch record.kind {
    case .null, .alias: .null
    case .bool: .bool
    case .integer: .integer
    case .real: .real
    case .string: .string
    case .data: .data
    case .date: .date
    case .uid: .uid
    case .array: .array
    case .mapping: .mapping
    }
  }

  /// The kind of node, for use in messages: `a string`, `a mapping`, `a list`, `a number`, `a boolean`, or `null`.
  package var typeName: String {
    switch kind {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .real: "a number"
    case .string: "a string"
    case .data: "data"
    case .date: "a date"
    case .uid: "a UID"
    case .array: "a list"
    case .mapping: "a mapping"
    }
  }

  /// The range of the node. It includes the quotes or tags of a scalar and the brackets of a container.
  package var span: SourceSpan {
    let record = document.records[index]
    return SourceSpan(start: Int(record.start), end: Int(record.end))
  }

  package var place: FileSpan { FileSpan(document.source, span) }

  /// The range of a scalar's text, excluding its quotes and tag, or the whole span if the text is not in the source.
  ///
  /// An edit to this span changes the value and keeps the quotes.
  package var innerSpan: SourceSpan {
    guard index == contentIndex else { return span }
    let record = record
    switch record.kind {
    case .string, .integer, .real, .data, .date, .uid:
      guard record.form != .pooled else { return span }
      return SourceSpan(start: Int(record.first), end: Int(record.first) + Int(record.second))
    default: return span
    }
  }

  /// The number of elements or entries, including duplicates, or 0 for a scalar.
  package var count: Int { record.isContainer ? Int(record.first) : 0 }

  /// Returns a diagnostic at this node.
  package func problem(
    _ severity: Diagnostic.Severity = .error, rule: String, _ message: String, help: String? = nil,
    related: [Diagnostic.Related] = [], fix: Diagnostic.Fix? = nil
  ) -> Diagnostic {
    Diagnostic(severity, rule: rule, message, help: help, at: place, related: related, fix: fix)
  }
}

extension Node {
  /// The elements of a list in order, or an empty sequence for other kinds.
  package struct Elements: Sequence, IteratorProtocol, Sendable {
    let document: Document
    var position: Int
    let end: Int

    package mutating func next() -> Node? {
      guard position < end else { return nil }
      let node = Node(document: document, index: position)
      position = document.next(after: position)
      return node
    }
  }

  /// The entries of a mapping in document order, including duplicates, or an empty sequence for other kinds.
  package struct Entries: Sequence, IteratorProtocol, Sendable {
    var nodes: Elements

    package mutating func next() -> (key: Node, value: Node)? {
      guard let key = nodes.next(), let value = nodes.next() else { return nil }
      return (key, value)
    }
  }

  private func children(of kind: NodeRecord.Kind) -> Elements {
    let record = record
    let end = record.kind == kind ? Int(record.second) : 0
    return Elements(document: document, position: contentIndex + 1, end: end)
  }

  package var elements: Elements { children(of: .array) }
  package var entries: Entries { Entries(nodes: children(of: .mapping)) }

  /// The value of the first entry with this key.
  package subscript(key: String) -> Node? {
    entry(key)?.value
  }

  /// Returns the first entry with this key.
  package func entry(_ key: String) -> (key: Node, value: Node)? {
    guard record.kind == .mapping else { return nil }
    var key = key
    return key.withUTF8 { wanted in
      var position = contentIndex + 1
      let end = Int(record.second)
      while position < end {
        let value = document.next(after: position)
        if document.text(at: document.content(at: position), equals: wanted) {
          return (Node(document: document, index: position), Node(document: document, index: value))
        }
        position = document.next(after: value)
      }
      return nil
    }
  }

  /// The element at an index, counted from 0. Access takes linear time.
  package subscript(index: Int) -> Node? {
    guard index >= 0, index < count else { return nil }
    var elements = elements
    for _ in 0..<index { elements.position = document.next(after: elements.position) }
    return elements.next()
  }
}
