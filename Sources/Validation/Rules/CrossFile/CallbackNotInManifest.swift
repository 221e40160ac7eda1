import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct CallbackNotInManifest: Rule {
  let id = "callback-not-in-manifest"
  let severity = Diagnostic.Severity.warning
  let words = "a web app answers at a path that no registered redirect URI leads to"
  let help = """
    ASP.NET Core sends the address that it runs at, with CallbackPath behind it, as redirect URI. It has to be registered for the \
    platform web, once for each address: https://localhost:7001/signin-oidc, https://contoso.com/signin-oidc. Without it the sign-in \
    stops at AADSTS50011.
    """
  let bad = RuleExample([
    (
      "appsettings.json",
      #"""
      {
        "AzureAd": {
          "Instance": "https://login.microsoftonline.com/",
          "TenantId": "8f5c2d1e-3b7a-4c90-a6e2-d41b7f09c835",
          "ClientId": "6731de76-14a6-49ae-97bc-6eba6914391e",
          "CallbackPath": 1️⃣"/signin-oidc"
        }
      }
      """#
    ),
    (
      "manifest.json",
      #"""
      {
        "appId": "6731de76-14a6-49ae-97bc-6eba6914391e",
        "web": {"redirectUris": ["https://contoso.com/signin"]}
      }
      """#
    ),
  ])
  let good = RuleExample([
    (
      "appsettings.json",
      #"""
      {
        "AzureAd": {
          "Instance": "https://login.microsoftonline.com/",
          "TenantId": "8f5c2d1e-3b7a-4c90-a6e2-d41b7f09c835",
          "ClientId": "6731de76-14a6-49ae-97bc-6eba6914391e",
          "CallbackPath": "/signin-oidc"
        }
      }
      """#
    ),
    (
      "manifest.json",
      #"""
      {
        "appId": "6731de76-14a6-49ae-97bc-6eba6914391e",
        "web": {"redirectUris": ["https://contoso.com/signin-oidc"]}
      }
      """#
    ),
  ])

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
