import AppRegistration
import DeclaredFields
import Diagnostics

struct AndroidHashUnescaped: Rule {
  let id = "android-hash-unescaped"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]
  let words = "the signature hash stands in the redirect URI without percent-encoding"
  let help = """
    In redirect_uri the hash is a part of a URI: / is written %2F, + is %2B, and = is %3D. MSAL compares the text as it stands, and \
    so does the service with the URI that the portal registered. Only android:path in the manifest is written without.
    """
  let bad = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/1️⃣Qk9/SHFmcTFzT3BtT2FkT3JzYVk="
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
    file.signatureHashes.filter(\.isUnescaped).map { use in
      let encoded = PercentText.encodeBase64(use.text)
      return finding(
        "the signature hash is not percent-encoded", severity: use.severity, help: "write \(encoded)", at: use.place,
        fix: use.replacing(with: encoded, in: file, "percent-encode the hash"))
    }
  }
}
