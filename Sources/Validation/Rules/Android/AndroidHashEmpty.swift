import AppRegistration
import DeclaredFields
import Diagnostics

struct AndroidHashEmpty: Rule {
  let id = "android-hash-empty"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning, .note]
  let words = "the signature hash is that of nothing, or of keytool's words of complaint"
  let help = """
    `keytool … | openssl sha1 -binary | openssl base64` hashes whatever keytool prints. Where it finds no keystore, or the password \
    is wrong, that is nothing at all, or the words of its complaint, and the hash looks like any other. No app is signed with it.
    """
  let bad = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/1️⃣2jmj7l5rSw0yVb%2FvlWAYkK%2FYBwk%3D"
    }
    """#)
  let good = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/Qk9vSHFmcTFzT3BtT2FkT3JzYVk%3D"
    }
    """#)

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
