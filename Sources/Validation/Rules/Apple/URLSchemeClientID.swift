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
        ?? check(entry, besides: plist)
    }
  }

  private func check(_ entry: InfoPlist.Entry, besides plist: InfoPlist) -> Diagnostic? {
    if case .bundle(let bundleID) = SignInScheme(entry.text), GUIDText.isWellFormed(bundleID) {
      return finding(
        "msauth. is followed by the bundle id, and this is a client id",
        help: "write msauth.$(PRODUCT_BUNDLE_IDENTIFIER), or msal\(bundleID) for a redirect without a broker",
        at: entry.node.place)
    }
    guard case .client(let client) = SignInScheme(entry.text), !GUIDText.isWellFormed(client),
      !Definitions.holdsReference(entry.text), TemplatePlaceholder.find(in: entry.text) == nil,
      SignInScheme.isWellFormed(entry.text)
    else { return nil }
    let meant = Self.hyphenated(client).map { "msal\($0)" }
    let there = meant.flatMap { meant in plist.schemes.first { $0.text.lowercased() == meant.lowercased() } }
    return finding(
      "the client id \(client) is no GUID: \(Self.reason(client))",
      severity: there == nil ? .error : .warning,
      help: there == nil
        ? "write msal and the client id as the portal shows it" : "remove it: \(meant ?? "") is registered already",
      at: entry.node.place, related: there.map { [.init("it is here", at: $0.node.place)] } ?? [],
      fix: fix(entry, meant, isThere: there != nil))
  }

  private func fix(_ entry: InfoPlist.Entry, _ meant: String?, isThere: Bool) -> Diagnostic.Fix? {
    guard let meant else { return nil }
    let edits =
      isThere
      ? entry.removal : TextEdits.replaceValue(entry.node, with: meant)
    return edits.map {
      .init(description: isThere ? "remove it" : "put the hyphens where they belong", edits: $0)
    }
  }

  /// The bundle ID behind `msal`, with or without a dot between, as it is written.
  private static func bundleIDAfterMSAL(_ entry: InfoPlist.Entry, _ plist: InfoPlist) -> Substring? {
    guard let text = entry.node.string, text.lowercased().hasPrefix("msal") else { return nil }
    let rest = text.dropFirst("msal".count)
    let bundleID = rest.hasPrefix(".") ? rest.dropFirst() : rest
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
      "`msal` comes before a client ID, and this is a bundle ID"
        + (isAlone ? ": MSAL finds no scheme for its redirect URI and does not start (-42001)" : ""),
      severity: isAlone ? .error : .warning, help: hasAnother ? "remove it" : "write \(meant)", at: entry.node.place,
      fix: hasAnother
        ? nil
        : TextEdits.replaceValue(entry.node, with: meant).map { .init(description: "write \(meant)", edits: $0) })
  }

  /// The GUID that 32 digits are, whatever hyphens stand among them.
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
        return "its \(names[index]) group has \(group.count) digits, not \(lengths[index])"
      }
      if let wrong = client.first(where: { !$0.isHexDigit && $0 != "-" }) { return "\"\(wrong)\" is no digit of one" }
    }
    return "its groups have 8, 4, 4, 4 and 12 digits, with hyphens between"
  }
}
