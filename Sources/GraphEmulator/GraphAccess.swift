/// Which delegated scopes or application permissions open a resource.
package struct GraphAccess: Hashable, Sendable {
  /// Any of these will do, and any that says more than one of these.
  let anyOf: [String]

  /// - Parameter anyOf: permissions, one of which is enough.
  package init(_ anyOf: String...) { self.anyOf = anyOf }

  /// What else will do is found only where it is asked for: of hundreds of routes a scenario uses a few.
  /// - Parameter granted: in lower case.
  package func isSatisfied(by granted: Set<String>) -> Bool {
    anyOf.contains { name in
      let wanted = name.lowercased()
      return granted.contains(wanted) || Self.including(wanted).contains { granted.contains($0) }
    }
  }

  /// The permission (in lower case) and those that include it.
  ///
  /// `X.ReadWrite` includes `X.Read`, `X.Read` includes `X.ReadBasic`, `.All` what has none, and the directory-wide
  /// permissions those of users, groups and the organization.
  private static func including(_ wanted: String) -> [String] {
    var parts = wanted.split(separator: ".").map(String.init)
    let isForAll = parts.last == "all"
    if isForAll { parts.removeLast() }
    guard parts.count >= 2, let verb = parts.last else { return [wanted] }
    let subject = parts.dropLast().joined(separator: ".")
    let verbs: [String] =
      switch verb {
      case "readbasic": ["readbasic", "read", "readwrite"]
      case "read": ["read", "readwrite"]
      default: [verb]
      }
    var names = [wanted]
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
