import AppRegistration
import DeclaredFields
import Diagnostics

struct AndroidHashShared: Rule {
  let id = "android-hash-shared"
  let severity = Diagnostic.Severity.note
  let words = "the signature hash belongs to a key that everybody has"
  let help = """
    Templates and samples bring a debug keystore along, so that anybody can sign an app that answers to this redirect URI. It is \
    fine while developing; the app that is published has a key of its own, whose redirect URI must be registered as well.
    """
  let bad = RuleExample(
    "auth_config.json",
    #"""
    {
      "client_id": "6731de76-14a6-49ae-97bc-6eba6914391e",
      "redirect_uri": "msauth://com.contoso.app/1️⃣Xo8WBi6jzSxKDVR4drqm84yr9iU%3D"
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
      guard let owner = SignatureHash.publicKey(use.text) else { return nil }
      return finding(
        "this is the signature hash of \(owner), which everybody has",
        help: "register the redirect URI of the release key too, and give the release its own file", at: use.place)
    }
  }
}
