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
    }.map { judge($0, in: file) }
  }

  private func judge(_ use: SignatureHashUse, in file: ValidatedFile) -> Diagnostic {
    if SignatureHash.isUnpadded(use.text) {
      return finding(
        "the signature hash lacks its =, which a URI writes as %3D", help: "write %3D at its end", at: use.place,
        fix: use.replacing(with: PercentText.encodeBase64(use.text) + "%3D", in: file, "write %3D at the end"))
    }
    if use.text.hasSuffix("/"), SignatureHash.isWellFormed(use.text.dropLast()) {
      return finding(
        "a slash follows the signature hash, and MSAL compares the whole URI", help: "remove the slash", at: use.place,
        fix: use.replacing(with: PercentText.encodeBase64(use.text.dropLast()), in: file, "remove the slash"))
    }
    if use.text.contains(where: { $0 == "-" || $0 == "_" }), SignatureHash.isWellFormed(standard(use.text)) {
      return finding(
        "the signature hash is in the base64 of URLs, with - and _", help: "MSAL writes + and / there, as %2B and %2F",
        at: use.place,
        fix: use.replacing(with: PercentText.encodeBase64(standard(use.text)), in: file, "write + and / in it"))
    }
    return finding(
      "\"\(use.text)\" is no signature hash, and MSAL compares it with one",
      help: "write the hash that the portal shows for the package, or broker_redirect_uri_registered: false",
      at: use.place)
  }

  private func standard(_ text: String) -> String {
    String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
  }
}
