import AppRegistration
import DeclaredFields
import Diagnostics

struct AndroidHashDummy: Rule {
  let id = "android-hash-dummy"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]
  let words = "the signature hash of an Android redirect URI is made up"
  let help = """
    Zeros, or letters and digits in their order, are no certificate's SHA-1. MSAL compares the hash with that of the app's own \
    signature when it asks a broker, and refuses to sign in; the portal registers the real one only.
    """
  let bad = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/1️⃣1234567890abcdef"
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
    file.signatureHashes.filter(\.isDummy).map { use in
      let form = SignatureHash.isWellFormed(use.text) ? "" : ", and not the base64 of 20 bytes"
      return finding(
        "the signature hash \(use.text) is made up\(form)", severity: use.severity,
        help: "write the hash of the certificate that the app is signed with, as the portal shows it for the package",
        at: use.place)
    }
  }
}
