import Diagnostics
import Documents

/// A name that the files of a project declare and use.
package struct Symbol: Hashable, Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case step
    /// A capture or an input.
    case variable
    case client, scenario
    /// A user in a directory.
    case account
    case file, rule
  }

  package let kind: Kind
  /// The file that declares the name, relative to the folder of the snapshot. Names that are linked across files share
  /// one of these files.
  package let file: String
  /// The name. Usernames are in lowercase.
  package let name: String

  package init(_ kind: Kind, _ name: String, in file: String) {
    self.kind = kind
    self.file = file
    self.name = name
  }

  /// The file name that represents the built-in directory, which declares the built-in users.
  static let builtInFile = "contoso"
}

/// A location in a document where a symbol is declared or used.
package struct SymbolOccurrence: Sendable {
  package enum Role: Sendable {
    case declaration
    /// The step type of a step without `id`, which declares the step's ID.
    case implicitDeclaration
    case reference
  }

  package let symbol: Symbol
  package let role: Role
  let place: NamePlace
  /// The complete declaration, such as a step with its parameters.
  package let extent: SourceSpan

  package var isDeclaration: Bool { role != .reference }
  package var span: SourceSpan { place.span }
  package var source: SourceText { place.node.document.source }
  package var fileSpan: FileSpan { FileSpan(source, span) }
  /// The name of the file that contains the occurrence.
  package var file: String { source.name }
}

/// A name in a scalar.
struct NamePlace: Sendable {
  let node: Node
  /// The range of the name in the UTF-8 bytes of the scalar's decoded text.
  let range: Range<Int>
  let isKey: Bool
  /// Whether the name is the scalar's complete text.
  let isWhole: Bool
  /// The range of the name in the document, or of the complete scalar if the name contains escapes.
  let span: SourceSpan
  /// Whether `span` contains exactly the name.
  let isExact: Bool

  /// - Parameters:
  ///   - text: The decoded text of the scalar.
  ///   - range: The range of the name, or nil for the complete text.
  init(_ node: Node, _ text: [UInt8], range: Range<Int>? = nil, isKey: Bool = false) {
    let range = range ?? 0..<text.count
    self.node = node
    self.range = range
    self.isKey = isKey
    isWhole = range == 0..<text.count
    let bytes = node.document.source.bytes
    let inner = node.innerSpan
    if !node.document.source.isBinary, inner.end <= bytes.count, inner.end - inner.start == text.count,
      bytes[inner.start..<inner.end].elementsEqual(text)
    {
      span = SourceSpan(start: inner.start + range.lowerBound, end: inner.start + range.upperBound)
      isExact = true
      return
    }
    // The text is quoted or contains escapes, but the name itself usually does not contain escapes.
    let outer = node.span
    let name = text[range]
    if !node.document.source.isBinary, outer.start >= 0, outer.end <= bytes.count, !name.isEmpty,
      case let matches = bytes[outer.start..<outer.end].ranges(of: name), matches.count == 1
    {
      span = SourceSpan(start: matches[0].lowerBound, end: matches[0].upperBound)
      isExact = true
    } else {
      span = inner
      isExact = false
    }
  }

  /// Whether the scalar is a YAML alias. The text of an alias is at the anchor.
  var isAlias: Bool {
    let (bytes, start) = (node.document.source.bytes, node.span.start)
    return node.document.syntax == .yaml && !isExact && start < bytes.count && bytes[start] == UInt8(ascii: "*")
  }
}
