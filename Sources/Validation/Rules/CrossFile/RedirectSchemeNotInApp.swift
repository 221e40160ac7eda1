import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct RedirectSchemeNotInApp: Rule {
  let id = "redirect-scheme-not-in-app"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  private static let infoPlist = #"""
    <plist version="1.0">
    <dict>
      <key>CFBundleIdentifier</key>
      <string>com.contoso.mail</string>
      <key>CFBundleURLTypes</key>
      <array>
        <dict>
          <key>CFBundleURLSchemes</key>
          <array>
            <string>msauth.com.contoso.mail</string>
          </array>
        </dict>
      </array>
      <key>LSApplicationQueriesSchemes</key>
      <array>
        <string>msauthv2</string>
        <string>msauthv3</string>
      </array>
      <key>LSRequiresIPhoneOS</key>
      <true/>
    </dict>
    </plist>
    """#

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.kind == .authSettings, !file.isExample, !file.isOfAnotherLibrary, !file.isOfAnotherPlatform,
      file.loadedSettings.count == 1, let loaded = file.loadedSettings.first, isOpen(loaded)
    else { return [] }
    let app = project.app(of: file)
    guard app.files(.authSettings).count == 1, let (other, plist) = onlyInfoPlist(of: app), let root = other.node else {
      return []
    }
    // What stands beneath a key that is misspelled may be the very one; another rule tells of that.
    let misspelled = MisspelledURLKeys(root)
    guard !misspelled.holds("CFBundleURLTypes"), !misspelled.holds("CFBundleURLSchemes") else { return [] }
    let known = app.bundleIDs(of: other).map(\.value)
    let registered = plist.schemes.flatMap { Self.filled($0.text, with: known) }
    guard !registered.contains(where: { Definitions.holdsReference($0) || TemplatePlaceholder.find(in: $0) != nil })
    else {
      return []
    }
    let place = root["CFBundleURLTypes"]?.place ?? root.place
    let severity: Diagnostic.Severity = isForIOS(other, app) ? .error : .warning
    if let sent = loaded.settings.redirectURI ?? loaded.settings.redirectScheme {
      guard let scheme = Self.scheme(of: sent.value), !registered.contains(scheme),
        !isToldOtherwise(sent, scheme, plist, known), isInRegistration(sent, loaded, file, project)
      else { return [] }
      return [
        finding(
          "the Info.plist does not register the scheme \(scheme)", severity: severity,
          help: known.count == 1 && !registered.isEmpty
            ? "write the redirect URI of the app, whose bundle id is \(known[0]), or register the scheme"
            : "add \(scheme) to CFBundleURLTypes › CFBundleURLSchemes",
          at: sent.place, related: [.init("the schemes of the app are here", at: place)])
      ]
    }
    // Where the broker is asked for, the Info.plist's own rule speaks.
    guard let own = loaded.clientID, registered.isEmpty, root["CFBundleURLTypes"] == nil, plist.queries.isEmpty,
      isForIOS(other, app)
    else { return [] }
    let bundleID = known.count == 1 ? known[0] : "<bundle id>"
    return [
      finding(
        "the Info.plist registers no URL scheme, and MSAL's own redirect URI needs one", severity: .warning,
        help: "add msauth.\(bundleID) to CFBundleURLTypes › CFBundleURLSchemes", at: own.place,
        related: [.init("the Info.plist is here", at: root.place)])
    ]
  }

  /// Whether the settings leave it to the app which Info.plist it has, and MSAL looks into it.
  private func isOpen(_ loaded: LoadedSettings) -> Bool {
    loaded.infoPlist == nil && loaded.settings.infoPlist == nil && loaded.settings.platform?.value != .macOS
      && loaded.settings.bypassRedirectURIValidation?.value != true
  }

  /// The app's Info.plist, where there is but one, and every target that is an app is built with it.
  private func onlyInfoPlist(of app: App) -> (file: ValidatedFile, plist: InfoPlist)? {
    guard let (file, plist) = app.summary.onlyInfoPlist, file.isWhole, !file.isExample, !app.isForMacOnly(file) else {
      return nil
    }
    return (file, plist)
  }

  private func isForIOS(_ file: ValidatedFile, _ app: App) -> Bool {
    file.infoPlist?.platform == .iOS
      || app.configurations(buildingWith: file).contains { $0.platforms?.contains(.iOS) == true }
  }

  /// Whether the Info.plist's own rules tell of the same mistake: its scheme is made of another bundle id than its own.
  private func isToldOtherwise(_ sent: Positioned<String>, _ scheme: String, _ plist: InfoPlist, _ known: [String])
    -> Bool
  {
    known.contains { scheme == "msauth.\($0)" }
      && (!plist.ownSchemes.isEmpty || plist.queries.contains { $0.text.hasPrefix("msauthv") })
  }

  /// Whether nothing, or the same, is said of it in a registration: what is not registered is told where they are compared.
  private func isInRegistration(
    _ sent: Positioned<String>, _ loaded: LoadedSettings, _ file: ValidatedFile, _ project: Project
  ) -> Bool {
    guard let manifest = project.registration(of: loaded, in: file)?.manifest, manifest.redirectList != nil else {
      return true
    }
    return manifest.redirects.contains { RedirectMatch.matches(sent.value, registered: $0.uri.value) }
  }

  /// The scheme of a redirect URI that only MSAL has: other libraries need not register theirs.
  private static func scheme(of uri: String) -> String? {
    guard !AppManifest.isToBeFilledIn(uri) else { return nil }
    let scheme = String(uri.prefix { $0 != ":" })
    switch SignInScheme(scheme) {
    case .bundle where SignInScheme.isWellFormed(scheme): return scheme
    case .client(let id) where GUIDText.isWellFormed(id): return scheme
    default: return nil
    }
  }

  /// A scheme with each of the bundle ids that are known, where it asks for one.
  private static func filled(_ scheme: String, with known: [String]) -> [String] {
    let reference = /\$[({]PRODUCT_BUNDLE_IDENTIFIER[)}]/
    guard scheme.contains(reference), !known.isEmpty else { return [scheme] }
    return known.map { scheme.replacing(reference, with: $0) }
  }
}
