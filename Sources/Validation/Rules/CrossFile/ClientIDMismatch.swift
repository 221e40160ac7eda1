import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ClientIDMismatch: Rule {
  let id = "client-id-mismatch"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let app = project.app(of: file)
    return againstManifest(file, app, project) + againstSettings(file, app)
      + file.appManifests.flatMap { againstItself($0, in: file) }
  }

  /// The registration's own redirect URI of the older kind.
  private func againstItself(_ manifest: AppManifest, in file: ValidatedFile) -> [Diagnostic] {
    guard let own = manifest.clientID else { return [] }
    let named = manifest.writtenRedirects.map(\.uri).compactMap { uri -> (uri: Positioned<String>, id: Substring)? in
      guard uri.value.hasPrefix("msal"), uri.value.hasSuffix("://auth") else { return nil }
      let id = uri.value.dropFirst("msal".count).dropLast("://auth".count)
      return GUIDText.isWellFormed(id) ? (uri, id) : nil
    }
    guard !named.contains(where: { $0.id.lowercased() == own.value.lowercased() }) else { return [] }
    return named.map { uri, id in
      let right = "msal\(own.value)://auth"
      return finding(
        "this redirect URI is made of another client id, \(id)", help: "write \(right)", at: uri.place,
        related: [.init("the registration's own is here", at: own.place)],
        fix: .replacing(uri, in: file, with: right, "write \(right)"))
    }
  }

  private func againstManifest(_ file: ValidatedFile, _ app: App, _ project: Project) -> [Diagnostic] {
    guard [.authSettings, .androidConfig, .msalJS].contains(file.kind), app.clientIDs.count == 1,
      let manifest = registration(besides: file, app, project), manifest.isClient,
      manifest.dialect != .appCreationScripts, let registered = manifest.clientID
    else { return [] }
    return file.loadedSettings.compactMap { loaded in
      guard let own = loaded.clientID, own.value.lowercased() != registered.value.lowercased(),
        // It may be another's manifest, when the settings' own stands elsewhere.
        project.registration(of: loaded, in: file) == nil
      else { return nil }
      return finding(
        "the client id is \(own.value), and the registration's is \(registered.value)",
        help: "write the one that is the app's in both files", at: own.place,
        related: [.init("the registration's is here", at: registered.place)])
    }
  }

  /// The only registration of the app; or, where that has none, the only one above the only settings of the whole project, if it
  /// is for the same kind of app.
  private func registration(besides file: ValidatedFile, _ app: App, _ project: Project) -> AppManifest? {
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

  /// The scheme of MSAL's older redirect URI holds the client id.
  private func againstSettings(_ file: ValidatedFile, _ app: App) -> [Diagnostic] {
    guard let plist = file.infoPlist else { return [] }
    let schemes = plist.urlSchemes.filter { scheme in
      scheme.value.lowercased().hasPrefix("msal") && GUIDText.isWellFormed(scheme.value.dropFirst("msal".count))
    }
    guard !schemes.isEmpty else { return [] }
    // Apps that name their client id in code alone have a registration all the same.
    let isInCode = app.settings.isEmpty && app.manifests.count == 1
    let registered = app.manifests.first?.manifest
    let isClients = registered.map { $0.isClient && $0.dialect != .appCreationScripts } ?? false
    let named = isInCode ? (isClients ? registered?.clientID : nil) : app.summary.onlySettingsClientID
    let whose = isInCode ? "registration" : "settings"
    guard let own = named else { return [] }
    guard !schemes.contains(where: { $0.value.dropFirst(4).lowercased() == own.value.lowercased() }) else { return [] }
    return schemes.map { scheme in
      finding(
        "the scheme is made of another client id than the \(whose)'s, \(own.value)", help: "write msal\(own.value)",
        at: scheme.place, related: [.init("the \(whose)'s client id is here", at: own.place)],
        fix: .replacing(scheme, in: file, with: "msal\(own.value)", "write msal\(own.value)"))
    }
  }
}
