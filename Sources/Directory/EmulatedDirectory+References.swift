import DeclaredFields
import Diagnostics
import Documents

extension EmulatedDirectory {
  /// Reports names that nothing in the directory has. A misspelled username would assign, invite, or consent for no
  /// user.
  func checkReferences(of node: Node, _ problems: inout Problems) {
    for app in Self.listOrOne(node["apps"]) {
      checkRoles(of: app, &problems)
      let granted = ["consent", "userRoles"].flatMap { key in app[key].map { $0.entries.map(\.key) } ?? [] }
      for name in Self.listOrOne(app["assignedUsers"]) + granted { checkUsername(name, &problems) }
    }
    for tenant in Self.listOrOne(node["tenants"]) {
      for user in Self.listOrOne(tenant["users"]) {
        if let manager = user["manager"] { checkUsername(manager, &problems) }
        for name in Self.listOrOne(user["guestIn"]) {
          check(
            name, isAmong: tenants.flatMap { [$0.name, $0.id] + $0.domains }, "unknown-tenant", "tenant", &problems)
        }
        for name in Self.listOrOne(user["memberOf"]) {
          check(name, isAmong: tenants.flatMap(\.groups).map(\.name), "unknown-group", "group", &problems)
        }
      }
      for policy in Self.listOrOne(tenant["policies"]) {
        let users = policy["for"]?["users"]
        for name in Self.listOrOne(users) where name.string != "all" { checkUsername(name, &problems) }
      }
    }
  }

  /// An administrator can grant an app only roles that the API has.
  private func checkRoles(of app: Node, _ problems: inout Problems) {
    for role in Self.listOrOne(app["roles"]) {
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

  private func checkUsername(_ name: Node, _ problems: inout Problems) {
    check(name, isAmong: tenants.flatMap(\.users).map(\.username), "unknown-user", "user", &problems)
  }

  private func check(
    _ name: Node, isAmong names: [String], _ rule: String, _ kind: String, _ problems: inout Problems
  ) {
    guard let text = name.string, !names.contains(where: { $0.lowercased() == text.lowercased() }) else { return }
    problems.error(
      rule, "the directory has no \(kind) `\(text)`",
      help: Suggestion.nearest(to: text, among: names).map { "did you mean `\($0)`?" }
        ?? "add the \(kind) to the directory",
      at: name)
  }

  private static func listOrOne(_ node: Node?) -> [Node] {
    guard let node else { return [] }
    return node.kind == .array ? Array(node.elements) : [node]
  }
}
