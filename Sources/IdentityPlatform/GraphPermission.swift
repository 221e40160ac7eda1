/// A permission of Microsoft Graph, as a user or an administrator grants it to an app.
package struct GraphPermission: Hashable, Sendable {
  /// The scope's short name: `User.Read`.
  package var name: String
  /// Its id in `requiredResourceAccess` with type `Scope`.
  package var id: String
  /// Whether only an administrator can consent.
  package var needsAdmin: Bool
  /// Whether a personal account can use it.
  package var allowsPersonalAccounts: Bool
  /// The id of the application permission of the same name (type `Role`); nil where none is recorded.
  package var applicationRoleID: String?

  /// The permission of that name; letter case does not matter.
  package static func named(_ name: some StringProtocol) -> GraphPermission? { byName[name.lowercased()] }

  /// The permission with that id, and whether the id is its application role's.
  package static func withID(_ id: some StringProtocol) -> (permission: GraphPermission, isRole: Bool)? {
    byID[id.lowercased()]
  }

  /// The common delegated permissions, in the order of their resource.
  package static let all: [GraphPermission] = DataRecord.read(EmbeddedData.text("graph-permissions.txt")).flatMap {
    $0.entries.map { name, value in
      let words = value.split(separator: " ")
      return GraphPermission(
        name: String(name), id: String(words[0]), needsAdmin: words.contains("admin"),
        allowsPersonalAccounts: words.contains("personal"),
        applicationRoleID: words.first { $0.hasPrefix("role=") }.map { String($0.dropFirst("role=".count)) })
    }
  }

  /// All names, for a did-you-mean.
  package static let names = all.map(\.name)

  private static let byID: [String: (permission: GraphPermission, isRole: Bool)] = {
    var known: [String: (permission: GraphPermission, isRole: Bool)] = [:]
    for permission in all {
      if let role = permission.applicationRoleID { known[role] = known[role] ?? (permission, true) }
    }
    for permission in all { known[permission.id] = (permission, false) }
    return known
  }()

  private static let byName = Dictionary(
    all.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
}
