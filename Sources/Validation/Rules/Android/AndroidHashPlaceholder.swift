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
        "the signature hash is still a placeholder: \(placeholder)",
        help: "write the hash of the certificate that the app is signed with, as the portal shows it for the package",
        at: use.place)
    }
  }
}
