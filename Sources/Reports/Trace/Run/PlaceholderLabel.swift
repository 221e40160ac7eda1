import Documents
import Effects
import OrderedCollections

/// A placeholder in a trace, in the format `‹kind #number›`.
package enum PlaceholderLabel {
  /// Calls `body` with each placeholder in the text, in order.
  package static func each(in text: String, _ body: (_ label: Substring, _ kind: Substring, _ number: Int) -> Void) {
    // In UTF-8, U+2039 is E2 80 B9. Most text does not contain this character.
    guard text.utf8.contains(0xE2) else { return }
    var rest = text[...]
    while let open = rest.firstIndex(of: "‹") {
      let inside = rest.index(after: open)
      guard let close = rest[inside...].firstIndex(where: { $0 == "›" || $0 == "‹" }), rest[close] == "›" else {
        rest = rest[inside...]
        continue
      }
      let words = rest[inside..<close]
      let end = rest.index(after: close)
      if let sharp = words.lastIndex(of: "#"), let number = Int(words[words.index(after: sharp)...]), sharp > inside {
        body(rest[open..<end], words[..<words.index(before: sharp)], number)
      }
      rest = rest[end...]
    }
  }

  /// Calls `body` with each placeholder in a JSON value, but not with placeholders in member names.
  static func each(in json: JSON, _ body: (_ label: Substring, _ kind: Substring, _ number: Int) -> Void) {
    switch json {
    case .string(let text): each(in: text, body)
    case .array(let values): for value in values { each(in: value, body) }
    case .object(let members): for value in members.values { each(in: value, body) }
    default: break
    }
  }

  /// Returns a URL with percent-encoded placeholders, because placeholders contain a space and a `#`.
  package static func percentEncoded(inURL url: String) -> String {
    var encoded = ""
    var rest = url[...]
    each(in: url) { label, _, _ in
      // The labels are in order, so the next label is in the rest of the text.
      guard let range = rest.firstRange(of: label) else { return }
      encoded += rest[..<range.lowerBound] + PercentEncoding.encode(label)
      rest = rest[range.upperBound...]
    }
    return encoded + rest
  }
}
