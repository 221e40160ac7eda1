import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ClientIDMismatch: Rule {
  let id = "client-id-mismatch"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let app = project.app(of: file)
    return compareWithManifest(file, app, project) + compareScheme(file, app)
      + file.appManifests.flatMap { checkRedirects($0, in: file) }
  }

  /// Compares a manifest's client ID with its redirect URIs in the format `msal<client id>://auth`.
  private func checkRedirects(_ manifest: AppManifest, in file: ValidatedFile) -> [Diagnostic] {
    guard let own = manifest.clientID else { return [] }
    let named = manifest.writtenRedirects.map(\.uri).compactMap { uri -> (uri: Positioned<String>, id: Substring)? in
      guard uri.value.hasPrefix("msal"), uri.value.hasSuffix("://auth") else { return nil }
      let id = uri.value.dropFirst("msal".count).dropLast("://auth".count)
      return GUIDText.isWellFormed(id) ? (uri, id) : nil
    }
    guard !named.contains(where: { $0.id.lowercased() == own.value.lowercased() }) else { return [] }
    return named.map { uri, id in
      let corrected = "msal\(own.value)://auth"
      return finding(
        "redirect URI contains another client ID, `\(id)`", help: "replace it with `\(corrected)`", at: uri.place,
        related: [.init("the client ID of this registration is here", at: own.place)],
        fix: .replacing(uri, in: file, with: corrected, "replace with `\(corrected)`"))
    }
  }

  private func compareWithManifest(_ file: ValidatedFile, _ app: App, _ project: Project) -> [Diagnostic] {
    guard [.authSettings, .androidConfig, .msalJS].contains(file.kind), app.clientIDs.count == 1,
      let manifest = registration(for: file, app, project), manifest.isClient,
      manifest.dialect != .appCreationScripts, let registered = manifest.clientID
    else { return [] }
    return file.loadedSettings.compactMap { loaded in
      guard let own = loaded.clientID, own.value.lowercased() != registered.value.lowercased(),
        // If the settings match a registration elsewhere, the manifest may belong to another app.
        project.registration(of: loaded, in: file) == nil
      else { return nil }
      return finding(
        "client ID `\(own.value)` does not match `\(registered.value)` in the app manifest",
        help: "use the app's client ID in both files", at: own.place,
        related: [.init("the client ID in the app manifest is here", at: registered.place)])
    }
  }

  /// Returns the app's only registration. If the app has no registration, returns the project's only registration, if
  /// it is in a parent folder of the project's only settings and is for the same type of app.
  private func registration(for file: ValidatedFile, _ app: App, _ project: Project) -> AppManifest? {
    if app.manifests.count == 1 { return app.manifests.first?.manifest }
    guard app.manifests.isEmpty, let (home, manifest) = project.onlyRegistration, home.root == file.root,
      !home.isExample, !file.isExample
    else { return nil }
    let folder = FilePath.folder(of: home.name)
    guard folder.isEmpty || file.name.hasPrefix(folder + "/") else { return nil }
    let isPage = file.kind == .msalJS
    let fits = manifest.redirects.contains { $0.kind == (isPage ? .spa : .installedClient) }
    return fits || !isPage && manifest.isPublicClient?.value == true ? manifest : nil
  }

  /// Compares the client ID in the `msal<client id>` scheme with the settings or the app manifest.
  private func compareScheme(_ file: ValidatedFile, _ app: App) -> [Diagnostic] {
    guard let plist = file.infoPlist else { return [] }
    let schemes = plist.urlSchemes.filter { scheme in
      scheme.value.lowercased().hasPrefix("msal") && GUIDText.isWellFormed(scheme.value.dropFirst("msal".count))
    }
    guard !schemes.isEmpty else { return [] }
    // An app can contain its client ID only in code. The scheme can then be compared only with the manifest.
    let isInCode = app.settings.isEmpty && app.manifests.count == 1
    let registered = app.manifests.first?.manifest
    let isClients = registered.map { $0.isClient && $0.dialect != .appCreationScripts } ?? false
    let named = isInCode ? (isClients ? registered?.clientID : nil) : app.summary.onlySettingsClientID
    let source = isInCode ? "app manifest" : "settings"
    guard let own = named else { return [] }
    guard !schemes.contains(where: { $0.value.dropFirst(4).lowercased() == own.value.lowercased() }) else { return [] }
    return schemes.map { scheme in
      finding(
        "client ID in the scheme does not match `\(own.value)` in the \(source)",
        help: "replace it with `msal\(own.value)`", at: scheme.place,
        related: [.init("the client ID in the \(source) is here", at: own.place)],
        fix: .replacing(scheme, in: file, with: "msal\(own.value)", "replace with `msal\(own.value)`"))
    }
  }
}
