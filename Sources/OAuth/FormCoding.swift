/// The form `application/x-www-form-urlencoded`, as token requests and query strings are written.
package enum FormCoding {
  /// The media type of a form's body.
  package static let mediaType = "application/x-www-form-urlencoded"

  /// Names and values with a space as `+` and all but ALPHA, DIGIT and `-._~` percent-encoded in upper case: MSAL's
  /// way of writing, which every server reads.
  package static func serialize(_ parameters: Parameters) -> String {
    var form: [UInt8] = []
    for entry in parameters.entries {
      if !form.isEmpty { form.append(UInt8(ascii: "&")) }
      escape(entry.name, space: "+", into: &form)
      form.append(UInt8(ascii: "="))
      escape(entry.value, space: "+", into: &form)
    }
    return String(decoding: form, as: UTF8.self)
  }

  /// The parameters of a form or query text, tolerantly: a pair without `=` has an empty value, an escape that is none
  /// stands for itself, bytes that are no UTF-8 become U+FFFD.
  package static func parse(_ text: some StringProtocol) -> Parameters {
    parse(pairs(of: text))
  }

  /// As `parse`, except that a pair with more than one `=` is left out, as MSAL reads redirect responses.
  package static func parseLeavingOutAmbiguousPairs(_ text: some StringProtocol) -> Parameters {
    parse(pairs(of: text).filter { pair in pair.utf8.count { $0 == UInt8(ascii: "=") } <= 1 })
  }

  /// The parameters of a form's body.
  package static func parse(body: [UInt8]) -> Parameters {
    parse(String(decoding: body, as: UTF8.self))
  }

  /// One name or value in its encoded form.
  package static func encode(_ text: String) -> String {
    escape(text, space: "+")
  }

  /// One component of a URL: as `encode`, but a space is `%20`.
  package static func percentEncode(_ text: String) -> String {
    escape(text, space: "%20")
  }

  /// The text behind percent escapes; `+` becomes a space first where `plusIsSpace`.
  package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = true) -> String {
    decode(String(text)[...], plusIsSpace: plusIsSpace)
  }

  package static func decode(_ text: Substring, plusIsSpace: Bool = true) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }) else {
      return String(text)
    }
    let bytes = Array(text.utf8)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hexDigit(bytes[index + 1]),
        let low = hexDigit(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
        continue
      }
      decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      index += 1
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Cut between bytes: looking for whole characters takes many times as long.
  private static func pairs(of text: some StringProtocol) -> [Substring] {
    Substring(text).utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true).map { Substring($0) }
  }

  private static func parse(_ pairs: [Substring]) -> Parameters {
    Parameters(
      pairs.map { pair in
        let mark = pair.utf8.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
        return Parameters.Entry(decode(pair[..<mark]), decode(Substring(pair.utf8[mark...].dropFirst())))
      })
  }

  private static func escape(_ text: String, space: String) -> String {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.utf8.count)
    escape(text, space: space, into: &escaped)
    return String(decoding: escaped, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func escape(_ text: String, space: String, into escaped: inout [UInt8]) {
    let digits = Self.digits
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        escaped.append(byte)
      case UInt8(ascii: " "): escaped += space.utf8
      default:
        escaped.append(UInt8(ascii: "%"))
        escaped.append(digits[Int(byte >> 4)])
        escaped.append(digits[Int(byte & 15)])
      }
    }
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
