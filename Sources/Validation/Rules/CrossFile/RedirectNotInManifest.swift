import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct RedirectNotInManifest: Rule {
  let id = "redirect-not-in-manifest"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    guard let kind = Self.kind(of: file.kind) else { return [] }
    // A web page or a server may have such settings too.
    let mayBeAny = file.isOfAnotherPlatform
    return file.loadedSettings.compactMap { loaded in
      guard let sent = redirect(of: loaded, in: project.app(of: file)),
        let (_, manifest) = project.registration(of: loaded, in: file), let list = manifest.redirectList
      else { return nil }
      return judge(sent, kind, mayBeAny: mayBeAny, manifest, list)
    }
  }

  private func judge(
    _ sent: Positioned<String>, _ kind: AppManifest.RedirectKind, mayBeAny: Bool, _ manifest: AppManifest,
    _ list: FileSpan
  ) -> Diagnostic? {
    let matches = manifest.redirects.filter { RedirectMatch.matches(sent.value, registered: $0.uri.value) }
    if matches.contains(where: { $0.kind == kind || $0.kind == nil || mayBeAny }) { return nil }
    if let other = matches.first, let otherKind = other.kind {
      return finding(
        "\(sent.value) is registered as \(otherKind.rawValue), and this app needs \(kind.rawValue)",
        help: "register it under the platform \(kind.words)", at: sent.place,
        related: [.init("it is registered here", at: other.writtenKind?.place ?? other.uri.place)])
    }
    let near = manifest.redirects.first { $0.uri.value.lowercased() == sent.value.lowercased() }
    return finding(
      near == nil
        ? "\(sent.value) is not among the redirect URIs that are registered"
        : "\(sent.value) is registered with other letter case",
      help: "register it as \(kind.rawValue): the service stops at AADSTS50011", at: sent.place,
      related: [.init("what is registered stands here", at: near?.uri.place ?? list)])
  }

  private static func kind(of file: AppRegistrationKind) -> AppManifest.RedirectKind? {
    switch file {
    case .authSettings, .androidConfig, .workflow: .installedClient
    case .msalJS: .spa
    default: nil
    }
  }

  /// The URI that the app sends, as far as it is known: the one that it names, or the one that MSAL makes of its bundle id.
  private func redirect(of loaded: LoadedSettings, in app: App) -> Positioned<String>? {
    if let uri = loaded.settings.redirectURI {
      // A page may name its own address by its path alone.
      guard !AppManifest.isToBeFilledIn(uri.value), URLParts(uri.value)?.scheme != nil else { return nil }
      return uri
    }
    if let scheme = loaded.settings.redirectScheme {
      guard !AppManifest.isToBeFilledIn(scheme.value), let uri = loaded.resolved?.redirectURI else { return nil }
      return Positioned(uri, at: scheme.place)
    }
    guard let resolved = loaded.resolved, let uri = resolved.redirectURI,
      let place = resolved.origin(of: "BundleId")?.place ?? loaded.settings.bundleID?.place
    else { return nil }
    // A finding stands in the file that is checked, which need not be the one with the bundle id.
    let own = loaded.settings.appID?.place ?? place
    return Positioned(uri, at: place.source.name == own.source.name ? place : own)
  }
}
