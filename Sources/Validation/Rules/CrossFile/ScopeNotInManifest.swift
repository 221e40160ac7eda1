import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct ScopeNotInManifest: Rule {
  let id = "scope-not-in-manifest"
  let severity = Diagnostic.Severity.warning

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    let all = project.settings(of: file)
    // Which of several apps a step asks for is not looked into.
    guard file.kind == .workflow ? all.count == 1 : true, let loaded = all.first,
      let listed = project.registration(of: loaded, in: file)?.manifest.requiredResources
    else { return [] }
    let known = Listed(listed.value)
    return file.scopeUses.compactMap { use in
      guard let missing = missing(use.scope, loaded, known) else { return nil }
      return finding(
        "\(missing) is asked for, and the registration does not list it",
        help: "add it to requiredResourceAccess, so that an administrator can consent to it beforehand", at: use.place,
        related: [.init("what is listed stands here", at: listed.place)])
    }
  }

  /// What a registration lists, to be looked up in.
  private struct Listed {
    /// The ids, and names, of Graph's delegated permissions.
    var graph: Set<String> = []
    /// Whether a tool fills in one of them, so that it may be any.
    var hasReference = false
    /// The app ids of the APIs.
    var resources: Set<String> = []
    /// Whether an API is called by its name, or is filled in, so that it may be any.
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

  /// What is missing, in words; nil where nothing is, or where it cannot be known.
  private func missing(_ scope: String, _ loaded: LoadedSettings, _ listed: Listed) -> String? {
    let name = ScopeRules.permission(of: scope)
    guard name != ".default", !WellKnown.openIDScopes.contains(name.lowercased()), !AppManifest.isToBeFilledIn(scope)
    else { return nil }
    if ScopeRules.isGraph(scope) {
      guard let permission = GraphPermission.named(name), !listed.hasReference, !listed.graph.contains(permission.id),
        !listed.graph.contains(permission.name.lowercased())
      else { return nil }
      return permission.name
    }
    // Another API: only one that is called by its app id can be looked up.
    guard let resource = ScopeRules.resource(of: scope) else { return nil }
    let api =
      resource.lowercased().hasPrefix("api://")
      ? resource.dropFirst("api://".count).lowercased() : resource.lowercased()
    guard GUIDText.isWellFormed(api), api != loaded.clientID?.value.lowercased() else { return nil }
    return listed.hasNames || listed.resources.contains(api) ? nil : scope
  }
}
