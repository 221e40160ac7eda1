import AppRegistration
import Diagnostics
import Documents

struct AndroidHashPlaceholder: Rule {
  let id = "android-hash-placeholder"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.signatureHashes.compactMap { use in
      guard let placeholder = use.placeholder else { return nil }
      return finding(
        "placeholder for the signature hash: `\(placeholder)`",
        help: "use the hash of the app's signing certificate, which the portal shows for the package",
        at: use.place)
    }
  }
}
