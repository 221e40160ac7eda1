import AppRegistration
import Diagnostics
import Documents

struct AndroidHashUnescaped: Rule {
  let id = "android-hash-unescaped"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.signatureHashes.filter(\.isUnescaped).map { use in
      let encoded = PercentText.encodeBase64(use.text)
      return finding(
        "signature hash is not percent-encoded", severity: use.severity, help: "replace it with `\(encoded)`",
        at: use.place,
        fix: use.replacing(with: encoded, in: file, "percent-encode the hash"))
    }
  }
}
