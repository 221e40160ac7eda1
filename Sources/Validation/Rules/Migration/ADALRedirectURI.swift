import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct ADALRedirectURI: Rule {
  let id = "adal-redirect-uri"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.kind == .authSettings else { return [] }
    return file.loadedSettings.compactMap { loaded in
      guard let uri = loaded.settings.redirectURI, let resolved = loaded.resolved,
        resolved.redirect.isBrokerCapable, let scheme = URLReference(valid: uri.value)?.scheme,
        !scheme.hasPrefix("msauth")
      else { return nil }
      let own = RedirectURI.brokerCapable(bundleID: resolved.bundleID)
      let isFixable = !ADALKeys.needsManualMigration(file) && Self.isRegistered(own, loaded, file, in: project)
      let edits = file.node(at: uri.place).flatMap {
        isFixable && $0.string == uri.value ? TextEdits.replaceValue($0, with: own) : nil
      }
      return finding(
        "redirect URI in ADAL's format", help: "register `\(own)`, and use it here", at: uri.place,
        fix: edits.map { Diagnostic.Fix(description: "replace with `\(own)`, which must be registered", edits: $0) })
    }
  }

  /// Returns whether the new URI can work. If the project contains an Info.plist, it must register the scheme. If the
  /// project contains an app manifest, it must list the URI. Otherwise, the fix could replace a working redirect URI
  /// with one that fails.
  private static func isRegistered(
    _ uri: String, _ loaded: LoadedSettings, _ file: ValidatedFile, in project: Project
  ) -> Bool {
    let app = project.app(of: file)
    let schemes = [String(uri.prefix { $0 != ":" }), "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)"].map { $0.lowercased() }
    let own = loaded.infoPlist?.urlSchemes ?? []
    let hasScheme =
      schemes.contains(where: app.summary.urlSchemes.contains)
      || own.contains { schemes.contains($0.value.lowercased()) }
    guard app.infoPlists.isEmpty && loaded.infoPlist == nil || hasScheme else { return false }
    guard let (_, manifest) = project.registration(of: loaded, in: file) else { return true }
    return manifest.redirects.contains { $0.uri.value == uri }
  }
}
