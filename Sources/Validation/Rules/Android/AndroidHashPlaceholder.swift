import AppRegistration
import DeclaredFields
import Diagnostics

struct AndroidHashPlaceholder: Rule {
  let id = "android-hash-placeholder"
  let severity = Diagnostic.Severity.error
  let words = "the signature hash of an Android redirect URI is still to be filled in"
  let help = """
    The last part of msauth://<package>/<signature hash> is the SHA-1 of the certificate that the app is signed with, in base64. \
    `keytool -exportcert -alias androiddebugkey -keystore ~/.android/debug.keystore | openssl sha1 -binary | openssl base64` prints \
    it; the portal makes the whole redirect URI of it.
    """
  let bad = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/1️⃣<BASE64_SIGNATURE_HASH>"
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
      guard let placeholder = use.placeholder else { return nil }
      return finding(
        "the signature hash is still a placeholder: \(placeholder)",
        help: "write the hash of the certificate that the app is signed with, as the portal shows it for the package",
        at: use.place)
    }
  }
}
