import AppRegistration
import DeclaredFields
import Diagnostics
import IdentityPlatform

struct ScopeNotInManifest: Rule {
  let id = "scope-not-in-manifest"
  let severity = Diagnostic.Severity.warning
  let words = "a scope is asked for that the registration's requiredResourceAccess does not list"
  let help = """
    A user can still be asked for it as the need arises, but an administrator who consents for the whole organisation grants only \
    what is listed. Where users may not consent by themselves, the sign-in then ends at "Need admin approval" (AADSTS65001, AADSTS90094).
    """
  let bad = RuleExample([
    (
      "AuthSettings.yaml",
      #"""
      AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
      GraphScopes: [User.Read, 1️⃣Calendars.Read]
      """#
    ),
    (
      "manifest.json",
      #"""
      {
        "appId": "6731de76-14a6-49ae-97bc-6eba6914391e",
        "requiredResourceAccess": [
          {
            "resourceAppId": "00000003-0000-0000-c000-000000000000",
            "resourceAccess": [{"id": "e1fe6dd8-ba31-4d61-89e7-88639da4683d", "type": "Scope"}]
          }
        ]
      }
      """#
    ),
  ])
  let good = RuleExample([
    (
      "AuthSettings.yaml",
      #"""
      AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
      GraphScopes: [User.Read]
      """#
    ),
    (
      "manifest.json",
      #"""
      {
        "appId": "6731de76-14a6-49ae-97bc-6eba6914391e",
        "requiredResourceAccess": [
          {
            "resourceAppId": "00000003-0000-0000-c000-000000000000",
            "resourceAccess": [{"id": "e1fe6dd8-ba31-4d61-89e7-88639da4683d", "type": "Scope"}]
          }
        ]
      }
      """#
    ),
  ])

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let all = project.settings(of: file)
    // Which of several apps a step asks for is not looked into.
    guard file.kind == .workflow ? all.count == 1 : true, let loaded = all.first,
      let (_, manifest) = project.registration(of: loaded, in: file), let listed = manifest.requiredResources
    else { return [] }
    return file.scopeUses.compactMap { use in
      guard let missing = missing(use.scope, loaded, manifest, listed.value) else { return nil }
      return finding(
        "\(missing) is asked for, and the registration does not list it",
        help: "add it to requiredResourceAccess, so that an administrator can consent to it beforehand", at: use.place,
        related: [.init("what is listed stands here", at: listed.place)])
    }
  }

  /// What is missing, in words; nil where nothing is, or where it cannot be known.
  private func missing(
    _ scope: String, _ loaded: LoadedSettings, _ manifest: AppManifest, _ resources: [AppManifest.RequiredResource]
  ) -> String? {
    let name = ScopeRules.permission(of: scope)
    guard name != ".default", !WellKnown.openIDScopes.contains(name.lowercased()), !AppManifest.isToBeFilledIn(scope)
    else { return nil }
    if ScopeRules.isGraph(scope) {
      guard let permission = GraphPermission.named(name) else { return nil }
      let listed = resources.filter(\.isGraph).flatMap(\.permissions).contains { entry in
        let id = entry.id.value.lowercased()
        return !entry.isRole && (id == permission.id || id == permission.name.lowercased())
          || AppManifest.isReference(id)
      }
      return listed ? nil : permission.name
    }
    // Another API: only one that is called by its app id can be looked up.
    guard let resource = ScopeRules.resource(of: scope) else { return nil }
    let api =
      resource.lowercased().hasPrefix("api://")
      ? resource.dropFirst("api://".count).lowercased() : resource.lowercased()
    guard GUIDText.isWellFormed(api), api != loaded.clientID?.value.lowercased() else { return nil }
    let known = resources.contains {
      $0.resource.value.lowercased() == api || !GUIDText.isWellFormed($0.resource.value)
    }
    return known ? nil : scope
  }
}
