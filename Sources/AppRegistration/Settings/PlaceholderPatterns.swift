/// The words with which samples ask their readers to fill something in.
enum PlaceholderPatterns {
  /// Whether a part of a value, between slashes, is such a request, or only the name of what belongs there.
  static func speaksToTheReader(_ segment: Substring) -> Bool {
    let text = withoutScheme(segment)
    if text.lowercased().hasPrefix("your.") { return true }
    // A domain's first label may ask; the labels of com.yourcompany.app are somebody's name.
    let label = text.prefix { $0 != "." }
    if compact.contains(label.lowercased()) { return true }
    let words = self.words(of: text)
    let folded = words.map { $0.lowercased() }
    guard let first = folded.first else { return false }
    if folded.contains("placeholder") || folded.contains("changeme") { return true }
    if words.first == "TODO" || words.first == "FIXME" || words.first == "TBD" || words.contains("HERE") { return true }
    if folded.contains("your"), words.count > 1 { return true }
    if asks.contains(first), folded.dropFirst().contains(where: addresses.contains) { return true }
    return isTheNameOfAThing(folded)
  }

  /// What `msauth.` and `msal` are followed by in a redirect URI.
  private static func withoutScheme(_ segment: Substring) -> Substring {
    var text = segment
    if text.hasSuffix(":") { text = text.dropLast() }
    for prefix in ["msauth.", "msal"] where text.hasPrefix(prefix) && text.count > prefix.count {
      return text.dropFirst(prefix.count)
    }
    return text
  }

  /// `YOUR_CLIENT_ID`, `your-client-id` and `YourClientId` in their words; dots stay inside a word.
  private static func words(of text: Substring) -> [Substring] {
    text.split { !($0.isLetter || $0.isNumber || $0 == ".") }.flatMap(humps)
  }

  /// The words of a text in lower case: `YourClientId` has three.
  static func foldedWords(of text: Substring) -> Set<String> { Set(words(of: text).map { $0.lowercased() }) }

  private static func humps(_ word: Substring) -> [Substring] {
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

  /// `CLIENT_ID`, `insert-tenant-id`, `my app id`: nothing but the name of what belongs there, and words around it.
  private static func isTheNameOfAThing(_ folded: [String]) -> Bool {
    if folded.count == 1 { return names.contains(folded[0]) }
    let core = folded.filter { !fillers.contains($0) && !asks.contains($0) && !addresses.contains($0) }
    guard core.count >= 2 else { return core.count == 1 && names.contains(core[0]) }
    return core.allSatisfy(parts.contains) && core.contains(where: ends.contains)
      && core.contains { !ends.contains($0) }
  }

  private static let asks: Set<String> = [
    "enter", "insert", "replace", "add", "put", "paste", "change", "fill", "set", "provide", "specify", "use",
  ]
  private static let addresses: Set<String> = ["the", "your", "here", "me", "this", "with", "in"]
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
  private static let ends: Set<String> = ["id", "identifier", "guid", "hash", "name"]
  private static let compact: Set<String> = [
    "yourtenant", "yourtenantname", "yourtenantid", "yourclientid", "yourappid", "yourapplicationid", "yourdirectoryid",
    "yourb2ctenant", "yourdomain", "yourpolicy", "yourguid", "yoursubdomain", "yourbundleid", "yourpackagename",
    "yourorganization", "yourorg",
  ]
}
