import Diagnostics

/// The reasons why a document cannot be written, with one diagnostic for each value that the syntax cannot represent.
package struct DocumentWriteError: Error, Sendable {
  package let diagnostics: [Diagnostic]
}

/// Functions that write a tree in any syntax except OpenStep.
///
/// - JSON: Names are sorted. Dates become ISO 8601 strings, data becomes base64 strings, and UIDs become `{"CF$UID":
///   n}`. NaN and infinity are not supported.
/// - YAML: Entries are in document order. Dates and data have tags, so that parsing the text results in the same
///   values.
/// - XML property list: The layout is the same as Apple's, and entries are in document order. Dates are in whole
///   seconds. Null and control characters are not supported.
/// - Binary property list: Equal strings and shared values are stored once. Null is not supported.
///
/// Numbers are exact: JSON and YAML support integers of any size, and property lists support integers of up to 128
/// bits. If a key occurs more than once, the first entry is written.
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

  static let nullMessage = "property lists cannot contain `null`"

  static func error(_ node: Node, _ message: String, help: String) -> Diagnostic {
    node.problem(rule: "cannot-write", message, help: help)
  }
}

extension Node {
  /// The entries with their keys as text. Only the first entry with a given key is included.
  var distinctEntries: [(key: String, value: Node, keyNode: Node)] {
    var seen: Set<[UInt8]> = []
    return entries.compactMap { key, value in
      let name = key.string ?? key.scalarText ?? ""
      return seen.insert(Array(name.utf8)).inserted ? (name, value, key) : nil
    }
  }

  /// Returns the source text of a real number if `grammar` accepts it.
  func spelling(where grammar: (UnsafeBufferPointer<UInt8>) -> Bool) -> String? {
    guard record.kind == .real, record.form != .bigEndian else { return nil }
    return document.withText(at: contentIndex) { grammar($0) ? String(decoding: $0, as: UTF8.self) : nil }
  }
}
