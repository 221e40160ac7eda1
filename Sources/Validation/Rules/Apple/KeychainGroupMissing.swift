import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct KeychainGroupMissing: Rule {
  let id = "keychain-group-missing"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.isWhole, let (key, list) = file.keychainList else { return [] }
    let groups = file.keychainGroups
    guard !groups.contains(where: \.isWildcard) else { return [] }
    let app = project.app(of: file)
    let use = app.targets.msalUse(of: file)
    // An empty list is as good as none, but for an app that is known to need one.
    guard use != .none, !groups.isEmpty || use == .certain,
      // Settings that name a group to MSAL are compared with the entitlements by another rule.
      !app.summary.settingsNameKeychainGroup
    else { return [] }
    let shared = groups.filter { ApplePlatform.allGroups.contains(String($0.name)) }
    if !shared.isEmpty { return checkPlatform(file, shared, app).map { [$0] } ?? [] }
    let wanted = Self.platform(of: file, app).defaultKeychainGroup
    let near = groups.first { $0.name.hasPrefix("com.microsoft.") && $0.name.lowercased().hasSuffix("cache") }
    let isDoubtful = use != .certain || Self.isDoubtful(file, groups, app)
    return [
      finding(
        "keychain-access-groups lacks \(wanted)\(near.map { ": \($0.name) is another group" } ?? "")",
        severity: isDoubtful ? .note : .warning,
        help: "add $(AppIdentifierPrefix)\(wanted), or name one of these groups to MSAL", at: key.place,
        fix: isDoubtful ? nil : Self.fix(adding: wanted, to: list, like: groups))
    ]
  }

  /// MSAL's group is there, and is the one of the other system.
  private func checkPlatform(_ file: ValidatedFile, _ shared: [KeychainGroup], _ app: App) -> Diagnostic? {
    guard let platform = app.onlyPlatform(ofEntitlements: file), let (key, list) = file.keychainList,
      Self.signsIn(file, app) || !app.settings.isEmpty,
      // Without the sandbox a Mac's keychain may be the old one, and these keys in an iPhone's file mean Mac Catalyst.
      file.hasMacEntitlements == (platform == .macOS)
    else { return nil }
    let wanted = platform.defaultKeychainGroup
    guard !shared.contains(where: { $0.name == wanted }), let other = shared.first else { return nil }
    return finding(
      "keychain-access-groups lacks \(wanted): \(other.name) is MSAL's group on \(platform == .iOS ? "macOS" : "iOS")",
      help: "add $(AppIdentifierPrefix)\(wanted)", at: key.place,
      related: [.init("the other system's group is here", at: other.node.place)],
      fix: Self.fix(adding: wanted, to: list, like: shared))
  }

  /// The system whose group is wanted. Mac Catalyst has a Mac's keys, and is iOS to MSAL.
  private static func platform(of file: ValidatedFile, _ app: App) -> ApplePlatform {
    if let built = app.targets.platforms(of: file) { return built == [.macOS] ? .macOS : .iOS }
    return app.onlyPlatform(ofEntitlements: file) ?? (file.hasMacEntitlements ? .macOS : .iOS)
  }

  private static func fix(adding wanted: String, to list: Node, like groups: [KeychainGroup]) -> Diagnostic.Fix? {
    let prefix = groups.lazy.compactMap(prefixText).first ?? "$(AppIdentifierPrefix)"
    return TextEdits.appendElement("\(prefix)\(wanted)", to: list).map {
      .init(description: "add MSAL's group", edits: $0)
    }
  }

  /// Whether the groups may well be all that the app needs: those without a prefix are none yet, and may be meant as one that the
  /// code names to MSAL; references may stand for MSAL's; and an app that shares files with its extensions shares its keychain
  /// with them too.
  private static func isDoubtful(_ file: ValidatedFile, _ groups: [KeychainGroup], _ app: App) -> Bool {
    if groups.contains(where: { $0.lacksPrefix || $0.mayBeAnyGroup }) { return true }
    if groups.contains(where: { $0.name.lowercased().hasPrefix("com.microsoft.") }) { return false }
    if signsIn(file, app) { return false }
    return file.node?.entries.contains { key, _ in
      key.string == "com.apple.security.application-groups" || key.string?.contains("icloud-container") == true
    } ?? false
  }

  private static func signsIn(_ file: ValidatedFile, _ app: App) -> Bool {
    app.targets.infoPlists(pairedWith: file).facts.signingIn > 0
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
