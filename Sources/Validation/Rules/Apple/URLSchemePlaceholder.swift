import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct URLSchemePlaceholder: Rule {
  let id = "url-scheme-placeholder"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist, plist.signsInWithMSAL else { return [] }
    // A Mac opens the page's answer without the scheme being registered.
    let isForMac = project.app(of: file).isForMacOnly(file)
    return plist.schemes.compactMap(check).map { found in
      var found = found
      if isForMac, found.severity == .error { found.severity = .warning }
      return found
    }
  }

  private func check(_ entry: InfoPlist.Entry) -> Diagnostic? {
    if let reference = SignInScheme.meantReference(in: entry.text) {
      return finding(
        "Xcode fills in $(PRODUCT_BUNDLE_IDENTIFIER), and not what stands here",
        help: "write \(reference)", at: entry.node.place,
        fix: TextEdits.replaceValue(entry.node, with: reference).map {
          .init(description: "make it a reference to the bundle id", edits: $0)
        })
    }
    if TemplatePlaceholder.find(in: entry.text) != nil {
      return finding(
        "the scheme \(entry.text) is still a placeholder",
        help: entry.text.lowercased().hasPrefix("msal")
          ? "write msal and the client id of the app registration"
          : "write msauth. and the app's bundle id: msauth.$(PRODUCT_BUNDLE_IDENTIFIER) in Xcode",
        at: entry.node.place)
    }
    guard case .client(let client) = SignInScheme(entry.text) else { return nil }
    let isZero = client == GUIDText.zero
    guard isZero || TemplatePlaceholder.isDummyGUID(String(client)) else { return nil }
    return finding(
      isZero ? "the all-zero GUID is no app's client id" : "the client id \(client) looks made up",
      severity: isZero ? .error : .warning,
      help: "write msal and the client id of the app registration", at: entry.node.place)
  }
}
