import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct KeychainGroupMissing: Rule {
  let id = "keychain-group-missing"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.isComplete, let (key, list) = file.keychainList else { return [] }
    let groups = file.keychainGroups
    guard !groups.contains(where: \.isWildcard) else { return [] }
    let app = project.app(of: file)
    let use = app.targets.msalUse(of: file)
    // An empty list is reported only if the app certainly needs a group.
    guard use != .none, !groups.isEmpty || use == .certain,
      // `KeychainGroupContradiction` compares a group in the settings with the entitlements.
      !app.summary.settingsNameKeychainGroup
    else { return [] }
    let shared = groups.filter { ApplePlatform.allGroups.contains(String($0.name)) }
    if !shared.isEmpty { return checkPlatform(file, shared, app).map { [$0] } ?? [] }
    let expected = Self.platform(of: file, app).defaultKeychainGroup
    let similar = groups.first { $0.name.hasPrefix("com.microsoft.") && $0.name.lowercased().hasSuffix("cache") }
    let isUncertain = use != .certain || Self.isUncertain(file, groups, app)
    return [
      finding(
        "keychain group `\(expected)` is missing\(similar.map { "; `\($0.name)` is a different group" } ?? "")",
        severity: isUncertain ? .note : .warning,
        help: "add `$(AppIdentifierPrefix)\(expected)`, or configure MSAL to use one of the listed groups",
        at: key.place,
        fix: isUncertain ? nil : Self.fix(adding: expected, to: list, like: groups))
    ]
  }

  /// Reports a list that contains MSAL's group only for the other platform.
  private func checkPlatform(_ file: ValidatedFile, _ shared: [KeychainGroup], _ app: App) -> Diagnostic? {
    guard let platform = app.onlyPlatform(ofEntitlements: file), let (key, list) = file.keychainList,
      Self.signsIn(file, app) || !app.settings.isEmpty,
      // A Mac app without a sandbox can use the legacy keychain. macOS keys in an iOS entitlements file indicate Mac
      // Catalyst.
      file.hasMacEntitlements == (platform == .macOS)
    else { return nil }
    let expected = platform.defaultKeychainGroup
    guard !shared.contains(where: { $0.name == expected }), let other = shared.first else { return nil }
    return finding(
      "`\(other.name)` is MSAL's keychain group on \(platform == .iOS ? "macOS" : "iOS"), not \(platform.rawValue)",
      help: "add `$(AppIdentifierPrefix)\(expected)`", at: key.place,
      related: [.init("the group for the other platform is here", at: other.node.place)],
      fix: Self.fix(adding: expected, to: list, like: shared))
  }

  /// Returns the platform whose keychain group MSAL uses. A Mac Catalyst app has macOS keys, but MSAL treats the app as
  /// an iOS app.
  private static func platform(of file: ValidatedFile, _ app: App) -> ApplePlatform {
    if let built = app.targets.platforms(of: file) { return built == [.macOS] ? .macOS : .iOS }
    return app.onlyPlatform(ofEntitlements: file) ?? (file.hasMacEntitlements ? .macOS : .iOS)
  }

  private static func fix(adding group: String, to list: Node, like groups: [KeychainGroup]) -> Diagnostic.Fix? {
    let prefix = groups.lazy.compactMap(prefixText).first ?? "$(AppIdentifierPrefix)"
    return TextEdits.appendElement("\(prefix)\(group)", to: list).map {
      .init(description: "add MSAL's keychain group", edits: $0)
    }
  }

  /// Returns whether the listed groups may be sufficient. The app's code may pass one of these groups to MSAL, or a
  /// reference may expand to MSAL's group. An app that shares files with its extensions may use the groups only to
  /// share its keychain with the extensions.
  private static func isUncertain(_ file: ValidatedFile, _ groups: [KeychainGroup], _ app: App) -> Bool {
    if groups.contains(where: { $0.lacksPrefix || $0.mayBeAnyGroup }) { return true }
    if groups.contains(where: { $0.name.lowercased().hasPrefix("com.microsoft.") }) { return false }
    if signsIn(file, app) { return false }
    return file.node?.entries.contains { key, _ in
      key.string == "com.apple.security.application-groups" || key.string?.contains("icloud-container") == true
    } ?? false
  }

  private static func signsIn(_ file: ValidatedFile, _ app: App) -> Bool {
    app.targets.infoPlists(pairedWith: file).summary.signingIn > 0
  }

  private static func prefixText(_ group: KeychainGroup) -> String? {
    switch group.prefix {
    case .reference(let name) where name.lowercased().hasSuffix("identifierprefix"):
      String(group.text.prefix(name.count + 3))
    case .team(let team): "\(team)."
    default: nil
    }
  }
}

extension ApplePlatform {
  fileprivate static let allGroups = Set(allCases.map(\.defaultKeychainGroup))
}
