import Diagnostics
import Documents

/// An app's configuration file and its kind.
package struct RegistrationDocument: Sendable {
  /// Nil only if nothing could be read.
  package var document: Document?
  package var kind: AppRegistrationKind
  package var diagnostics: [Diagnostic]
  /// Whether the preprocessor may produce values other than those that were read.
  package var isOneBranchOnly: Bool

  package init(
    document: Document?, kind: AppRegistrationKind, diagnostics: [Diagnostic], isOneBranchOnly: Bool = false
  ) {
    self.document = document
    self.kind = kind
    self.diagnostics = diagnostics
    self.isOneBranchOnly = isOneBranchOnly
  }

  /// Parses a configuration file and detects its kind.
  package static func read(_ bytes: [UInt8], named name: String) -> RegistrationDocument {
    read(name) { name, options in DocumentReader.read(bytes, named: name, options: options) }
  }

  /// Loads a configuration file with strict parsing and detects its kind. If strict parsing fails, retries leniently
  /// for JSON with comments and property lists with preprocessor directives.
  package static func read(_ path: String, load: DocumentLoader) -> RegistrationDocument {
    let strict = load(path, ReadingOptions())
    if let fragment = AppManifest.fragment(strict) {
      return RegistrationDocument(document: nil, kind: .appManifest, diagnostics: [fragment])
    }
    if strict.diagnostics.hasErrors, let preprocessed = PreprocessedPropertyList.read(strict) { return preprocessed }
    if let document = strict.document, !strict.diagnostics.hasErrors || document.syntax != .json {
      return RegistrationDocument(
        document: document, kind: AppRegistrationKind.recognize(document), diagnostics: strict.diagnostics)
    }
    let tolerant = load(path, ReadingOptions(toleratesComments: true))
    let kind = (tolerant.document ?? strict.document).map(AppRegistrationKind.recognize) ?? .unknown
    if let document = tolerant.document, document.syntax == .json, kind.toleratesComments {
      let diagnostics = kind.notesTrailingCommas ? tolerant.diagnostics : strict.diagnostics
      let tolerated = kind.toleratedRules
      return RegistrationDocument(
        document: document, kind: kind, diagnostics: diagnostics.filter { !tolerated.contains($0.rule) })
    }
    return RegistrationDocument(document: strict.document, kind: kind, diagnostics: strict.diagnostics)
  }
}
