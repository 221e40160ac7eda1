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
    // On macOS, the response reaches the app even if the scheme is not registered.
    let isForMac = project.app(of: file).isForMacOnly(file)
    return plist.schemes.compactMap(check).map { finding in
      var finding = finding
      if isForMac, finding.severity == .error { finding.severity = .warning }
      return finding
    }
  }

  private func check(_ entry: InfoPlist.Entry) -> Diagnostic? {
    if let reference = SignInScheme.meantReference(in: entry.text) {
      return finding(
        "malformed reference to the bundle ID", help: "replace it with `\(reference)`", at: entry.node.place,
        fix: TextEdits.replaceValue(entry.node, with: reference).map {
          .init(description: "replace with `\(reference)`", edits: $0)
        })
    }
    if TemplatePlaceholder.find(in: entry.text) != nil {
      return finding(
        "scheme contains a placeholder: `\(entry.text)`",
        help: entry.text.lowercased().hasPrefix("msal")
          ? "use `msal` followed by the client ID of the app registration"
          : "use `msauth.` followed by the bundle ID, such as `msauth.$(PRODUCT_BUNDLE_IDENTIFIER)`",
        at: entry.node.place)
    }
    guard case .client(let client) = SignInScheme(entry.text) else { return nil }
    let isZero = client == GUIDText.zero
    guard isZero || TemplatePlaceholder.isDummyGUID(String(client)) else { return nil }
    return finding(
      isZero ? "client ID is the all-zero GUID" : "client ID `\(client)` looks like a sample value",
      severity: isZero ? .error : .warning,
      help: "use `msal` followed by the client ID of the app registration", at: entry.node.place)
  }
}
