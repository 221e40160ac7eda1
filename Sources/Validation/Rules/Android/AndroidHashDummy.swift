import AppRegistration
import Diagnostics
import Documents

struct AndroidHashDummy: Rule {
  let id = "android-hash-dummy"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.signatureHashes.filter(\.isDummy).map { use in
      let reason = SignatureHash.isWellFormed(use.text) ? "" : ", not 20 bytes in base64"
      return finding(
        "signature hash `\(use.text)` is a sample value\(reason)", severity: use.severity,
        help: "use the hash of the app's signing certificate, which the portal shows for the package",
        at: use.place)
    }
  }
}
