import Diagnostics
import Documents

extension EmulatedDirectory {
  /// Reports references to entries that do not exist. Without this check, a setting with a misspelled username would
  /// have no effect.
  func checkReferences(of node: Node, _ problems: inout DiagnosticCollector) {
    let usernames = Names(tenants.flatMap(\.users).map(\.username))
    let groups = Names(tenants.flatMap(\.groups).map(\.name))
    let tenantNames = Names(tenants.flatMap { [$0.name, $0.id] + $0.domains })
    func checkUsername(_ name: Node) { check(name, isAmong: usernames, "unknown-user", "user", &problems) }
    for app in Self.listOrOne(node["apps"]) {
      checkRoles(of: app, &problems)
      let granted = ["consent", "userRoles"].flatMap { key in app[key].map { $0.entries.map(\.key) } ?? [] }
      for name in Self.listOrOne(app["assignedUsers"]) + granted { checkUsername(name) }
    }
    for tenant in Self.listOrOne(node["tenants"]) {
      for user in Self.listOrOne(tenant["users"]) {
        if let manager = user["manager"] { checkUsername(manager) }
        for name in Self.listOrOne(user["guestIn"]) {
          check(name, isAmong: tenantNames, "unknown-tenant", "tenant", &problems)
        }
        for name in Self.listOrOne(user["memberOf"]) {
          check(name, isAmong: groups, "unknown-group", "group", &problems)
        }
      }
      for policy in Self.listOrOne(tenant["policies"]) {
        let users = policy["for"]?["users"]
        for name in Self.listOrOne(users) where name.string != "all" { checkUsername(name) }
      }
    }
  }

  /// Reports granted roles that the API does not define.
  private func checkRoles(of app: Node, _ problems: inout DiagnosticCollector) {
    for role in Self.listOrOne(app["roles"]) {
      guard let text = role.string, let slash = text.lastIndex(of: "/") else { continue }
      let (uri, name) = (String(text[..<slash]), String(text[text.index(after: slash)...]))
      let api = resources.first { api in
        api.uris.contains { $0.lowercased() == uri.lowercased() } || api.appId.lowercased() == uri.lowercased()
      }
      guard let api, !api.roles.contains(where: { $0.lowercased() == name.lowercased() }) else { continue }
      problems.error(
        "unknown-role", "the API `\(uri)` does not define the role `\(name)`",
        help: api.roles.isEmpty
          ? "add `roles: [\(name)]` to the API" : "use one of these roles: \(api.roles.joined(separator: ", "))",
        at: role)
    }
  }

  /// A set of case-insensitive names. Lookups must be fast, because a directory can contain thousands of users.
  private struct Names {
    let all: [String]
    let folded: Set<String>

    init(_ all: [String]) {
      self.all = all
      folded = Set(all.map { $0.lowercased() })
    }
  }

  private func check(
    _ name: Node, isAmong names: Names, _ rule: String, _ kind: String, _ problems: inout DiagnosticCollector
  ) {
    guard let text = name.string, !names.folded.contains(text.lowercased()) else { return }
    problems.error(
      rule, "the directory has no \(kind) `\(text)`",
      help: Suggestion.nearest(to: text, among: names.all).map { "did you mean `\($0)`?" }
        ?? "add the \(kind) to the directory",
      at: name)
  }

  private static func listOrOne(_ node: Node?) -> [Node] {
    guard let node else { return [] }
    return node.kind == .array ? Array(node.elements) : [node]
  }
}
