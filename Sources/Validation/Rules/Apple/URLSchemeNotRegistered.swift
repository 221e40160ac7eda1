import AppRegistration
import Diagnostics
import Documents

struct URLSchemeNotRegistered: Rule {
  let id = "url-scheme-not-registered"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning, .note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let app = project.app(of: file)
    guard let plist = file.infoPlist, !plist.isAppExtension, file.isWhole, let root = file.node,
      !app.isForMacOnly(file)
    else { return [] }
    // What stands beneath a key that is misspelled may be the very one; another rule tells of that.
    let misspelled = MisspelledURLKeys(root)
    guard !misspelled.holds("CFBundleURLTypes"), !misspelled.holds("CFBundleURLSchemes") else { return [] }
    let known = app.bundleIDs(of: file).map(\.value)
    let redirects = plist.intune.filter { $0.key == "ADALRedirectUri" || $0.key == "ADALRedirectScheme" }
    let found = redirects.compactMap { check(redirect: $0.entry, plist, known) }
    if !found.isEmpty { return found }
    return checkBroker(plist, known, in: file)
  }

  private func check(redirect: InfoPlist.Entry, _ plist: InfoPlist, _ known: [String]) -> Diagnostic? {
    let text = redirect.text
    guard !Definitions.holdsReference(text), TemplatePlaceholder.find(in: text) == nil else { return nil }
    let scheme = String(text.prefix { $0 != ":" })
    guard SignInScheme.isWellFormed(scheme), !["http", "https", "urn"].contains(scheme.lowercased()) else { return nil }
    let registered = plist.schemes.flatMap { Self.filled($0.text, with: known) }
    // What is still a reference may be the very one.
    guard !registered.contains(scheme), !registered.contains(where: Definitions.holdsReference) else { return nil }
    let bare = plist.schemes.first { "msauth.\($0.text)" == scheme }
    let list = (bare ?? plist.schemes.last)?.container
    return finding(
      "the scheme \(scheme) is not registered in CFBundleURLTypes",
      help: "add \(scheme) to CFBundleURLSchemes", at: redirect.node.place,
      related: bare.map { [.init("without msauth. it is another scheme", at: $0.node.place)] } ?? [],
      fix: list.flatMap { TextEdits.appendElement(scheme, to: $0) }.map {
        .init(description: "register the scheme", edits: $0)
      })
  }

  private func checkBroker(_ plist: InfoPlist, _ known: [String], in file: ValidatedFile) -> [Diagnostic] {
    let brokers = ["msauthv2", "msauthv3"]
    guard let asked = plist.queries.first(where: { brokers.contains($0.text) }) else { return [] }
    let own = plist.schemes.contains { entry in
      let lower = entry.text.lowercased()
      return Definitions.holdsReference(entry.text) || lower.hasPrefix("msal") || lower.hasPrefix("x-msauth")
        || SignInScheme(entry.text).ownBundleID != nil
    }
    guard !own else { return [] }
    let bundleID = known.first ?? "<bundle id>"
    // ADAL's form, <any scheme>://<bundle id>, would do with any other; only the bare bundle id tells what was meant.
    let bare = plist.schemes.first { entry in known.contains(entry.text) }
    let others = plist.schemes.filter { !$0.text.isEmpty && $0.text != "msauth.com.microsoft.intunemam" }
    return [
      finding(
        "the broker is asked for, and no scheme msauth.\(bundleID) is registered for its answer",
        severity: others.isEmpty ? .error : bare != nil ? .warning : .note,
        help: "add msauth.\(known.first ?? "$(PRODUCT_BUNDLE_IDENTIFIER)") to CFBundleURLTypes › CFBundleURLSchemes",
        at: (bare ?? asked).node.place, fix: fix(file, plist, written: known.count == 1 ? known.first : nil))
    ]
  }

  /// The whole of CFBundleURLTypes, where the file has none and says what its bundle id is.
  private func fix(_ file: ValidatedFile, _ plist: InfoPlist, written: String?) -> Diagnostic.Fix? {
    guard let root = file.node, root["CFBundleURLTypes"] == nil else { return nil }
    guard let bundleID = root["CFBundleIdentifier"]?.string ?? written, !bundleID.isEmpty else { return nil }
    let types: JSON = [["CFBundleURLSchemes": [.string("msauth.\(bundleID)")]]]
    return TextEdits.insertEntry("CFBundleURLTypes", types, into: root, after: "CFBundleIdentifier").map {
      .init(description: "register the scheme", edits: $0)
    }
  }

  /// A scheme with each of the bundle ids that are known, where it asks for one.
  private static func filled(_ scheme: String, with known: [String]) -> [String] {
    let reference = /\$[({]PRODUCT_BUNDLE_IDENTIFIER[)}]/
    guard scheme.contains(reference), !known.isEmpty else { return [scheme] }
    return known.map { scheme.replacing(reference, with: $0) }
  }
}
