/// Text in which some escapes are decoded, with the original offset of each byte.
struct DecodedText: Sendable {
  /// An escape syntax. Text often contains nested escapes, such as a URL in a JSON string in a query.
  enum Escapes: CaseIterable, Sendable {
    case percent
    /// Percent-encoding with `+` for a space.
    case form
    /// Backslash escapes in JSON, JavaScript, and double-quoted YAML strings.
    case backslash
    case html
  }

  /// The maximum number of nested escape layers to decode. For example, a URL in a URL in JSON in HTML has four layers.
  private static let mostLayers = 4

  private(set) var bytes: [UInt8]
  /// The original offset of each byte, followed by the end of the original text. Nil if nothing was decoded.
  private var starts: [Int]?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the range of the original text from which a range of this text was decoded.
  func original(_ range: Range<Int>) -> Range<Int> {
    guard let starts else { return range }
    // A single escape can decode to several bytes.
    var end = range.upperBound
    while end < bytes.count, starts[end] == starts[end - 1] { end += 1 }
    return starts[range.lowerBound]..<starts[end]
  }

  /// Returns whether the text may contain an escape.
  static func hasEscapes(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      bytes.contains {
        switch $0 {
        case UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "\\"), UInt8(ascii: "&"): true
        default: false
        }
      }
    }
  }

  /// Calls a function with the text and with each distinct decoded form of the text.
  static func forEach(of bytes: [UInt8], _ body: (DecodedText) -> Void) {
    let plain = DecodedText(bytes)
    body(plain)
    guard hasEscapes(bytes) else { return }
    var seen: Set<[UInt8]> = [bytes]
    var layer = [plain]
    for _ in 0..<mostLayers {
      var next: [DecodedText] = []
      for text in layer {
        for escapes in Escapes.allCases {
          guard let decoded = text.decoding(escapes), seen.insert(decoded.bytes).inserted else { continue }
          body(decoded)
          next.append(decoded)
        }
      }
      guard !next.isEmpty else { return }
      layer = next
    }
  }

  /// Returns the text with one layer of escapes decoded, or nil if the text contains no escapes in this syntax.
  func decoding(_ escapes: Escapes) -> DecodedText? {
    let mark =
      switch escapes {
      case .percent: UInt8(ascii: "%")
      case .form: UInt8(ascii: "+")
      case .backslash: UInt8(ascii: "\\")
      case .html: UInt8(ascii: "&")
      }
    guard bytes.contains(mark) else { return nil }
    let first = bytes.firstIndex { $0 == mark || escapes == .form && $0 == UInt8(ascii: "%") } ?? 0
    var decoded = Array(bytes[..<first])
    var places = starts.map { Array($0[..<first]) } ?? Array(0..<first)
    decoded.reserveCapacity(bytes.count)
    places.reserveCapacity(bytes.count + 1)
    var hasChanged = false
    var index = first
    while index < bytes.count {
      let place = starts?[index] ?? index
      if let (meaning, length) = EscapeReading.escape(escapes, in: bytes, at: index) {
        hasChanged = true
        for byte in meaning {
          decoded.append(byte)
          places.append(place)
        }
        index += length
      } else {
        decoded.append(bytes[index])
        places.append(place)
        index += 1
      }
    }
    guard hasChanged else { return nil }
    places.append(starts?[bytes.count] ?? bytes.count)
    var result = DecodedText(decoded)
    result.starts = places
    return result
  }
}
