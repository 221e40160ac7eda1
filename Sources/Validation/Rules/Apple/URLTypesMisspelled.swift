import AppRegistration
import Diagnostics
import Documents

struct URLTypesMisspelled: Rule {
  let id = "url-types-misspelled"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.error, .note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist, let root = file.node else { return [] }
    let misspelled = MisspelledURLKeys(root).misspellings
    guard !misspelled.isEmpty else { return [] }
    let requirement = project.app(of: file).brokerRequirement(of: file)
    return misspelled.map { misspelling in
      finding(
        "misspelled key `\(misspelling.key.string ?? "")`",
        severity: severity(of: misspelling, plist, requirement), help: "rename it to `\(misspelling.meant)`",
        at: misspelling.key.place,
        fix: TextEdits.replaceKey(misspelling.key, with: misspelling.meant).map {
          .init(description: "rename to `\(misspelling.meant)`", edits: $0)
        })
    }
  }

  /// Returns the severity for a misspelled key. MSAL does not start if it cannot query the broker schemes. In apps that
  /// do not use MSAL, a misspelled key results only in a note.
  private func severity(
    of misspelling: MisspelledURLKeys.Misspelling, _ plist: InfoPlist, _ requirement: BrokerRequirement?
  ) -> Diagnostic.Severity {
    if misspelling.meant == "LSApplicationQueriesSchemes", case .certain = requirement { return .error }
    let isSignIn = misspelling.schemes.contains { text in
      if case .client = SignInScheme(text) { return true }
      return text.lowercased().hasPrefix("msauth")
    }
    return isSignIn || plist.signsInWithMSAL ? .warning : .note
  }
}
