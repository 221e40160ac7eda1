import Documents
import Effects

/// Markup that escapes interpolated strings, so that text from a request cannot create an element.
struct HTML: ExpressibleByStringInterpolation, Sendable {
  /// The HTML source.
  private(set) var text: String

  init(stringLiteral value: String) { text = value }

  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

  struct Interpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ value: String) { text += HTML.escape(value) }
    mutating func appendInterpolation(_ value: Int) { text += String(value) }
    mutating func appendInterpolation(_ markup: HTML) { text += markup.text }
    mutating func appendInterpolation(_ markup: HTML?) { text += markup?.text ?? "" }
    mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { text += part.text } }
  }

  /// Escapes text for use in elements and attribute values.
  static func escape(_ value: String) -> String { value.escapedForMarkup }

  static func + (lhs: HTML, rhs: HTML) -> HTML {
    var sum = lhs
    sum.text += rhs.text
    return sum
  }
}
