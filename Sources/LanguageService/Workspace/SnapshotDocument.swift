import AppRegistration
import Diagnostics
import Documents
import Synchronization
import Validation

/// A file in a snapshot.
package struct SnapshotDocument: Sendable {
  /// The absolute path.
  package let path: String
  /// The name in diagnostics, relative to the folder of the snapshot.
  package let name: String
  let parsed: ParsedDocument
  private let snapshot: WorkspaceSnapshot

  init(path: String, name: String, parsed: ParsedDocument, snapshot: WorkspaceSnapshot) {
    self.path = path
    self.name = name
    self.parsed = parsed
    self.snapshot = snapshot
  }

  package var source: SourceText { parsed.source }
  package var lines: LineIndex { parsed.lines }
  /// The file as validation reads it. If the file has syntax errors, its tree is incomplete or missing.
  package var reading: RegistrationDocument { parsed.reading }
  /// The values of the text, including YAML after a syntax error, or nil if there are none.
  var tree: Document? { parsed.tree }

  /// The kind of the file. If the document alone does not reveal it, the kind comes from validation.
  package var kind: AppRegistrationKind {
    reading.kind == .unknown ? validated?.kind ?? .unknown : reading.kind
  }

  /// The file as validation decoded it, or nil if validation does not include it.
  package var validated: ValidatedFile? { snapshot.project.file(named: name) }
}

/// The text and the tree of a file.
struct ParsedDocument: Sendable {
  let source: SourceText
  let lines: LineIndex
  let reading: RegistrationDocument
  /// The values of the text. A YAML reader stops at a syntax error, so an unclosed bracket would hide the rest of the
  /// text. In this case, the values come from the outline.
  let tree: Document?

  init(_ bytes: [UInt8], named name: String) {
    reading = RegistrationDocument.read(bytes, named: name)
    // If the file's encoding is not UTF-8, the tree refers to the decoded text.
    source = reading.document?.source ?? SourceText(name: name, bytes: bytes)
    lines = LineIndex(source.bytes)
    let isCut = reading.diagnostics.contains { $0.rule == "yaml-syntax" && $0.severity == .error }
    tree = isCut ? Document.outline(of: source) ?? reading.document : reading.document
  }
}

/// The parsed documents from earlier snapshots, which are reused until their content changes.
final class ParsedDocumentCache: Sendable {
  private let documents = Mutex<[String: (bytes: [UInt8], document: ParsedDocument)]>([:])

  func document(_ bytes: [UInt8], named name: String) -> ParsedDocument {
    if let cached = documents.withLock({ $0[name] }), cached.bytes == bytes { return cached.document }
    let document = ParsedDocument(bytes, named: name)
    documents.withLock { $0[name] = (bytes, document) }
    return document
  }
}

/// The caches that the snapshots of a workspace share.
final class WorkspaceCaches: Sendable {
  let parsed = ParsedDocumentCache()
  let symbols = FileSymbolsCache()
  private let validated = Mutex<(definitions: [String: String], cache: ValidatedFileCache)>(([:], ValidatedFileCache()))

  /// Returns the cache for files that were decoded with these build settings.
  func validated(with definitions: [String: String]) -> ValidatedFileCache {
    validated.withLock { validated in
      if validated.definitions != definitions { validated = (definitions, ValidatedFileCache()) }
      return validated.cache
    }
  }
}
