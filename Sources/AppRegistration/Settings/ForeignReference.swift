/// References that release pipelines and template engines replace, but authflow does not: `#{name}#`, `__NAME__`,
/// `%NAME%`, `{{name}}`.
enum ForeignReference {
  /// Returns the first reference in a string.
  static func find(in text: String) -> Substring? {
    guard text.utf8.count <= TemplatePlaceholder.longestText else { return nil }
    var mayContainReference = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "_"), UInt8(ascii: "%"): mayContainReference = true
      default: break
      }
    }
    guard mayContainReference else { return nil }
    return enclosed(text, "#{", "}#") ?? enclosed(text, "#{", "}") ?? enclosed(text, "{{", "}}") ?? underlined(text)
      ?? percent(text)
  }

  private static func enclosed(_ text: String, _ open: String, _ close: String) -> Substring? {
    guard let start = text.firstRange(of: open), let end = text[start.upperBound...].firstRange(of: close),
      start.upperBound < end.lowerBound
    else { return nil }
    return text[start.lowerBound..<end.upperBound]
  }

  /// Returns the first component, delimited by `/`, `.`, or `:`, that starts and ends with two underscores.
  private static func underlined(_ text: String) -> Substring? {
    text.split { $0 == "/" || $0 == "." || $0 == ":" }.first { part in
      part.count > 4 && part.hasPrefix("__") && part.hasSuffix("__") && part.dropFirst(2).dropLast(2).allSatisfy(isName)
    }
  }

  /// Returns the text if all of it is a reference. Percent signs inside a value encode bytes instead.
  private static func percent(_ text: String) -> Substring? {
    guard text.count > 2, text.hasPrefix("%"), text.hasSuffix("%"), text.dropFirst().dropLast().allSatisfy(isName)
    else {
      return nil
    }
    return text[...]
  }

  private static func isName(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "_" || character == "-")
  }
}
