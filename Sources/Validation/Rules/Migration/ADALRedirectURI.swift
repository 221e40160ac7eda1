import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ADALRedirectURI: Rule {
  let id = "adal-redirect-uri"
  let severity = Diagnostic.Severity.note

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard file.kind == .authSettings else { return [] }
    return file.loadedSettings.compactMap { loaded in
      guard let uri = loaded.settings.redirectURI, let resolved = loaded.resolved,
        resolved.redirect.isBrokerCapable, let scheme = URLParts(uri.value)?.scheme, !scheme.hasPrefix("msauth")
      else { return nil }
      let own = RedirectURI.brokerCapable(bundleID: resolved.bundleID)
      let isMendable = !ADALKeys.isHeldBack(file) && Self.isWelcome(own, loaded, file, in: project)
      let edits = file.node(at: uri.place).flatMap {
        isMendable && $0.string == uri.value ? TextEdits.replaceValue($0, with: own) : nil
      }
      return finding(
        "this is ADAL's form of a redirect URI", help: "register \(own), and write it here", at: uri.place,
        fix: edits.map { Diagnostic.Fix(description: "write \(own), which has to be registered too", edits: $0) })
    }
  }

  /// Whether nothing at hand says that the new URI would not come back to the app: the Info.plist, where there is one, has its
  /// scheme, and the registration the URI itself. The old one works, after all.
  private static func isWelcome(
    _ uri: String, _ loaded: LoadedSettings, _ file: ValidatedFile, in project: Project
  ) -> Bool {
    let app = project.app(of: file)
    let schemes = [String(uri.prefix { $0 != ":" }), "msauth.$(PRODUCT_BUNDLE_IDENTIFIER)"].map { $0.lowercased() }
    let own = loaded.infoPlist?.urlSchemes ?? []
    let isTaken =
      schemes.contains(where: app.summary.urlSchemes.contains)
      || own.contains { schemes.contains($0.value.lowercased()) }
    guard app.infoPlists.isEmpty && loaded.infoPlist == nil || isTaken else { return false }
    guard let (_, manifest) = project.registration(of: loaded, in: file) else { return true }
    return manifest.redirects.contains { $0.uri.value == uri }
  }
}
