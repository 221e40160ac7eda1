import Diagnostics

/// Why a document cannot be written in a syntax: one diagnostic for each value that the syntax cannot hold.
package struct DocumentWriteError: Error, Sendable {
  package let diagnostics: [Diagnostic]
}

/// Writes a tree in another syntax, or in its own again.
///
/// - JSON: names sorted; dates become ISO 8601 strings, data base64 strings, UIDs `{"CF$UID": n}`; no NaN, no infinity.
/// - YAML: document order; reads back as the same values (dates and data with their tags).
/// - XML property list: Apple's layout, document order; no null, no control characters; dates in whole seconds.
/// - Binary property list: equal strings and repeated values are stored once; no null.
///
/// Numbers are kept exactly: an integer of any size in JSON and YAML, of 128 bits in property lists. Of duplicate keys
/// the first is written.
package enum DocumentWriter {
  package static func write(_ document: Document, as syntax: DocumentSyntax) throws(DocumentWriteError) -> [UInt8] {
    try write(document.root, as: syntax)
  }

  /// Writes the part of a document that begins at a node.
  package static func write(_ node: Node, as syntax: DocumentSyntax) throws(DocumentWriteError) -> [UInt8] {
    var refusals: [Diagnostic] = []
    let bytes: [UInt8]
    switch syntax {
    case .json:
      var writer = JSONWriter()
      bytes = writer.write(node)
      refusals = writer.refusals
    case .yaml:
      var writer = YAMLWriter()
      bytes = writer.write(node)
    case .xmlPropertyList:
      var writer = XMLPropertyListWriter()
      bytes = writer.write(node)
      refusals = writer.refusals
    case .binaryPropertyList:
      var writer = BinaryPropertyListWriter()
      bytes = writer.write(node)
      refusals = writer.refusals
    case .openStepPropertyList:
      bytes = []
      refusals = [
        node.problem(
          rule: "cannot-write", "OpenStep property lists are read but not written",
          help: "Choose JSON, YAML, an XML or a binary property list.")
      ]
    }
    guard refusals.isEmpty else { throw DocumentWriteError(diagnostics: refusals) }
    return bytes
  }

  static let refusedNull = "a property list cannot hold null"

  static func refuse(_ node: Node, _ message: String, help: String) -> Diagnostic {
    node.problem(rule: "cannot-write", message, help: help)
  }
}

extension Node {
  /// The entries without later duplicates of a key, the key as text.
  var distinctEntries: [(key: String, value: Node, keyNode: Node)] {
    var seen: Set<[UInt8]> = []
    return entries.compactMap { key, value in
      let name = key.string ?? key.scalarText ?? ""
      return seen.insert(Array(name.utf8)).inserted ? (name, value, key) : nil
    }
  }

  /// A real as it is spelled, where `grammar` accepts the spelling.
  func spelling(where grammar: (UnsafeBufferPointer<UInt8>) -> Bool) -> String? {
    guard record.kind == .real, record.form != .bigEndian else { return nil }
    return document.withText(at: contentIndex) { grammar($0) ? String(decoding: $0, as: UTF8.self) : nil }
  }
}
