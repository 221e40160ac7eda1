import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct RedirectSchemeNotInApp: Rule {
  let id = "redirect-scheme-not-in-app"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.kind == .authSettings, !file.isExample, !file.isOfAnotherLibrary, !file.isOfAnotherPlatform,
      file.loadedSettings.count == 1, let loaded = file.loadedSettings.first, leavesInfoPlistOpen(loaded)
    else { return [] }
    let app = project.app(of: file)
    guard app.files(.authSettings).count == 1, let (other, plist) = onlyInfoPlist(of: app), let root = other.node else {
      return []
    }
    // The scheme can be under a misspelled key, which `URLTypesMisspelled` reports.
    let misspelled = MisspelledURLKeys(root)
    guard !misspelled.contains("CFBundleURLTypes"), !misspelled.contains("CFBundleURLSchemes") else { return [] }
    let known = app.bundleIDs(of: other).map(\.value)
    let registered = plist.schemes.flatMap { SignInScheme.expanded($0.text, bundleIDs: known) }
    guard !registered.contains(where: { Definitions.containsReference($0) || TemplatePlaceholder.find(in: $0) != nil })
    else {
      return []
    }
    let place = root["CFBundleURLTypes"]?.place ?? root.place
    let severity: Diagnostic.Severity = isForIOS(other, app) ? .error : .warning
    if let sent = loaded.settings.redirectURI ?? loaded.settings.redirectScheme {
      guard let scheme = Self.scheme(of: sent.value), !registered.contains(scheme),
        !isReportedForInfoPlist(sent, scheme, plist, known), isRegistered(sent, loaded, file, project)
      else { return [] }
      return [
        finding(
          "scheme `\(scheme)` is not registered in the Info.plist", severity: severity,
          help: known.count == 1 && !registered.isEmpty
            ? "use the redirect URI for the app's bundle ID, `\(known[0])`, or register the scheme"
            : "add `\(scheme)` to `CFBundleURLTypes` › `CFBundleURLSchemes`",
          at: sent.place, related: [.init("the app's schemes are registered here", at: place)])
      ]
    }
    // `URLSchemeNotRegistered` checks Info.plists that list broker schemes.
    guard let own = loaded.clientID, registered.isEmpty, root["CFBundleURLTypes"] == nil, plist.queries.isEmpty,
      isForIOS(other, app)
    else { return [] }
    let bundleID = known.count == 1 ? known[0] : "<bundle id>"
    return [
      finding(
        "no URL scheme in the Info.plist for MSAL's default redirect URI", severity: .warning,
        help: "add `msauth.\(bundleID)` to `CFBundleURLTypes` › `CFBundleURLSchemes`", at: own.place,
        related: [.init("the Info.plist is here", at: root.place)])
    ]
  }

  /// Returns whether MSAL checks the schemes in the app's Info.plist even though the settings do not refer to an
  /// Info.plist.
  private func leavesInfoPlistOpen(_ loaded: LoadedSettings) -> Bool {
    loaded.infoPlist == nil && loaded.settings.infoPlist == nil && loaded.settings.platform?.value != .macOS
      && loaded.settings.bypassRedirectURIValidation?.value != true
  }

  /// Returns the app's Info.plist if there is only one and every app target uses it.
  private func onlyInfoPlist(of app: App) -> (file: ValidatedFile, plist: InfoPlist)? {
    guard let (file, plist) = app.summary.onlyInfoPlist, file.isComplete, !file.isExample, !app.isForMacOnly(file)
    else {
      return nil
    }
    return (file, plist)
  }

  private func isForIOS(_ file: ValidatedFile, _ app: App) -> Bool {
    file.infoPlist?.platform == .iOS
      || app.configurations(buildingWith: file).contains { $0.platforms?.contains(.iOS) == true }
  }

  /// Returns whether an Info.plist rule already reports the problem. Such a rule reports a scheme in the Info.plist
  /// that contains a bundle ID other than the Info.plist's.
  private func isReportedForInfoPlist(
    _ sent: Positioned<String>, _ scheme: String, _ plist: InfoPlist, _ known: [String]
  )
    -> Bool
  {
    known.contains { scheme == "msauth.\($0)" }
      && (!plist.ownSchemes.isEmpty || plist.queries.contains { $0.text.hasPrefix("msauthv") })
  }

  /// Returns whether the URI is registered, or whether there is no list of registered URIs. The rule
  /// `RedirectNotInManifest` reports unregistered URIs.
  private func isRegistered(
    _ sent: Positioned<String>, _ loaded: LoadedSettings, _ file: ValidatedFile, _ project: Project
  ) -> Bool {
    guard let manifest = project.registration(of: loaded, in: file)?.manifest, manifest.redirectList != nil else {
      return true
    }
    return manifest.redirects.contains { RedirectMatch.matches(sent.value, registered: $0.uri.value) }
  }

  /// Returns the scheme if a redirect URI has one of MSAL's formats. Returns nil for the formats of other libraries,
  /// which do not require a registered scheme.
  private static func scheme(of uri: String) -> String? {
    guard !AppManifest.isToBeFilledIn(uri) else { return nil }
    let scheme = String(uri.prefix { $0 != ":" })
    switch SignInScheme(scheme) {
    case .bundle where SignInScheme.isWellFormed(scheme): return scheme
    case .client(let id) where GUIDText.isWellFormed(id): return scheme
    default: return nil
    }
  }
}
