import Diagnostics

/// A syntax that authflow can read. OpenStep property lists cannot be written.
package enum DocumentSyntax: String, Sendable, CaseIterable {
  case json, yaml, xmlPropertyList, binaryPropertyList, openStepPropertyList

  package var isPropertyList: Bool {
    switch self {
    case .json, .yaml: false
    case .xmlPropertyList, .binaryPropertyList, .openStepPropertyList: true
    }
  }

  /// The name for use in a sentence, such as `JSON` or `an XML property list`.
  package var description: String {
    switch self {
    case .json: "JSON"
    case .yaml: "YAML"
    case .xmlPropertyList: "an XML property list"
    case .binaryPropertyList: "a binary property list"
    case .openStepPropertyList: "an OpenStep property list"
    }
  }
}

/// A document, represented as a tree with the locations of all keys and values.
package final class Document: Sendable {
  package let source: SourceText
  package let syntax: DocumentSyntax
  let records: [NodeRecord]
  /// The decoded text of all scalars whose decoded text differs from their source text.
  let pool: [UInt8]

  /// Creates a document. A tree always has a root, which is null if nothing could be read.
  init(source: SourceText, syntax: DocumentSyntax, records: [NodeRecord], pool: [UInt8]) {
    self.source = source
    self.syntax = syntax
    self.records = records.isEmpty ? [NodeRecord(.null, start: 0, end: 0)] : records
    self.pool = pool
  }

  package var root: Node { Node(document: self, index: 0) }

  /// Returns the index of a node's content: the target of an alias, or the index itself for any other node.
  @inline(__always)
  func content(at index: Int) -> Int {
    records[index].kind == .alias ? Int(records[index].first) : index
  }

  /// Returns the index after a node and all its descendants.
  @inline(__always)
  func next(after index: Int) -> Int {
    let record = records[index]
    return record.isContainer ? Int(record.second) : index + 1
  }
}
