/// The words that sample projects use in placeholders.
enum PlaceholderPatterns {
  /// Whether a path segment is a placeholder: a request to enter a value, or only the name of a value.
  static func isPlaceholder(_ segment: Substring) -> Bool {
    let text = withoutScheme(segment)
    if text.lowercased().hasPrefix("your.") { return true }
    // The first label of a domain may be a placeholder. The labels of `com.yourcompany.app` are not placeholders.
    let label = text.prefix { $0 != "." }
    if compactPlaceholders.contains(label.lowercased()) { return true }
    let words = self.words(of: text)
    let folded = words.map { $0.lowercased() }
    guard let first = folded.first else { return false }
    if folded.contains("placeholder") || folded.contains("changeme") { return true }
    if words.first == "TODO" || words.first == "FIXME" || words.first == "TBD" || words.contains("HERE") { return true }
    if folded.contains("your"), words.count > 1 { return true }
    if verbs.contains(first), folded.dropFirst().contains(where: readerWords.contains) { return true }
    return isValueName(folded)
  }

  /// Returns the segment without a redirect URI's `msauth.` or `msal` prefix.
  private static func withoutScheme(_ segment: Substring) -> Substring {
    var text = segment
    if text.hasSuffix(":") { text = text.dropLast() }
    for prefix in ["msauth.", "msal"] where text.hasPrefix(prefix) && text.count > prefix.count {
      return text.dropFirst(prefix.count)
    }
    return text
  }

  /// Returns the words of `YOUR_CLIENT_ID`, `your-client-id`, or `YourClientId`. Dots are part of a word.
  private static func words(of text: Substring) -> [Substring] {
    text.split { !($0.isLetter || $0.isNumber || $0 == ".") }.flatMap(camelCaseWords)
  }

  /// Returns the words of a string, in lowercase. `YourClientId` has three words.
  static func foldedWords(of text: Substring) -> Set<String> { Set(words(of: text).map { $0.lowercased() }) }

  private static func camelCaseWords(_ word: Substring) -> [Substring] {
    guard !word.contains("."), word.contains(where: \.isUppercase), word.contains(where: \.isLowercase) else {
      return [word]
    }
    var parts: [Substring] = []
    var start = word.startIndex
    var previous: Character?
    for index in word.indices {
      if word[index].isUppercase, let previous, previous.isLowercase {
        parts.append(word[start..<index])
        start = index
      }
      previous = word[index]
    }
    parts.append(word[start...])
    return parts
  }

  /// Whether the words are only the name of a value: `CLIENT_ID`, `insert-tenant-id`, `my app id`.
  private static func isValueName(_ folded: [String]) -> Bool {
    if folded.count == 1 { return names.contains(folded[0]) }
    let core = folded.filter { !fillers.contains($0) && !verbs.contains($0) && !readerWords.contains($0) }
    guard core.count >= 2 else { return core.count == 1 && names.contains(core[0]) }
    return core.allSatisfy(parts.contains) && core.contains(where: nouns.contains)
      && core.contains { !nouns.contains($0) }
  }

  private static let verbs: Set<String> = [
    "enter", "insert", "replace", "add", "put", "paste", "change", "fill", "set", "provide", "specify", "use",
  ]
  private static let readerWords: Set<String> = ["the", "your", "here", "me", "this", "with", "in"]
  private static let fillers: Set<String> = [
    "my", "a", "some", "sample", "dummy", "fake", "example", "aad", "azure", "ad", "entra", "b2c", "msal", "goes",
    "value", "from", "portal", "of", "for", "todo",
  ]
  private static let names: Set<String> = [
    "clientid", "tenantid", "appid", "applicationid", "directoryid", "tenantname", "bundleid", "packagename",
    "objectid",
  ]
  private static let parts: Set<String> = [
    "client", "tenant", "app", "application", "directory", "bundle", "package", "signature", "id", "identifier", "guid",
    "name", "hash", "encoded", "base64", "url", "policy",
  ]
  private static let nouns: Set<String> = ["id", "identifier", "guid", "hash", "name"]
  private static let compactPlaceholders: Set<String> = [
    "yourtenant", "yourtenantname", "yourtenantid", "yourclientid", "yourappid", "yourapplicationid", "yourdirectoryid",
    "yourb2ctenant", "yourdomain", "yourpolicy", "yourguid", "yoursubdomain", "yourbundleid", "yourpackagename",
    "yourorganization", "yourorg",
  ]
}
