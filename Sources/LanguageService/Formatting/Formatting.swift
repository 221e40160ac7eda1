import AppRegistration
import Diagnostics
import Documents

/// An editor's preferences for formatting documents.
package struct FormattingOptions: Sendable {
  /// The number of spaces per level in YAML and JSON.
  package var tabSize: Int

  package init(tabSize: Int = 2) { self.tabSize = min(max(tabSize, 1), 8) }
}

extension SnapshotDocument {
  /// Returns the edits that format the document.
  ///
  /// The edits change only whitespace. A document with syntax errors has no edits.
  /// - Parameter span: The part of the document to format, or nil for the complete document.
  package func formattingEdits(_ options: FormattingOptions, in span: SourceSpan? = nil) -> [Diagnostic.Edit] {
    guard let document = reading.document, !document.source.isBinary, !reading.diagnostics.hasErrors,
      !reading.isOneBranchOnly, let formatted = DocumentFormatter.format(document, options)
    else { return [] }
    var edits = TextDifference.edits(from: source.bytes, to: formatted)
    if let span {
      edits = edits.filter { $0.span.start < span.end && span.start < max($0.span.end, $0.span.start + 1) }
    }
    guard !edits.isEmpty, let result = try? SpanEdits.apply(edits, to: source), hasSameContent(result, document) else {
      return []
    }
    return edits
  }

  /// Returns whether another document has the same values and comments.
  private func hasSameContent(_ bytes: [UInt8], _ document: Document) -> Bool {
    let other = RegistrationDocument.read(bytes, named: name)
    guard let formatted = other.document, !other.diagnostics.hasErrors, formatted.syntax == document.syntax,
      formatted.root.hasSameContent(as: document.root)
    else { return false }
    return Comments.all(in: formatted).map(\.text) == Comments.all(in: document).map(\.text)
  }
}

extension Node {
  /// Returns whether another node has the same value, with the same scalar notation and the same key order.
  func hasSameContent(as other: Node) -> Bool {
    guard kind == other.kind, count == other.count else { return false }
    switch kind {
    case .array: return zip(elements, other.elements).allSatisfy { $0.hasSameContent(as: $1) }
    case .mapping:
      return zip(entries, other.entries).allSatisfy {
        $0.key.hasSameContent(as: $1.key) && $0.value.hasSameContent(as: $1.value)
      }
    case .data: return data == other.data
    default: return scalarText == other.scalarText
    }
  }
}

/// A formatter for documents, which does not change their values or comments.
enum DocumentFormatter {
  /// The maximum line length. A longer value on a single line is split across several lines.
  static let lineLength = 120

  /// Returns the formatted text, or nil if there is no formatter for the syntax.
  static func format(_ document: Document, _ options: FormattingOptions) -> [UInt8]? {
    switch document.syntax {
    case .yaml: YAMLFormatter(document, options).format()
    case .json: JSONFormatter(document.source.bytes, options).format()
    case .xmlPropertyList: PropertyListFormatter(document.source.bytes).format()
    case .openStepPropertyList, .binaryPropertyList: nil
    }
  }
}

/// A builder that collects the lines of a formatted text.
struct FormattedLines {
  private(set) var bytes: [UInt8] = []
  private let newline: [UInt8]
  private var blankLines = 0

  /// - Parameter source: The text that determines the line endings.
  init(like source: [UInt8]) {
    let end = source.firstIndex { ByteClass.isLineEnd($0) }
    if let end, source[end] == 0x0D {
      newline = end + 1 < source.count && source[end + 1] == 0x0A ? [0x0D, 0x0A] : [0x0D]
    } else {
      newline = [0x0A]
    }
    bytes.reserveCapacity(source.count)
  }

  /// Adds a line without its trailing whitespace. Consecutive empty lines are reduced to one.
  mutating func add(_ line: some Collection<UInt8>) {
    var line = Array(line)
    while let last = line.last, ByteClass.isBlank(last) { line.removeLast() }
    guard !line.isEmpty else {
      blankLines += 1
      return
    }
    if blankLines > 0, !bytes.isEmpty { bytes += newline }
    blankLines = 0
    bytes += line
    bytes += newline
  }

  /// Adds the first line of a token that spans several lines. Whitespace at the end of the line belongs to the token.
  mutating func addFirst(_ line: some Collection<UInt8>) {
    if blankLines > 0, !bytes.isEmpty { bytes += newline }
    blankLines = 0
    bytes += line
    bytes += newline
  }

  /// Adds a line unchanged.
  mutating func addUnchanged(_ line: some Collection<UInt8>) {
    for _ in 0..<blankLines { bytes += newline }
    blankLines = 0
    bytes += line
    bytes += newline
  }
}
