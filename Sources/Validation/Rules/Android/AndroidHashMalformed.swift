import AppRegistration
import Diagnostics
import Documents

struct AndroidHashMalformed: Rule {
  let id = "android-hash-malformed"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.androidConfig?.usesBroker == true else { return [] }
    return file.signatureHashes.filter { use in
      use.placeholder == nil && !use.isDummy && !use.isDoublyEscaped && !SignatureHash.isWellFormed(use.text)
    }.map { check($0, in: file) }
  }

  private func check(_ use: SignatureHashUse, in file: ValidatedFile) -> Diagnostic {
    if SignatureHash.isUnpadded(use.text) {
      return finding(
        "signature hash without its final `=`, which a URI encodes as `%3D`", help: "append `%3D`", at: use.place,
        fix: use.replacing(with: PercentText.encodeBase64(use.text) + "%3D", in: file, "append `%3D`"))
    }
    if use.text.hasSuffix("/"), SignatureHash.isWellFormed(use.text.dropLast()) {
      return finding(
        "slash after the signature hash", help: "remove the slash, because MSAL compares the whole URI", at: use.place,
        fix: use.replacing(with: PercentText.encodeBase64(use.text.dropLast()), in: file, "remove the slash"))
    }
    if use.text.contains(where: { $0 == "-" || $0 == "_" }), SignatureHash.isWellFormed(standard(use.text)) {
      return finding(
        "signature hash in base64url, with `-` and `_`", help: "use `+` and `/`, encoded as `%2B` and `%2F`",
        at: use.place,
        fix: use.replacing(with: PercentText.encodeBase64(standard(use.text)), in: file, "convert to base64"))
    }
    return finding(
      "`\(use.text)` is not a signature hash",
      help: "use the hash that the portal shows, or set `broker_redirect_uri_registered` to `false`",
      at: use.place)
  }

  private func standard(_ text: String) -> String {
    String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
  }
}
