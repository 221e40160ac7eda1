import IdentityPlatform

/// Finds placeholders from sample projects: `YOUR_APP_ID_HERE`, `<tenant>`, `[Enter client ID]`, `xxxxxxxx-xxxx-…`.
package enum TemplatePlaceholder {
  /// The maximum length, in bytes, of a string to search for placeholders and references. No ID, URL, or scope is
  /// longer.
  package static let longestText = 2000

  /// Returns the placeholder in a value, or nil.
  ///
  /// Words count only if they stand alone and address the reader, so that `com.yourlauncher`, `enterprise.com`, and an
  /// app named `todo` do not match. References that a build resolves (`$(NAME)`, `#{name}#`) are never placeholders.
  package static func find(in text: String) -> Substring? {
    guard text.utf8.count <= longestText else { return nil }
    let value = text[...]
    if value.isEmpty || GUIDText.isWellFormed(value) { return nil }
    if Definitions.containsReference(text) { return nil }
    if let bracketed = bracketed(value) { return bracketed }
    if value.contains("...") || value.contains("…") { return value }
    guard
      let placeholder = value.split(separator: "/").first(where: {
        isFiller($0) || PlaceholderPatterns.isPlaceholder($0)
      }
      )
    else { return nil }
    guard placeholder.hasSuffix(":") else { return placeholder }
    // Text before `://` is a scheme, or a part of a sentence that contains a URL. The sentence is returned in full.
    return placeholder.contains(where: \.isWhitespace) ? value : placeholder.dropLast()
  }

  /// Whether a GUID is fake: one repeated digit, consecutive digits, or long runs as in Microsoft's documentation.
  package static func isDummyGUID(_ text: String) -> Bool {
    guard GUIDText.isWellFormed(text) else { return false }
    let lower = text.lowercased()
    // Microsoft's first-generation services have such IDs.
    if lower.hasSuffix("-0000-0000-c000-000000000000") { return false }
    let digits = lower.filter { $0 != "-" }
    if fakePrefixes.contains(where: digits.hasPrefix) { return true }
    let longestRuns = runs(in: digits)
    if longestRuns.allSatisfy({ $0 >= 4 }) { return true }
    return longestRuns.contains { $0 >= 28 }
  }

  private static let fakePrefixes = [
    "123456781234123412341234", "0123456789abcdef", "1234567890abcdef", "abcdef1234567890", "a1b2c3d4e5f6",
    "1234abcd12ab34cd56ef", "deadbeefdeadbeef",
  ]

  /// Returns the lengths of runs of equal characters.
  private static func runs(in text: String) -> [Int] {
    var lengths: [Int] = []
    var last: Character?
    for character in text {
      if character == last { lengths[lengths.count - 1] += 1 } else { lengths.append(1) }
      last = character
    }
    return lengths
  }

  /// Whether the segment is filler: `xxxxxxxx-xxxx-…`, `********`, or a GUID whose later groups consist of `x`.
  private static func isFiller(_ segment: Substring) -> Bool {
    var text = segment
    for prefix in ["msauth.", "msal"] where text.hasPrefix(prefix) && text.count > prefix.count + 3 {
      text = text.dropFirst(prefix.count)
      break
    }
    if text.hasSuffix(":") { text = text.dropLast() }
    let letters = text.filter { $0.isLetter || $0.isNumber }
    let isX = { (character: Character) in character == "x" || character == "X" }
    if letters.count >= 4, letters.allSatisfy(isX) { return true }
    if letters.isEmpty { return text.count >= 3 && text.allSatisfy { $0 == "*" || $0 == "#" || $0 == "?" } }
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    return groups.count == 5 && groups.dropFirst().allSatisfy { !$0.isEmpty && $0.allSatisfy(isX) }
  }

  private static func bracketed(_ text: Substring) -> Substring? {
    for (open, close) in [("<", ">"), ("[", "]"), ("{", "}")] as [(Character, Character)] {
      var rest = text
      while let start = rest.firstIndex(of: open), let end = rest[start...].firstIndex(of: close) {
        let inside = rest[rest.index(after: start)..<end]
        if isPlaceholderContent(inside) { return rest[start...end] }
        rest = rest[rest.index(after: end)...]
      }
    }
    return nil
  }

  /// Whether the content of brackets is a placeholder. IPv6 addresses, GUIDs, and format arguments such as `{0}` are
  /// not.
  private static func isPlaceholderContent(_ inside: Substring) -> Bool {
    if inside.allSatisfy(\.isNumber) { return false }
    if inside.contains(where: { $0 == ":" || $0 == "-" }),
      inside.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "-" || $0 == "." })
    {
      return false
    }
    return inside.contains { $0.isLetter || $0.isNumber }
  }
}
