import Diagnostics

/// The reasons why a document cannot be written: one diagnostic for each value that the syntax cannot represent.
package struct DocumentWriteError: Error, Sendable {
  package let diagnostics: [Diagnostic]
}

/// Writes a tree in any syntax.
///
/// - JSON: names sorted; dates become ISO 8601 strings, data base64 strings, and UIDs `{"CF$UID": n}`; no NaN or
///   infinity.
/// - YAML: document order; reads back as the same values (dates and data with tags).
/// - XML property list: Apple's layout, document order; no null or control characters; dates in whole seconds.
/// - Binary property list: equal strings and shared values are stored once; no null.
///
/// Numbers are exact: integers of any size in JSON and YAML, of 128 bits in property lists. Of duplicate keys, the
/// first is written.
package enum DocumentWriter {
  package static func write(_ document: Document, as syntax: DocumentSyntax) throws(DocumentWriteError) -> [UInt8] {
    try write(document.root, as: syntax)
  }

  /// Writes a node and its descendants.
  package static func write(_ node: Node, as syntax: DocumentSyntax) throws(DocumentWriteError) -> [UInt8] {
    var errors: [Diagnostic] = []
    let bytes: [UInt8]
    switch syntax {
    case .json:
      var writer = JSONWriter()
      bytes = writer.write(node)
      errors = writer.errors
    case .yaml:
      var writer = YAMLWriter()
      bytes = writer.write(node)
    case .xmlPropertyList:
      var writer = XMLPropertyListWriter()
      bytes = writer.write(node)
      errors = writer.errors
    case .binaryPropertyList:
      var writer = BinaryPropertyListWriter()
      bytes = writer.write(node)
      errors = writer.errors
    case .openStepPropertyList:
      bytes = []
      errors = [
        node.problem(
          rule: "cannot-write", "cannot write OpenStep property lists",
          help: "choose JSON, YAML, or an XML or binary property list")
      ]
    }
    guard errors.isEmpty else { throw DocumentWriteError(diagnostics: errors) }
    return bytes
  }

  static let nullMessage = "property lists cannot contain null"

  static func error(_ node: Node, _ message: String, help: String) -> Diagnostic {
    node.problem(rule: "cannot-write", message, help: help)
  }
}

extension Node {
  /// The entries with their keys as text, without later duplicates.
  var distinctEntries: [(key: String, value: Node, keyNode: Node)] {
    var seen: Set<[UInt8]> = []
    return entries.compactMap { key, value in
      let name = key.string ?? key.scalarText ?? ""
      return seen.insert(Array(name.utf8)).inserted ? (name, value, key) : nil
    }
  }

  /// The source text of a real number if `grammar` accepts it.
  func spelling(where grammar: (UnsafeBufferPointer<UInt8>) -> Bool) -> String? {
    guard record.kind == .real, record.form != .bigEndian else { return nil }
    return document.withText(at: contentIndex) { grammar($0) ? String(decoding: $0, as: UTF8.self) : nil }
  }
}
