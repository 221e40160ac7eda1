import AppRegistration
import Diagnostics
import Documents

struct AndroidHashEmpty: Rule {
  let id = "android-hash-empty"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning, .note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.signatureHashes.compactMap { use in
      let help = "run keytool by itself first and see that it prints a certificate, then hash that"
      switch SignatureHash.mistake(use.text) {
      case .nothing?:
        return finding(
          "this signature hash is the SHA-1 of nothing: keytool printed no certificate", severity: use.severity,
          help: help, at: use.place)
      case .complaint(let words)?:
        // Where no broker is asked nobody compares it, and a registration with the same text works. Nothing is asked with false,
        // nor was where the key is absent in MSAL's first versions, which took that for false.
        let isCompared = file.androidConfig?.brokerRedirectRegistered?.value == true
        return finding(
          "this signature hash is the SHA-1 of keytool's complaint that \(words)",
          severity: isCompared ? .warning : .note, help: help, at: use.place)
      case nil: return nil
      }
    }
  }
}
