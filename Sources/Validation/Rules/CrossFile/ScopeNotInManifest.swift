import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ScopeNotInManifest: Rule {
  let id = "scope-not-in-manifest"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let all = project.settings(of: file)
    // If a workflow has several apps, the rule does not determine which of them a step uses.
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
    /// IDs and names of delegated permissions of Microsoft Graph.
    var graph: Set<String> = []
    /// Whether an entry is a reference that a tool expands, so it may be any permission.
    var hasReference = false
    /// App IDs of the APIs.
    var resources: Set<String> = []
    /// Whether an entry is a name or a reference, so it may be any API.
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

  /// The name of the missing permission, or nil if it is listed or cannot be looked up.
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
    // Another API can be looked up only by its app ID.
    guard let resource = ScopeRules.resource(of: scope) else { return nil }
    let api =
      resource.lowercased().hasPrefix("api://")
      ? resource.dropFirst("api://".count).lowercased() : resource.lowercased()
    guard GUIDText.isWellFormed(api), api != loaded.clientID?.value.lowercased() else { return nil }
    return listed.hasNames || listed.resources.contains(api) ? nil : scope
  }
}
