import DeclaredFields
import Documents

extension EmulatedDirectory {
  /// An administrator can grant an app only roles that the API has.
  func checkRoles(of node: Node, _ problems: inout Problems) {
    guard let apps = node["apps"] else { return }
    for app in apps.elements {
      guard let roles = app["roles"] else { continue }
      for role in roles.string == nil ? Array(roles.elements) : [roles] {
        guard let text = role.string, let slash = text.lastIndex(of: "/") else { continue }
        let (uri, name) = (String(text[..<slash]), String(text[text.index(after: slash)...]))
        let api = resources.first { api in
          api.uris.contains { $0.lowercased() == uri.lowercased() } || api.appId.lowercased() == uri.lowercased()
        }
        guard let api, !api.roles.contains(where: { $0.lowercased() == name.lowercased() }) else { continue }
        problems.error(
          "unknown-role", "the API `\(uri)` has no role `\(name)`",
          help: api.roles.isEmpty
            ? "add `roles: [\(name)]` to the API" : "its roles are \(api.roles.joined(separator: ", "))", at: role)
      }
    }
  }
}
