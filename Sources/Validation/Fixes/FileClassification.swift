import AppRegistration
import Diagnostics
import Documents

/// The kind and syntax errors of a file, independently of any configuration.
struct FileClassification {
  let kind: AppRegistrationKind
  /// The number of errors from reading the file, by rule.
  let errors: [String: Int]
  /// The text that places refer to; nil if the file cannot be read.
  let text: [UInt8]?
  /// The root of the document; nil if the file cannot be read, or is XML that is not a property list.
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

  /// Whether the file has the same kind as the other one and no additional errors.
  func isAsGood(as other: FileClassification) -> Bool {
    kind == other.kind && (text != nil || other.text == nil)
      && errors.allSatisfy { $0.value <= other.errors[$0.key, default: 0] }
  }
}
