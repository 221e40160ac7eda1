import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct CallbackNotInManifest: Rule {
  let id = "callback-not-in-manifest"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    // The sections and their settings are in the same order.
    guard file.azureAdSections.count == file.loadedSettings.count else { return [] }
    return zip(file.azureAdSections, file.loadedSettings).compactMap { section, loaded in
      guard let path = section.paths.first(where: { $0.key == "CallbackPath" })?.value, path.value.hasPrefix("/"),
        !AppManifest.isToBeFilledIn(path.value), let manifest = project.registration(of: loaded, in: file)?.manifest,
        let list = manifest.redirectList
      else { return nil }
      return check(path, manifest, list)
    }
  }

  private func check(_ path: Positioned<String>, _ manifest: AppManifest, _ list: FileSpan) -> Diagnostic? {
    // The web API template also contains a `CallbackPath`, but users do not sign in to an API.
    guard manifest.scopes.isEmpty, manifest.appRoles.isEmpty,
      manifest.redirects.contains(where: { $0.kind == .web || $0.kind == nil })
    else { return nil }
    // The app can run under a base path. ASP.NET Core ignores case when it compares route paths.
    let callback = path.value.lowercased()
    let matches = manifest.redirects.filter { redirect in
      let uri = redirect.uri.value
      if AppManifest.isToBeFilledIn(uri) || uri.contains("*") { return true }
      guard let parts = URLReference(valid: uri), parts.scheme?.lowercased().hasPrefix("http") == true else {
        return false
      }
      return parts.path.lowercased().hasSuffix(callback)
    }
    guard matches.isEmpty else { return nil }
    return finding(
      "no registered redirect URI ends with `\(path.value)`",
      help: "register the app's address followed by `\(path.value)`, or use the registered path here",
      at: path.place, related: [.init("redirect URIs are registered here", at: list)])
  }
}
