import Diagnostics
import Documents

/// A file of an app's declaration, read and recognised.
package struct RegistrationDocument: Sendable {
  /// Nil only where nothing could be read.
  package var document: Document?
  package var kind: AppRegistrationKind
  package var diagnostics: [Diagnostic]

  package init(document: Document?, kind: AppRegistrationKind, diagnostics: [Diagnostic]) {
    self.document = document
    self.kind = kind
    self.diagnostics = diagnostics
  }

  /// Reads the bytes of a file.
  package static func read(_ bytes: [UInt8], named name: String) -> RegistrationDocument {
    read(name) { name, options in DocumentReader.read(bytes, named: name, options: options) }
  }

  /// Reads strictly; where that fails and the document turns out to be of a kind that tolerates comments and trailing commas, it
  /// is read again: what its own reader passes over is not told, the rest with notes in place of the errors.
  package static func read(_ path: String, load: DocumentLoad) -> RegistrationDocument {
    let strict = load(path, ReadingOptions())
    if let fragment = AppManifest.fragment(strict) {
      return RegistrationDocument(document: nil, kind: .appManifest, diagnostics: [fragment])
    }
    if let document = strict.document, !strict.diagnostics.hasErrors || document.syntax != .json {
      return RegistrationDocument(
        document: document, kind: AppRegistrationKind.recognise(document), diagnostics: strict.diagnostics)
    }
    let tolerant = load(path, ReadingOptions(toleratesComments: true))
    if let document = tolerant.document, document.syntax == .json {
      let kind = AppRegistrationKind.recognise(document)
      if kind.toleratesComments {
        let tolerated = kind.toleratedRules
        return RegistrationDocument(
          document: document, kind: kind, diagnostics: tolerant.diagnostics.filter { !tolerated.contains($0.rule) })
      }
    }
    let kind = strict.document.map(AppRegistrationKind.recognise) ?? .unknown
    return RegistrationDocument(document: strict.document, kind: kind, diagnostics: strict.diagnostics)
  }
}
