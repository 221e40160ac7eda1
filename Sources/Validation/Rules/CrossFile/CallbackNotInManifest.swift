import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct CallbackNotInManifest: Rule {
  let id = "callback-not-in-manifest"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    // A section and its settings are added together.
    guard file.azureAdSections.count == file.loadedSettings.count else { return [] }
    return zip(file.azureAdSections, file.loadedSettings).compactMap { section, loaded in
      guard let path = section.paths.first(where: { $0.key == "CallbackPath" })?.value, path.value.hasPrefix("/"),
        !AppManifest.isToBeFilledIn(path.value), let manifest = project.registration(of: loaded, in: file)?.manifest,
        let list = manifest.redirectList
      else { return nil }
      return judge(path, manifest, list)
    }
  }

  private func judge(_ path: Positioned<String>, _ manifest: AppManifest, _ list: FileSpan) -> Diagnostic? {
    // A web API's template has a CallbackPath too, and nobody signs in there.
    guard manifest.scopes.isEmpty, manifest.appRoles.isEmpty,
      manifest.redirects.contains(where: { $0.kind == .web || $0.kind == nil })
    else { return nil }
    // The app may run below a path of its own, and paths of a route are compared without regard to case.
    let wanted = path.value.lowercased()
    let matches = manifest.redirects.filter { redirect in
      let uri = redirect.uri.value
      if AppManifest.isToBeFilledIn(uri) || uri.contains("*") { return true }
      guard let parts = URLParts(uri), parts.scheme?.lowercased().hasPrefix("http") == true else { return false }
      return parts.path.lowercased().hasSuffix(wanted)
    }
    guard matches.isEmpty else { return nil }
    return finding(
      "no redirect URI that is registered ends in \(path.value)",
      help: "register the address that the app runs at with \(path.value) behind it, or write the registered path here",
      at: path.place, related: [.init("what is registered stands here", at: list)])
  }
}
