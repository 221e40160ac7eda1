import IdentityPlatform

/// Finds what samples leave for their readers to fill in: `YOUR_APP_ID_HERE`, `<tenant>`, `[Enter client ID]`, `xxxxxxxx-xxxx-…`.
package enum TemplatePlaceholder {
  /// Bytes. No id, address or scope is longer; a longer text is searched neither for placeholders nor for references.
  package static let longestText = 2000

  /// The part of a value that is still to be filled in; nil where all of it may be meant.
  ///
  /// Words count only where they stand alone and speak to the reader, so that `com.yourlauncher`, `enterprise.com` or an app
  /// called `todo` are let pass. References that a build fills in (`$(NAME)`, `#{name}#`) are never placeholders.
  package static func find(in text: String) -> Substring? {
    guard text.utf8.count <= longestText else { return nil }
    let whole = text[...]
    if whole.isEmpty || GUIDText.isWellFormed(whole) { return nil }
    if Definitions.holdsReference(text) { return nil }
    if let bracketed = bracketed(whole) { return bracketed }
    if whole.contains("...") || whole.contains("…") { return whole }
    guard
      let found = whole.split(separator: "/").first(where: { isFiller($0) || PlaceholderPatterns.speaksToTheReader($0) }
      )
    else { return nil }
    guard found.hasSuffix(":") else { return found }
    // What stands before `://` is a scheme, or prose with an address in it, which is shown as a whole.
    return found.contains(where: \.isWhitespace) ? whole : found.dropLast()
  }

  /// A GUID that nobody was given: one digit all along, digits in their order, or long runs as Microsoft's documentation makes them.
  package static func isDummyGUID(_ text: String) -> Bool {
    guard GUIDText.isWellFormed(text) else { return false }
    let lower = text.lowercased()
    // The first services of all were given such ids by hand.
    if lower.hasSuffix("-0000-0000-c000-000000000000") { return false }
    let digits = lower.filter { $0 != "-" }
    if handWritten.contains(where: digits.hasPrefix) { return true }
    let longestRuns = runs(in: digits)
    if longestRuns.allSatisfy({ $0 >= 4 }) { return true }
    return longestRuns.contains { $0 >= 28 }
  }

  private static let handWritten = [
    "123456781234123412341234", "0123456789abcdef", "1234567890abcdef", "abcdef1234567890", "a1b2c3d4e5f6",
    "1234abcd12ab34cd56ef", "deadbeefdeadbeef",
  ]

  /// The lengths of the runs of equal characters.
  private static func runs(in text: String) -> [Int] {
    var lengths: [Int] = []
    var last: Character?
    for character in text {
      if character == last { lengths[lengths.count - 1] += 1 } else { lengths.append(1) }
      last = character
    }
    return lengths
  }

  /// `xxxxxxxx-xxxx-…`, `********`, and GUIDs whose later half is x.
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
        if standsForSomething(inside) { return rest[start...end] }
        rest = rest[rest.index(after: end)...]
      }
    }
    return nil
  }

  /// An IPv6 address stands in brackets, a GUID may stand in braces, and `{0}` is filled in by code.
  private static func standsForSomething(_ inside: Substring) -> Bool {
    if inside.allSatisfy(\.isNumber) { return false }
    if inside.contains(where: { $0 == ":" || $0 == "-" }),
      inside.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "-" || $0 == "." })
    {
      return false
    }
    return inside.contains { $0.isLetter || $0.isNumber }
  }
}
