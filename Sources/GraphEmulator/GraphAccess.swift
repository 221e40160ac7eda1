/// The delegated or application permissions that allow access to a resource.
package struct GraphAccess: Hashable, Sendable {
  /// The alternative permissions. Any one of them is sufficient, as is any permission that includes one of them.
  let anyOf: [String]

  /// - Parameter anyOf: The alternative permissions. One of them is sufficient.
  package init(_ anyOf: String...) { self.anyOf = anyOf }

  /// Whether the granted permissions allow access. Computes the broader permissions on demand, because a scenario uses
  /// only a few of several hundred routes.
  /// - Parameter granted: The granted permissions in lowercase.
  package func isSatisfied(by granted: Set<String>) -> Bool {
    anyOf.contains { name in
      let permission = name.lowercased()
      return granted.contains(permission) || Self.including(permission).contains { granted.contains($0) }
    }
  }

  /// Returns a permission and all permissions that include it, in lowercase.
  ///
  /// `X.ReadWrite` includes `X.Read`, `X.Read` includes `X.ReadBasic`, and `X.Read.All` includes `X.Read`. Directory
  /// permissions include the permissions for users, groups, and the organization.
  private static func including(_ permission: String) -> [String] {
    var parts = permission.split(separator: ".").map(String.init)
    let isForAll = parts.last == "all"
    if isForAll { parts.removeLast() }
    guard parts.count >= 2, let verb = parts.last else { return [permission] }
    let subject = parts.dropLast().joined(separator: ".")
    let verbs: [String] =
      switch verb {
      case "readbasic": ["readbasic", "read", "readwrite"]
      case "read": ["read", "readwrite"]
      default: [verb]
      }
    var names = [permission]
    for verb in verbs {
      if !isForAll { names.append("\(subject).\(verb)") }
      names.append("\(subject).\(verb).all")
    }
    if ["user", "group", "groupmember", "organization", "device"].contains(subject) {
      if verb == "read" || verb == "readbasic" { names.append("directory.read.all") }
      if verb != "readbasic" || isForAll { names.append("directory.readwrite.all") }
      names.append("directory.accessasuser.all")
    }
    if subject == "groupmember" { names += verbs.map { "group.\($0).all" } }
    return names
  }
}
