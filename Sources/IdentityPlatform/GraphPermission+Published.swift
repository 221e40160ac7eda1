extension GraphPermission {
  /// Returns the original spelling of a delegated permission and whether the permission requires admin consent. Returns
  /// nil if Microsoft Graph does not define the permission. Ignores case.
  package static func published(_ name: some StringProtocol) -> (name: String, needsAdmin: Bool)? {
    if let permission = named(name) { return (permission.name, permission.needsAdmin) }
    return others[name.lowercased()]
  }

  /// The names of all published permissions, for suggestions.
  package static let publishedNames = names + others.values.map(\.name).sorted()

  /// The permissions that are not in `all`, by lowercase name.
  private static let others: [String: (name: String, needsAdmin: Bool)] = {
    var others: [String: (name: String, needsAdmin: Bool)] = [:]
    for record in DataRecord.read(EmbeddedData.text("graph-permissions-other.txt")) {
      for (resource, operations) in record.entries {
        for operation in operations.split(separator: " ") {
          let needsAdmin = operation.hasSuffix("*")
          let name = "\(resource).\(needsAdmin ? operation.dropLast() : operation)"
          others[name.lowercased()] = (name, needsAdmin)
        }
      }
    }
    return others
  }()
}
