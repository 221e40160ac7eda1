/// Functions that convert event and message bodies between HTML and plain text.
enum BodyContentConversion {
  /// Returns the first 255 characters of a body's text, on one line.
  static func preview(_ content: String) -> String {
    let words = text(content).split { $0.isWhitespace }
    return String(words.joined(separator: " ").prefix(255))
  }

  /// Returns HTML without its markup. Returns plain text unchanged.
  static func text(_ content: String) -> String {
    guard content.contains("<") else { return content }
    var text = ""
    var rest = content[...]
    while let open = rest.firstIndex(of: "<") {
      text += rest[..<open]
      let tag = rest[open...].prefix { $0 != ">" }
      let name = tag.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "/" }.lowercased()
      if ["br", "/p", "/div", "/tr", "/li"].contains(name) { text += "\r\n" }
      rest = rest[tag.endIndex...].dropFirst()
      // Style and script elements contain no visible text.
      if name == "style" || name == "script" || name == "head" {
        guard let end = rest.firstRange(of: "</\(name)") else { return text }
        rest = rest[end.lowerBound...]
      }
    }
    text += rest
    for (entity, character) in [("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
      text = text.replacing(entity, with: character)
    }
    return text
  }

  /// Converts text to an HTML page in Outlook's format.
  static func page(_ text: String) -> String {
    let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    return "<html><head><meta http-equiv=\"Content-Type\" content=\"text/html; charset=utf-8\"></head><body>"
      + escaped.replacing("\r\n", with: "<br>").replacing("\n", with: "<br>") + "</body></html>"
  }
}
