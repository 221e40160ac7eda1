import AppRegistration
import Diagnostics
import Effects
import IdentityPlatform

/// Distinguishes secrets from placeholders, references, and other text that appears in place of secrets.
enum SecretText {
  /// Returns the type of secret that a value's format indicates, independently of the key. Returns nil if the format is
  /// unknown.
  static func kind(of text: String) -> String? {
    if text.contains("-----BEGIN"), text.contains("PRIVATE KEY-----") { return "a private key" }
    if Definitions.containsReference(text) { return nil }
    if SecretPattern.clientSecret(in: text) != nil { return "a Microsoft Entra client secret" }
    if let password = SecretPattern.password(in: text), isPlausible(password) {
      return "a URL that contains a password"
    }
    if let key = connectionKey(in: text) { return "a connection string that contains `\(key)`" }
    return nil
  }

  /// Returns whether the value of a key for secrets is a secret and not a placeholder.
  static func isPlausible(_ text: String) -> Bool {
    guard text.count >= 6, !text.contains(where: \.isWhitespace), !Definitions.containsReference(text),
      TemplatePlaceholder.find(in: text) == nil, !text.hasPrefix("@Microsoft.KeyVault"), !text.contains("://"),
      !GUIDText.isWellFormed(text), Set(text).count > 3
    else { return false }
    let words = text.lowercased().split { !$0.isLetter }
    // Placeholders such as `client-secret` and `secret_from_portal` consist only of words.
    let isWords = text.allSatisfy { $0.isLetter || $0 == "-" || $0 == "_" || $0 == "." }
    guard isWords else { return true }
    return !words.contains { word in Self.placeholderWords.contains { word.contains($0) } } && words.count == 1
      && text.count >= 12
  }

  private static let placeholderWords = [
    "secret", "password", "key", "value", "vault", "none", "null", "string", "token",
  ]

  /// Returns the name of the connection string parameter whose value is a secret, such as `AccountKey`.
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

  /// Returns the name of the URL's query parameter that contains an access key or a signature, such as `code` in the
  /// URL of an Azure function.
  static func keyInQuery(of text: String) -> String? {
    guard text.utf8.count <= TemplatePlaceholder.longestText, text.contains("://"), text.contains("?"),
      let query = URLReference(valid: text)?.query
    else { return nil }
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, secretParameters.contains(parts[0].lowercased()), parts[1].count >= 16,
        isPlausible(String(parts[1]))
      else { continue }
      return String(parts[0])
    }
    return nil
  }

  private static let secretParameters: Set<String> = [
    "code", "sig", "key", "apikey", "api_key", "api-key", "subscription-key", "client_secret", "access_token", "token",
    "x-functions-key",
  ]
}
