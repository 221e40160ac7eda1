import AppRegistration
import Diagnostics
import Documents

struct AndroidHashDummy: Rule {
  let id = "android-hash-dummy"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.signatureHashes.filter(\.isDummy).map { use in
      let reason = SignatureHash.isWellFormed(use.text) ? "" : " and not the base64 of 20 bytes"
      return finding(
        "signature hash `\(use.text)` is a sample\(reason)", severity: use.severity,
        help: "use the hash of the app's signing certificate, which the portal shows for the package",
        at: use.place)
    }
  }
}
