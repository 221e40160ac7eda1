import AppRegistration
import Diagnostics
import Documents

struct URLTypesMisspelled: Rule {
  let id = "url-types-misspelled"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.error, .note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist, let root = file.node else { return [] }
    let misspelled = MisspelledURLKeys(root).found
    guard !misspelled.isEmpty else { return [] }
    let demand = project.app(of: file).brokerDemand(of: file)
    return misspelled.map { found in
      finding(
        "\(found.key.string ?? "this") is no key of Apple's: \(found.meant) is meant",
        severity: severity(of: found, plist, demand), help: "write \(found.meant)", at: found.key.place,
        fix: TextEdits.replaceKey(found.key, with: found.meant).map {
          .init(description: "write \(found.meant)", edits: $0)
        })
    }
  }

  /// MSAL refuses to start where it may not ask about a broker; other apps' schemes are no concern of this house.
  private func severity(
    of found: MisspelledURLKeys.Found, _ plist: InfoPlist, _ demand: BrokerRequirement?
  ) -> Diagnostic.Severity {
    if found.meant == "LSApplicationQueriesSchemes", case .certain = demand { return .error }
    let isSignIn = found.schemes.contains { text in
      if case .client = SignInScheme(text) { return true }
      return text.lowercased().hasPrefix("msauth")
    }
    return isSignIn || plist.signsInWithMSAL ? .warning : .note
  }
}
