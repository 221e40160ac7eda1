extension Facts {
  private static let codePrefixes: [(namespace: String, prefix: String)] = [
    ("aadsts", "AADSTS"), ("aadb2c", "AADB2C"), ("idx", "IDX"), ("msal", ""), ("internal", ""), ("osstatus", ""),
    ("oauth", ""), ("suberror", ""), ("code", ""), ("http", ""),
  ]

  /// The codes as users see them.
  var codes: [String] {
    var codes: [String] = []
    for (namespace, prefix) in Self.codePrefixes {
      for value in values(of: namespace) where !codes.contains(prefix + value) { codes.append(prefix + value) }
    }
    return codes
  }

  /// Whether a fact such as `aadsts:50011` is a code.
  static func isCode(_ name: String) -> Bool { codePrefixes.contains { name.hasPrefix($0.namespace + ":") } }
}
