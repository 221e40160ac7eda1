import AppRegistration
import Diagnostics
import Documents

struct URLSchemeNotRegistered: Rule {
  let id = "url-scheme-not-registered"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning, .note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let app = project.app(of: file)
    guard let plist = file.infoPlist, !plist.isAppExtension, file.isComplete, let root = file.node,
      !app.isForMacOnly(file)
    else { return [] }
    // The scheme can be under a misspelled key, which `URLTypesMisspelled` reports.
    let misspelled = MisspelledURLKeys(root)
    guard !misspelled.contains("CFBundleURLTypes"), !misspelled.contains("CFBundleURLSchemes") else { return [] }
    let known = app.bundleIDs(of: file).map(\.value)
    let redirects = plist.intune.filter { $0.key == "ADALRedirectUri" || $0.key == "ADALRedirectScheme" }
    let findings = redirects.compactMap { check(redirect: $0.entry, plist, known) }
    if !findings.isEmpty { return findings }
    return checkBroker(plist, known, in: file)
  }

  private func check(redirect: InfoPlist.Entry, _ plist: InfoPlist, _ known: [String]) -> Diagnostic? {
    let text = redirect.text
    guard !Definitions.containsReference(text), TemplatePlaceholder.find(in: text) == nil else { return nil }
    let scheme = String(text.prefix { $0 != ":" })
    guard SignInScheme.isWellFormed(scheme), !["http", "https", "urn"].contains(scheme.lowercased()) else { return nil }
    let registered = plist.schemes.flatMap { SignInScheme.expanded($0.text, bundleIDs: known) }
    // A reference without a known value can expand to the scheme.
    guard !registered.contains(scheme), !registered.contains(where: Definitions.containsReference) else { return nil }
    let bare = plist.schemes.first { "msauth.\($0.text)" == scheme }
    let list = (bare ?? plist.schemes.last)?.container
    return finding(
      "scheme `\(scheme)` is not registered in `CFBundleURLTypes`",
      help: "add `\(scheme)` to `CFBundleURLSchemes`", at: redirect.node.place,
      related: bare.map { [.init("a scheme without the `msauth.` prefix is registered here", at: $0.node.place)] }
        ?? [],
      fix: list.flatMap { TextEdits.appendElement(scheme, to: $0) }.map {
        .init(description: "register the scheme", edits: $0)
      })
  }

  private func checkBroker(_ plist: InfoPlist, _ known: [String], in file: ValidatedFile) -> [Diagnostic] {
    let brokers = ["msauthv2", "msauthv3"]
    guard let query = plist.queries.first(where: { brokers.contains($0.text) }) else { return [] }
    let own = plist.schemes.contains { entry in
      let lower = entry.text.lowercased()
      return Definitions.containsReference(entry.text) || lower.hasPrefix("msal") || lower.hasPrefix("x-msauth")
        || SignInScheme(entry.text).ownBundleID != nil
    }
    guard !own else { return [] }
    let bundleID = known.first ?? "<bundle id>"
    // The ADAL format, `<scheme>://<bundle id>`, allows any scheme. Only a scheme that equals the bundle ID shows that
    // the prefix is missing.
    let bare = plist.schemes.first { entry in known.contains(entry.text) }
    let others = plist.schemes.filter { !$0.text.isEmpty && $0.text != "msauth.com.microsoft.intunemam" }
    return [
      finding(
        "broker is enabled, but `msauth.\(bundleID)` is not registered",
        severity: others.isEmpty ? .error : bare != nil ? .warning : .note,
        help:
          "add `msauth.\(known.first ?? "$(PRODUCT_BUNDLE_IDENTIFIER)")` to `CFBundleURLSchemes`",
        at: (bare ?? query).node.place, fix: fix(file, plist, fallback: known.count == 1 ? known.first : nil))
    ]
  }

  /// Returns a fix that adds `CFBundleURLTypes` if the file does not contain the key and the bundle ID is known.
  private func fix(_ file: ValidatedFile, _ plist: InfoPlist, fallback: String?) -> Diagnostic.Fix? {
    guard let root = file.node, root["CFBundleURLTypes"] == nil else { return nil }
    guard let bundleID = root["CFBundleIdentifier"]?.string ?? fallback, !bundleID.isEmpty else { return nil }
    let types: JSON = [["CFBundleURLSchemes": [.string("msauth.\(bundleID)")]]]
    return TextEdits.insertEntry("CFBundleURLTypes", types, into: root, after: "CFBundleIdentifier").map {
      .init(description: "register the scheme", edits: $0)
    }
  }
}
