import Diagnostics
import Documents

extension Positioned where Value == String {
  /// Returns the source range of a part of the value, or nil if its source text contains escape sequences.
  /// - Parameter part: A slice of `value`.
  package func span(of part: Substring) -> SourceSpan? {
    guard let whole = place.span else { return nil }
    let written = place.source.text(in: whole)
    // The source text is the value itself, or the value in quotes.
    guard written == value || written.utf8.count == value.utf8.count + 2 && written.dropFirst().dropLast() == value
    else {
      return nil
    }
    let start = whole.start + (written.utf8.count - value.utf8.count) / 2
    let offset = value.utf8.distance(from: value.startIndex, to: part.startIndex)
    return SourceSpan(start: start + offset, end: start + offset + part.utf8.count)
  }

  /// Returns the location of a part of the value, or of the entire value if the part does not have a location.
  package func place(of part: Substring) -> FileSpan {
    FileSpan(place.source, span(of: part) ?? place.span)
  }

  /// Whether a build system or a template engine replaces the value or a part of it.
  package var isReference: Bool { Definitions.containsReference(value) }

  /// Whether the value is empty or contains only whitespace.
  package var isBlank: Bool { !value.contains { !$0.isWhitespace } }
}

/// Percent-encoding (RFC 3986 §2.1).
package enum PercentText {
  /// Returns the string with each `%XX` replaced by its byte. Other percent signs are unchanged.
  package static func decode(_ text: some StringProtocol) -> String {
    let bytes = Array(text.utf8)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hex(bytes[index + 1]),
        let low = hex(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Encodes base64 text for a path segment, as Android's `Uri.Builder` does.
  package static func encodeBase64(_ text: some StringProtocol) -> String {
    var encoded = ""
    for character in text {
      switch character {
      case "+": encoded += "%2B"
      case "/": encoded += "%2F"
      case "=": encoded += "%3D"
      default: encoded.append(character)
      }
    }
    return encoded
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
