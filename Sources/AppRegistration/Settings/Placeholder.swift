import IdentityPlatform

/// Finds what samples leave for their readers to fill in: `YOUR_APP_ID_HERE`, `<tenant>`, `[Enter client ID]`, `xxxxxxxx-xxxx-…`.
package enum Placeholder {
  /// The part of a value that is still to be filled in; nil where all of it may be meant.
  ///
  /// Words count only where they stand alone and speak to the reader, so that `com.yourlauncher`, `enterprise.com` or an app
  /// called `todo` are let pass.
  package static func find(in text: String) -> Substring? {
    let whole = text[...]
    if let bracketed = bracketed(whole) { return bracketed }
    if whole.hasSuffix("...") || whole.hasSuffix("…") { return whole }
    let letters = whole.filter { $0.isLetter || $0.isNumber }
    if letters.count >= 4, letters.allSatisfy({ $0 == "x" || $0 == "X" }) { return whole }
    return whole.split(separator: "/").first(where: speaksToTheReader)
  }

  /// A GUID that nobody was given: one digit all along, or the digits in their order.
  package static func isDummyGUID(_ text: String) -> Bool {
    guard GUIDText.isWellFormed(text) else { return false }
    let digits = text.lowercased().filter { $0 != "-" }
    return Set(digits).count == 1 || digits.hasPrefix("123456781234123412341234")
      || digits.hasPrefix("0123456789abcdef")
  }

  private static func bracketed(_ text: Substring) -> Substring? {
    for (open, close) in [("<", ">"), ("[", "]"), ("{", "}")] as [(Character, Character)] {
      guard let start = text.firstIndex(of: open), let end = text[start...].firstIndex(of: close) else { continue }
      if open == "{", start > text.startIndex, text[text.index(before: start)] == "$" { continue }
      let inside = text[text.index(after: start)..<end]
      // An IPv6 address stands in brackets, and a GUID may stand in braces.
      if inside.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "-" || $0 == "." }),
        inside.contains(where: { $0 == ":" || $0 == "-" })
      {
        continue
      }
      if inside.contains(where: { $0.isLetter || $0.isNumber }) { return text[start...end] }
    }
    return nil
  }

  private static func speaksToTheReader(_ text: Substring) -> Bool {
    let words = text.split { !($0.isLetter || $0.isNumber || $0 == ".") }
    let folded = words.map { $0.lowercased() }
    if folded.contains("placeholder") || folded.contains("changeme") { return true }
    if words.first == "TODO" || words.contains("HERE") { return true }
    if folded.contains("your"), words.count > 1 { return true }
    let asks = ["enter", "insert", "replace", "add", "put", "paste", "change", "fill"]
    guard let first = folded.first, asks.contains(first) else { return false }
    return folded.dropFirst().contains { ["the", "your", "here", "me", "this", "with", "in"].contains($0) }
  }
}
