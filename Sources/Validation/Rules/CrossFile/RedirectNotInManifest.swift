import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct RedirectNotInManifest: Rule {
  let id = "redirect-not-in-manifest"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let kind = Self.kind(of: file.kind) else { return [] }
    // The settings may belong to a web page or a server.
    let mayBeAny = file.isOfAnotherPlatform
    return file.loadedSettings.compactMap { loaded in
      guard let sent = redirect(of: loaded, in: project.app(of: file)),
        let (_, manifest) = project.registration(of: loaded, in: file), let list = manifest.redirectList
      else { return nil }
      return check(sent, kind, mayBeAny: mayBeAny, manifest, list)
    }
  }

  private func check(
    _ sent: Positioned<String>, _ kind: AppManifest.RedirectKind, mayBeAny: Bool, _ manifest: AppManifest,
    _ list: FileSpan
  ) -> Diagnostic? {
    let matches = manifest.redirects.filter { RedirectMatch.matches(sent.value, registered: $0.uri.value) }
    if matches.contains(where: { $0.kind == kind || $0.kind == nil || mayBeAny }) { return nil }
    if let other = matches.first, let otherKind = other.kind {
      return finding(
        "`\(sent.value)` is registered as \(otherKind.rawValue), but this app requires \(kind.rawValue)",
        help: "register it for the platform \(kind.portalName)", at: sent.place,
        related: [.init("the redirect URI is registered here", at: other.writtenKind?.place ?? other.uri.place)])
    }
    let similar = manifest.redirects.first { $0.uri.value.lowercased() == sent.value.lowercased() }
    return finding(
      similar == nil
        ? "redirect URI `\(sent.value)` is not registered"
        : "redirect URI `\(sent.value)` is registered with different letter case",
      help: "register it as \(kind.rawValue) to prevent AADSTS50011", at: sent.place,
      related: [.init("redirect URIs are registered here", at: similar?.uri.place ?? list)])
  }

  private static func kind(of file: AppRegistrationKind) -> AppManifest.RedirectKind? {
    switch file {
    case .authSettings, .androidConfig, .workflow: .installedClient
    case .msalJS: .spa
    default: nil
    }
  }

  /// Returns the redirect URI that the app sends, or nil if this URI is unknown. The app sends the configured URI or
  /// the URI that MSAL derives from the bundle ID.
  private func redirect(of loaded: LoadedSettings, in app: App) -> Positioned<String>? {
    if let uri = loaded.settings.redirectURI {
      // A web page's redirect URI can be a relative path.
      guard !AppManifest.isToBeFilledIn(uri.value), URLReference(valid: uri.value)?.scheme != nil else { return nil }
      return uri
    }
    if let scheme = loaded.settings.redirectScheme {
      guard !AppManifest.isToBeFilledIn(scheme.value), let uri = loaded.resolved?.redirectURI else { return nil }
      return Positioned(uri, at: scheme.place)
    }
    guard let resolved = loaded.resolved, let uri = resolved.redirectURI,
      let place = resolved.origin(of: "BundleId")?.place ?? loaded.settings.bundleID?.place
    else { return nil }
    // A finding must be in the checked file, but the bundle ID can be in another file.
    let own = loaded.settings.appID?.place ?? place
    return Positioned(uri, at: place.source.name == own.source.name ? place : own)
  }
}
