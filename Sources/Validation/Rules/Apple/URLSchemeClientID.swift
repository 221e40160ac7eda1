import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct URLSchemeClientID: Rule {
  let id = "url-scheme-client-id"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let plist = file.infoPlist else { return [] }
    let needsScheme = !plist.isAppExtension && !project.app(of: file).isForMacOnly(file)
    return plist.schemes.compactMap { entry in
      Self.bundleIDAfterMSAL(entry, plist).map { bundleIDFinding($0, entry, plist, needsScheme: needsScheme) }
        ?? check(entry, in: plist)
    }
  }

  private func check(_ entry: InfoPlist.Entry, in plist: InfoPlist) -> Diagnostic? {
    if case .bundle(let bundleID) = SignInScheme(entry.text), GUIDText.isWellFormed(bundleID) {
      return finding(
        "client ID instead of the bundle ID after `msauth.`",
        help: "use `msauth.$(PRODUCT_BUNDLE_IDENTIFIER)`, or `msal\(bundleID)` for a redirect URI without a broker",
        at: entry.node.place)
    }
    guard case .client(let client) = SignInScheme(entry.text), !GUIDText.isWellFormed(client),
      !Definitions.containsReference(entry.text), TemplatePlaceholder.find(in: entry.text) == nil,
      SignInScheme.isWellFormed(entry.text)
    else { return nil }
    let meant = Self.hyphenated(client).map { "msal\($0)" }
    let registered = meant.flatMap { meant in plist.schemes.first { $0.text.lowercased() == meant.lowercased() } }
    return finding(
      "client ID `\(client)` is not a GUID: \(Self.reason(client))",
      severity: registered == nil ? .error : .warning,
      help: registered == nil
        ? "use `msal` followed by the client ID from the portal"
        : "remove it, because `\(meant ?? "")` is already registered",
      at: entry.node.place,
      related: registered.map { [.init("the correct scheme is registered here", at: $0.node.place)] } ?? [],
      fix: fix(entry, meant, isRegistered: registered != nil))
  }

  private func fix(_ entry: InfoPlist.Entry, _ meant: String?, isRegistered: Bool) -> Diagnostic.Fix? {
    guard let meant else { return nil }
    let edits =
      isRegistered
      ? entry.removal : TextEdits.replaceValue(entry.node, with: meant)
    return edits.map {
      .init(description: isRegistered ? "remove the malformed scheme" : "correct the hyphens", edits: $0)
    }
  }

  /// Returns the bundle ID that follows `msal` in a scheme, with or without a dot in between.
  private static func bundleIDAfterMSAL(_ entry: InfoPlist.Entry, _ plist: InfoPlist) -> Substring? {
    guard let text = entry.node.string, text.lowercased().hasPrefix("msal") else { return nil }
    let suffix = text.dropFirst("msal".count)
    let bundleID = suffix.hasPrefix(".") ? suffix.dropFirst() : suffix
    let own = plist.bundleID?.value ?? ""
    let isOwn = own.contains(".") && bundleID == own
    return isOwn || ["$(", "${"].contains { bundleID.hasPrefix($0 + "PRODUCT_BUNDLE_IDENTIFIER") } ? bundleID : nil
  }

  private func bundleIDFinding(
    _ bundleID: Substring, _ entry: InfoPlist.Entry, _ plist: InfoPlist, needsScheme: Bool
  ) -> Diagnostic {
    let others = plist.schemes.filter { $0.node.span != entry.node.span }
    let hasAnother = others.contains { other in
      if case .other = SignInScheme(other.text) { return false }
      return Self.bundleIDAfterMSAL(other, plist) == nil
    }
    let isAlone = needsScheme && !hasAnother
    let meant = "msauth.\(bundleID)"
    return finding(
      "bundle ID instead of the client ID after `msal`"
        + (isAlone ? ": MSAL does not find its scheme and does not start (-42001)" : ""),
      severity: isAlone ? .error : .warning, help: hasAnother ? "remove it" : "replace it with `\(meant)`",
      at: entry.node.place,
      fix: hasAnother
        ? nil
        : TextEdits.replaceValue(entry.node, with: meant).map {
          .init(description: "replace with `\(meant)`", edits: $0)
        })
  }

  /// Formats 32 hexadecimal digits as a GUID. Any hyphens in the text are ignored.
  private static func hyphenated(_ text: Substring) -> String? {
    let digits = Array(text.filter { $0 != "-" })
    guard digits.count == 32, digits.allSatisfy(\.isHexDigit) else { return nil }
    var guid = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { guid.append("-") }
      guid.append(digit)
    }
    return guid
  }

  private static func reason(_ client: Substring) -> String {
    let groups = client.split(separator: "-", omittingEmptySubsequences: false)
    let lengths = [8, 4, 4, 4, 12]
    if groups.count == lengths.count {
      let names = ["first", "second", "third", "fourth", "last"]
      for (index, group) in groups.enumerated() where group.count != lengths[index] {
        return "the \(names[index]) group has \(group.count) digits instead of \(lengths[index])"
      }
      if let character = client.first(where: { !$0.isHexDigit && $0 != "-" }) {
        return "`\(character)` is not a hexadecimal digit"
      }
    }
    return "expected groups of 8, 4, 4, 4, and 12 digits, separated by hyphens"
  }
}
