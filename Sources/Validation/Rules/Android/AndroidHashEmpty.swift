import AppRegistration
import Diagnostics
import Documents

struct AndroidHashEmpty: Rule {
  let id = "android-hash-empty"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning, .note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.signatureHashes.compactMap { use in
      let help = "check that keytool prints a certificate, and compute the hash again"
      switch SignatureHash.invalidInput(use.text) {
      case .empty?:
        return finding(
          "signature hash is the SHA-1 of empty input: keytool did not print a certificate", severity: use.severity,
          help: help, at: use.place)
      case .errorMessage(let words)?:
        // Without a broker, MSAL does not compare the hash, so a redirect URI that is registered with the same text
        // works. In the first versions of MSAL, `broker_redirect_uri_registered` was `false` by default.
        let isCompared = file.androidConfig?.brokerRedirectRegistered?.value == true
        return finding(
          "signature hash is the SHA-1 of a keytool error: \(words)",
          severity: isCompared ? .warning : .note, help: help, at: use.place)
      case nil: return nil
      }
    }
  }
}
