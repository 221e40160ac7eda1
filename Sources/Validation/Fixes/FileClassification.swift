import AppRegistration
import Diagnostics
import Documents

/// What a file is, before anybody's wishes are looked at: its kind, and what is wrong with its syntax.
struct FileClassification {
  let kind: AppRegistrationKind
  /// How often each error of reading is there.
  let errors: [String: Int]
  /// The text that places speak of; nil where nothing was read.
  let text: [UInt8]?
  /// Nil for XML that is no property list, and where nothing was read.
  let root: Node?

  init(_ file: NamedFile) {
    let diagnostics: [Diagnostic]
    if AndroidManifest.isOne(file.bytes) {
      let (manifest, told) = AndroidManifest.read(file.bytes, named: file.name)
      kind = .androidManifest
      text = manifest?.source.bytes
      root = nil
      diagnostics = told
    } else {
      let read = RegistrationDocument.read(file.bytes, named: file.name)
      kind = read.kind
      text = read.document?.source.bytes
      root = read.document?.root
      diagnostics = read.diagnostics
    }
    errors = diagnostics.filter { $0.severity == .error }.reduce(into: [:]) { $0[$1.rule, default: 0] += 1 }
  }

  /// Whether it is what the other one is, with no error that the other one has not.
  func isAsGood(as other: FileClassification) -> Bool {
    kind == other.kind && (text != nil || other.text == nil)
      && errors.allSatisfy { $0.value <= other.errors[$0.key, default: 0] }
  }
}
