import AppRegistration
import Diagnostics
import Documents

struct AndroidHashDoublyEscaped: Rule {
  let id = "android-hash-doubly-escaped"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.signatureHashes.filter(\.isDoublyEscaped).map { use in
      let hash = PercentText.decode(use.text)
      let encoded = PercentText.encodeBase64(hash)
      let isCertain = SignatureHash.isWellFormed(hash)
      return finding(
        "signature hash is percent-encoded twice", severity: use.severity,
        help: isCertain ? "replace it with `\(encoded)`" : "encode the hash once: `%2F`, `%2B`, and `%3D`",
        at: use.place,
        fix: isCertain ? use.replacing(with: encoded, in: file, "percent-encode the hash once") : nil)
    }
  }
}
