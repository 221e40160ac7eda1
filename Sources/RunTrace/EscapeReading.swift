/// Reads a single escape in text.
enum EscapeReading {
  typealias Escape = (meaning: [UInt8], length: Int)

  /// Decodes the escape at an offset to UTF-8 and returns the length of the escape. Returns nil if there is no escape
  /// at the offset.
  static func escape(
    _ escapes: DecodedText.Escapes, in text: [UInt8], at index: Int
  ) -> Escape? {
    switch (escapes, text[index]) {
    case (.percent, UInt8(ascii: "%")), (.form, UInt8(ascii: "%")): percent(text, index)
    case (.form, UInt8(ascii: "+")): ([UInt8(ascii: " ")], 1)
    case (.backslash, UInt8(ascii: "\\")): backslash(text, index)
    case (.html, UInt8(ascii: "&")): entity(text, index)
    default: nil
    }
  }

  private static func percent(_ text: [UInt8], _ index: Int) -> Escape? {
    number(text, index + 1, digits: 2).map { ([UInt8(truncatingIfNeeded: $0)], 3) }
  }

  // MARK: Backslashes

  private static let letters: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
    UInt8(ascii: "t"): 0x09,
  ]

  private static func backslash(_ text: [UInt8], _ index: Int) -> Escape? {
    guard index + 1 < text.count else { return nil }
    switch text[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"): return ([text[index + 1]], 2)
    case UInt8(ascii: "x"): return number(text, index + 2, digits: 2).flatMap(utf8).map { ($0, 4) }
    case UInt8(ascii: "u"):
      guard let unit = number(text, index + 2, digits: 4) else { return nil }
      if 0xD800..<0xDC00 ~= unit, index + 7 < text.count, text[index + 6] == UInt8(ascii: "\\"),
        text[index + 7] == UInt8(ascii: "u"), let low = number(text, index + 8, digits: 4), 0xDC00..<0xE000 ~= low
      {
        return utf8(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)).map { ($0, 12) }
      }
      return utf8(unit).map { ($0, 6) }
    case let letter: return letters[letter].map { ([$0], 2) }
    }
  }

  // MARK: HTML

  /// The character references for ASCII characters and for letters in German and neighboring languages (HTML §13.5).
  private static let entities: [String: UInt32] = {
    let words = """
      amp & lt < gt > quot " apos ' sol / bsol \\ equals = plus + colon : semi ; num # percnt % commat @ excl ! dollar $ ast *
      lpar ( rpar ) comma , period . quest ? lsqb [ rsqb ] lcub { rcub } verbar | grave ` Hat ^ lowbar _ auml ä ouml ö uuml ü
      Auml Ä Ouml Ö Uuml Ü szlig ß agrave à aacute á acirc â aring å aelig æ ccedil ç egrave è eacute é ecirc ê euml ë
      iacute í icirc î iuml ï ntilde ñ oacute ó ocirc ô oslash ø uacute ú ucirc û Eacute É Aring Å Oslash Ø AElig Æ sect §
      euro € pound £ deg ° para ¶
      """.split { $0 == " " || $0 == "\n" }
    var entities: [String: UInt32] = ["nbsp": 0xA0, "Tab": 0x09, "NewLine": 0x0A]
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      entities[String(words[index])] = words[index + 1].unicodeScalars.first?.value
    }
    return entities
  }()

  private static let longestEntity = 10

  private static func entity(_ text: [UInt8], _ index: Int) -> Escape? {
    guard let end = text[index...].prefix(longestEntity + 2).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: text[(index + 1)..<end], as: UTF8.self)
    let value: UInt32?
    if name.hasPrefix("#x") || name.hasPrefix("#X") {
      value = UInt32(name.dropFirst(2), radix: 16)
    } else if name.hasPrefix("#") {
      value = UInt32(name.dropFirst())
    } else {
      value = entities[name]
    }
    return value.flatMap(utf8).map { ($0, end + 1 - index) }
  }

  // MARK: Numbers

  private static func number(_ text: [UInt8], _ start: Int, digits: Int) -> UInt32? {
    guard start + digits <= text.count else { return nil }
    var value: UInt32 = 0
    for byte in text[start..<(start + digits)] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
      default: return nil
      }
    }
    return value
  }

  private static func utf8(_ value: UInt32) -> [UInt8]? {
    Unicode.Scalar(value).map { Array(String(Character($0)).utf8) }
  }
}
