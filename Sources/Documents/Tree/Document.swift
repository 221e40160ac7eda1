import Diagnostics

/// The syntaxes that are read and written.
package enum DocumentSyntax: String, Sendable, CaseIterable {
  case json, yaml, xmlPropertyList, binaryPropertyList, openStepPropertyList

  package var isPropertyList: Bool {
    switch self {
    case .json, .yaml: false
    case .xmlPropertyList, .binaryPropertyList, .openStepPropertyList: true
    }
  }

  /// As people call it in a sentence: `JSON`, `an XML property list`.
  package var words: String {
    switch self {
    case .json: "JSON"
    case .yaml: "YAML"
    case .xmlPropertyList: "an XML property list"
    case .binaryPropertyList: "a binary property list"
    case .openStepPropertyList: "an OpenStep property list"
    }
  }
}

/// A document as a tree in which every key and value knows its place.
package final class Document: Sendable {
  package let source: SourceText
  package let syntax: DocumentSyntax
  let records: [NodeRecord]
  /// Decoded texts that do not stand in the source as they are.
  let pool: [UInt8]

  /// A tree always has a root: where nothing could be read, it is null at the start.
  init(source: SourceText, syntax: DocumentSyntax, records: [NodeRecord], pool: [UInt8]) {
    self.source = source
    self.syntax = syntax
    self.records = records.isEmpty ? [NodeRecord(.null, start: 0, end: 0)] : records
    self.pool = pool
  }

  package var root: Node { Node(document: self, index: 0) }

  /// The record that holds the content: the target where the record is an alias.
  @inline(__always)
  func content(at index: Int) -> Int {
    records[index].kind == .alias ? Int(records[index].first) : index
  }

  /// The index behind a node and all its descendants.
  @inline(__always)
  func next(after index: Int) -> Int {
    let record = records[index]
    return record.isContainer ? Int(record.second) : index + 1
  }
}
