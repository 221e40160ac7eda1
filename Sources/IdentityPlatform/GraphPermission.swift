/// A delegated Microsoft Graph permission.
package struct GraphPermission: Hashable, Sendable {
  /// The short name of the scope, such as `User.Read`.
  package var name: String
  /// The ID in `requiredResourceAccess`, with type `Scope`.
  package var id: String
  /// Whether only an administrator can consent.
  package var needsAdmin: Bool
  /// Whether the permission supports personal accounts.
  package var allowsPersonalAccounts: Bool
  /// The ID of the application permission with the same name (type `Role`), or nil if there is no such permission.
  package var applicationRoleID: String?

  /// Returns the permission with this name, ignoring case.
  package static func named(_ name: some StringProtocol) -> GraphPermission? { byName[name.lowercased()] }

  /// Returns the permission with this ID as a delegated or application permission, and whether the ID is the
  /// application permission ID.
  package static func withID(_ id: some StringProtocol) -> (permission: GraphPermission, isRole: Bool)? {
    byID[id.lowercased()]
  }

  /// The common delegated permissions, grouped by resource.
  package static let all: [GraphPermission] = DataRecord.read(EmbeddedData.text("graph-permissions.txt")).flatMap {
    $0.entries.map { name, value in
      let attributes = value.split(separator: " ")
      return GraphPermission(
        name: String(name), id: String(attributes[0]), needsAdmin: attributes.contains("admin"),
        allowsPersonalAccounts: attributes.contains("personal"),
        applicationRoleID: attributes.first { $0.hasPrefix("role=") }.map { String($0.dropFirst("role=".count)) })
    }
  }

  /// The names of the common permissions.
  package static let names = all.map(\.name)

  private static let byID: [String: (permission: GraphPermission, isRole: Bool)] = {
    var byID: [String: (permission: GraphPermission, isRole: Bool)] = [:]
    for permission in all {
      if let role = permission.applicationRoleID { byID[role] = byID[role] ?? (permission, true) }
    }
    for permission in all { byID[permission.id] = (permission, false) }
    return byID
  }()

  private static let byName = Dictionary(
    all.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
}
