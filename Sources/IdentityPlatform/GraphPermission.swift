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
    let id = id.lowercased()
    if let permission = all.first(where: { $0.id == id }) { return (permission, false) }
    return all.first { $0.applicationRoleID == id }.map { ($0, true) }
  }

  /// All names, for a did-you-mean.
  package static let names = all.map(\.name)

  private static let byName = Dictionary(
    all.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
}
