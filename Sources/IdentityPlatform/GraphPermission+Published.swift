extension GraphPermission {
  /// The published permission of that name in its declared spelling, and whether only an administrator can consent to it; nil if
  /// Microsoft Graph has no such delegated permission. Letter case does not matter.
  package static func published(_ name: some StringProtocol) -> (name: String, needsAdmin: Bool)? {
    if let permission = named(name) { return (permission.name, permission.needsAdmin) }
    return others[name.lowercased()]
  }

  /// All published names, for a did-you-mean.
  package static let publishedNames = names + others.values.map(\.name).sorted()

  /// The permissions that are not in `all`, by their names in lowercase.
  private static let others: [String: (name: String, needsAdmin: Bool)] = {
    var others: [String: (name: String, needsAdmin: Bool)] = [:]
    for record in DataRecord.read(EmbeddedData.text("graph-permissions-other.txt")) {
      for (resource, operations) in record.entries {
        for word in operations.split(separator: " ") {
          let needsAdmin = word.hasSuffix("*")
          let name = "\(resource).\(needsAdmin ? word.dropLast() : word)"
          others[name.lowercased()] = (name, needsAdmin)
        }
      }
    }
    return others
  }()
}
