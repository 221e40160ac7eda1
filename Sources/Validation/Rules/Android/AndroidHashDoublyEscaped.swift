import AppRegistration
import DeclaredFields
import Diagnostics

struct AndroidHashDoublyEscaped: Rule {
  let id = "android-hash-doubly-escaped"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]
  let words = "the signature hash is percent-encoded twice"
  let help = """
    %252F is the encoding of %2F, which was the encoding of / already. MSAL and the service take the URI as it stands, and no app \
    has such a hash.
    """
  let bad = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/1️⃣Qk9%252FSHFmcTFzT3BtT2FkT3JzYVk%253D"
    }
    """#)
  let good = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/Qk9%2FSHFmcTFzT3BtT2FkT3JzYVk%3D"
    }
    """#)

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.signatureHashes.filter(\.isDoublyEscaped).map { use in
      let hash = PercentText.decode(use.text)
      let encoded = PercentText.encodeBase64(hash)
      let isCertain = SignatureHash.isWellFormed(hash)
      return finding(
        "the signature hash is percent-encoded twice", severity: use.severity,
        help: isCertain ? "write \(encoded)" : "encode the hash once: %2F, %2B and %3D", at: use.place,
        fix: isCertain ? use.replacing(with: encoded, in: file, "percent-encode the hash once") : nil)
    }
  }
}
