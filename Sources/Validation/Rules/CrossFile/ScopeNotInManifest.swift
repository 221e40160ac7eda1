import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ScopeNotInManifest: Rule {
  let id = "scope-not-in-manifest"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let all = project.settings(of: file)
    // If a workflow has several apps, the rule cannot determine which app a step uses.
    guard file.kind == .workflow ? all.count == 1 : true, let loaded = all.first,
      let listed = project.registration(of: loaded, in: file)?.manifest.requiredResources
    else { return [] }
    let permissions = ListedPermissions(listed.value)
    return file.scopeUses.compactMap { use in
      guard let missing = missingPermission(use.scope, loaded, permissions) else { return nil }
      return finding(
        "scope `\(missing)` is not listed in the app manifest",
        help: "add it to `requiredResourceAccess`, so that administrator consent includes it", at: use.place,
        related: [.init("permissions are listed here", at: listed.place)])
    }
  }

  /// The permissions that an app manifest lists.
  private struct ListedPermissions {
    /// The IDs and names of delegated Microsoft Graph permissions.
    var graph: Set<String> = []
    /// Whether any entry is a reference that a tool expands. Such an entry can represent any permission.
    var hasReference = false
    /// The app IDs of the APIs.
    var resources: Set<String> = []
    /// Whether any entry is a name or a reference. Such an entry can represent any API.
    var hasNames = false

    init(_ listed: [AppManifest.RequiredResource]) {
      for resource in listed {
        let name = resource.resource.value.lowercased()
        resources.insert(name)
        if !GUIDText.isWellFormed(name) { hasNames = true }
        guard resource.isGraph else { continue }
        for permission in resource.permissions {
          if AppManifest.isReference(permission.id.value) { hasReference = true }
          if !permission.isRole { graph.insert(permission.id.value.lowercased()) }
        }
      }
    }
  }

  /// Returns the name of the missing permission. Returns nil if the manifest lists the permission or if the permission
  /// cannot be looked up.
  private func missingPermission(
    _ scope: String, _ loaded: LoadedSettings, _ listed: ListedPermissions
  ) -> String? {
    let name = ScopeRules.permission(of: scope)
    guard name != ".default", !WellKnown.openIDScopes.contains(name.lowercased()), !AppManifest.isToBeFilledIn(scope)
    else { return nil }
    if ScopeRules.isGraph(scope) {
      guard let permission = GraphPermission.named(name), !listed.hasReference, !listed.graph.contains(permission.id),
        !listed.graph.contains(permission.name.lowercased())
      else { return nil }
      return permission.name
    }
    // Other APIs can be looked up only by app ID.
    guard let resource = ScopeRules.resource(of: scope) else { return nil }
    let api =
      resource.lowercased().hasPrefix("api://")
      ? resource.dropFirst("api://".count).lowercased() : resource.lowercased()
    guard GUIDText.isWellFormed(api), api != loaded.clientID?.value.lowercased() else { return nil }
    return listed.hasNames || listed.resources.contains(api) ? nil : scope
  }
}
