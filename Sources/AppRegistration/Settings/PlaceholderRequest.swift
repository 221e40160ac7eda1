extension TemplatePlaceholder {
  /// Returns a placeholder for a sign-in value, such as `YOUR_CLIENT_ID_HERE` or `Enter_the_Client_Secret_Here`.
  ///
  /// Stricter than `find(in:)`, because a key of unknown meaning may contain user interface text (`Enter your name`) or
  /// a path template (`/users/{id}`).
  /// - Parameter isSecret: Whether the key suggests a secret. For a secret, prose also counts as a placeholder.
  package static func request(in text: String, isSecret: Bool) -> Substring? {
    guard text.utf8.count <= 200, let placeholder = find(in: text) else { return nil }
    let words = PlaceholderPatterns.foldedWords(of: placeholder)
    guard words.count <= 12, !words.isDisjoint(with: requests) else { return nil }
    if isSecret { return placeholder }
    let isBracketed = placeholder.first.map { "<[{".contains($0) } ?? false
    let isProse = placeholder.contains(where: \.isWhitespace) && !isBracketed
    return words.isDisjoint(with: isProse ? registrationNouns : nouns) ? nil : placeholder
  }

  private static let requests: Set<String> = [
    "your", "enter", "insert", "replace", "paste", "put", "here", "placeholder", "changeme", "todo", "fill",
  ]
  private static let registrationNouns: Set<String> = [
    "client", "tenant", "secret", "directory", "clientid", "tenantid",
  ]
  private static let nouns: Set<String> = registrationNouns.union([
    "app", "application", "id", "appid", "guid", "key", "uri", "url", "domain", "policy", "scope", "scopes",
    "authority",
    "password", "api", "token", "endpoint", "subscription", "redirect", "audience", "issuer", "resource",
  ])
}
