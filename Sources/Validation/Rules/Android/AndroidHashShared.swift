import AppRegistration
import Diagnostics
import Documents

struct AndroidHashShared: Rule {
  let id = "android-hash-shared"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.signatureHashes.compactMap { use in
      guard let owner = SignatureHash.publicKey(use.text) else { return nil }
      return finding(
        "signature hash of \(owner), which is public",
        help: "also register a redirect URI with the release key's hash, and use it in a separate file for releases",
        at: use.place)
    }
  }
}
