import AppRegistration
import Diagnostics
import IdentityPlatform

/// Tells a secret from everything that only stands where one could: placeholders, references, words.
enum SecretText {
  /// What a value gives away, whatever its key is called; nil where its form shows nothing.
  static func kind(of text: String) -> String? {
    if text.contains("-----BEGIN"), text.contains("PRIVATE KEY-----") { return "a private key" }
    if Definitions.holdsReference(text) { return nil }
    if SecretPattern.clientSecret(in: text) != nil { return "a client secret of Microsoft Entra" }
    if let password = SecretPattern.password(in: text), isPlausible(password) {
      return "an address with a password in it"
    }
    if let key = connectionKey(in: text) { return "a connection string with its \(key)" }
    return nil
  }

  /// Whether a value under a key for secrets is one, and not what stands there until somebody fills it in.
  static func isPlausible(_ text: String) -> Bool {
    guard text.count >= 6, !text.contains(where: \.isWhitespace), !Definitions.holdsReference(text),
      TemplatePlaceholder.find(in: text) == nil, !text.hasPrefix("@Microsoft.KeyVault"), !text.contains("://"),
      !GUIDText.isWellFormed(text), Set(text).count > 3
    else { return false }
    let words = text.lowercased().split { !$0.isLetter }
    // `client-secret`, `secret_from_portal`: words and nothing else.
    let isWords = text.allSatisfy { $0.isLetter || $0 == "-" || $0 == "_" || $0 == "." }
    guard isWords else { return true }
    return !words.contains { word in Self.namesOfSecrets.contains { word.contains($0) } } && words.count == 1
      && text.count >= 12
  }

  private static let namesOfSecrets = [
    "secret", "password", "key", "value", "vault", "none", "null", "string", "token",
  ]

  /// The part of a connection string that opens the door.
  private static func connectionKey(in text: String) -> String? {
    guard text.utf8.count <= TemplatePlaceholder.longestText, text.contains("="), text.contains(";") else { return nil }
    for pair in text.split(separator: ";") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let name = parts[0].filter { !$0.isWhitespace }
      if ["accountkey", "sharedaccesskey", "password", "pwd", "sharedaccesssignature"].contains(name.lowercased()),
        isPlausible(String(parts[1]))
      {
        return String(name)
      }
    }
    return nil
  }

  /// The parameter of a URL that is a key: a function's `code`, a signature, or the like.
  static func keyInQuery(of text: String) -> String? {
    guard text.utf8.count <= TemplatePlaceholder.longestText, text.contains("://"), text.contains("?"),
      let query = URLParts(text)?.query
    else { return nil }
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, keysInQueries.contains(parts[0].lowercased()), parts[1].count >= 16,
        isPlausible(String(parts[1]))
      else { continue }
      return String(parts[0])
    }
    return nil
  }

  private static let keysInQueries: Set<String> = [
    "code", "sig", "key", "apikey", "api_key", "api-key", "subscription-key", "client_secret", "access_token", "token",
    "x-functions-key",
  ]
}
