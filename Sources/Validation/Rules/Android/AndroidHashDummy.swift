import AppRegistration
import Diagnostics
import Documents

struct AndroidHashDummy: Rule {
  let id = "android-hash-dummy"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.signatureHashes.filter(\.isDummy).map { use in
      let form = SignatureHash.isWellFormed(use.text) ? "" : ", and not the base64 of 20 bytes"
      return finding(
        "the signature hash \(use.text) is made up\(form)", severity: use.severity,
        help: "write the hash of the certificate that the app is signed with, as the portal shows it for the package",
        at: use.place)
    }
  }
}
