extension TemplatePlaceholder {
  /// A request to fill in a value for sign-in, such as `YOUR_CLIENT_ID_HERE` or `Enter_the_Client_Secret_Here`.
  ///
  /// Stricter than `find(in:)`: under a key of unknown meaning a text of the user interface (`Enter your name`) or a path template
  /// (`/users/{id}`) may stand as well.
  /// - Parameter isSecret: whether the key names a secret, under which prose is a request too.
  package static func request(in text: String, isSecret: Bool) -> Substring? {
    guard text.utf8.count <= 200, let found = find(in: text) else { return nil }
    let words = PlaceholderPatterns.foldedWords(of: found)
    guard words.count <= 12, !words.isDisjoint(with: requests) else { return nil }
    if isSecret { return found }
    let isBracketed = found.first.map { "<[{".contains($0) } ?? false
    let isProse = found.contains(where: \.isWhitespace) && !isBracketed
    return words.isDisjoint(with: isProse ? registrationThings : things) ? nil : found
  }

  private static let requests: Set<String> = [
    "your", "enter", "insert", "replace", "paste", "put", "here", "placeholder", "changeme", "todo", "fill",
  ]
  private static let registrationThings: Set<String> = [
    "client", "tenant", "secret", "directory", "clientid", "tenantid",
  ]
  private static let things: Set<String> = registrationThings.union([
    "app", "application", "id", "appid", "guid", "key", "uri", "url", "domain", "policy", "scope", "scopes",
    "authority",
    "password", "api", "token", "endpoint", "subscription", "redirect", "audience", "issuer", "resource",
  ])
}
