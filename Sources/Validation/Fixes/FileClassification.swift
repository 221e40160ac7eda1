import AppRegistration
import Diagnostics
import Documents

/// A file's kind and syntax errors, independent of any configuration.
struct FileClassification {
  let kind: AppRegistrationKind
  /// The number of errors reported while the file was read, by rule.
  let errors: [String: Int]
  /// The text to which locations refer. Nil if the file cannot be read.
  let text: [UInt8]?
  /// The root of the document. Nil if the file cannot be read, or if it is XML other than a property list.
  let root: Node?

  init(_ file: NamedFile) {
    let diagnostics: [Diagnostic]
    if AndroidManifest.recognizes(file.bytes) {
      let (manifest, reported) = AndroidManifest.read(file.bytes, named: file.name)
      kind = .androidManifest
      text = manifest?.source.bytes
      root = nil
      diagnostics = reported
    } else {
      let read = RegistrationDocument.read(file.bytes, named: file.name)
      kind = read.kind
      text = read.document?.source.bytes
      root = read.document?.root
      diagnostics = read.diagnostics
    }
    errors = diagnostics.filter { $0.severity == .error }.reduce(into: [:]) { $0[$1.rule, default: 0] += 1 }
  }

  /// Returns whether the file has the same kind as another file and no additional errors.
  func isAsGood(as other: FileClassification) -> Bool {
    kind == other.kind && (text != nil || other.text == nil)
      && errors.allSatisfy { $0.value <= other.errors[$0.key, default: 0] }
  }
}
