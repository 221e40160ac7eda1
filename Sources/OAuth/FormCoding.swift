/// The form `application/x-www-form-urlencoded`, as token requests and query strings are written.
package enum FormCoding {
  /// The media type of a form's body.
  package static let mediaType = "application/x-www-form-urlencoded"

  /// Names and values with a space as `+` and all but ALPHA, DIGIT and `-._~` percent-encoded in upper case: MSAL's
  /// way of writing, which every server reads.
  package static func serialize(_ parameters: Parameters) -> String { serialize(parameters, space: "+") }

  /// The query of a URL: as `serialize`, but with a space as `%20`, as MSAL writes its authorize and sign-out requests.
  package static func serializeQuery(_ parameters: Parameters) -> String { serialize(parameters, space: "%20") }

  private static func serialize(_ parameters: Parameters, space: String) -> String {
    var form: [UInt8] = []
    for entry in parameters.entries {
      if !form.isEmpty { form.append(UInt8(ascii: "&")) }
      escape(entry.name, space: space, into: &form)
      form.append(UInt8(ascii: "="))
      escape(entry.value, space: space, into: &form)
    }
    return String(decoding: form, as: UTF8.self)
  }

  /// The parameters of a form or query text, tolerantly: a pair without `=` has an empty value, an escape that is none
  /// stands for itself, bytes that are no UTF-8 become U+FFFD.
  package static func parse(_ text: some StringProtocol) -> Parameters {
    parse(text) { _ in true }
  }

  /// As `parse`, except that a pair with more than one `=` is left out, as MSAL reads redirect responses.
  package static func parseLeavingOutAmbiguousPairs(_ text: some StringProtocol) -> Parameters {
    parse(text) { pair in pair.count { $0 == UInt8(ascii: "=") } <= 1 }
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
    decode(Array(text.utf8)[...], plusIsSpace: plusIsSpace)
  }

  private static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String {
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return String(unsafeUninitializedCapacity: bytes.count) { decoded in
      var end = 0
      var index = bytes.startIndex
      while index < bytes.endIndex {
        var byte = bytes[index]
        if byte == UInt8(ascii: "%"), index + 2 < bytes.endIndex, let high = hexDigit(bytes[index + 1]),
          let low = hexDigit(bytes[index + 2])
        {
          byte = high << 4 | low
          index += 3
        } else {
          if plusIsSpace, byte == UInt8(ascii: "+") { byte = UInt8(ascii: " ") }
          index += 1
        }
        decoded.initializeElement(at: end, to: byte)
        end += 1
      }
      return end
    }
  }

  /// Cut between bytes, which lie side by side: looking for whole characters takes many times as long.
  private static func parse(
    _ text: some StringProtocol, where isWanted: (_ pair: ArraySlice<UInt8>) -> Bool
  ) -> Parameters {
    Parameters(
      Array(text.utf8).split(separator: UInt8(ascii: "&")).filter(isWanted).map { pair in
        let mark = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
        return Parameters.Entry(
          decode(pair[..<mark], plusIsSpace: true), decode(pair[mark...].dropFirst(), plusIsSpace: true))
      })
  }

  private static func escape(_ text: String, space: String) -> String {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.utf8.count)
    escape(text, space: space, into: &escaped)
    return String(decoding: escaped, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  /// What stands for itself (RFC 3986 §2.3), by byte.
  private static let isUnreserved = (UInt8.min...UInt8.max).map { byte in
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func escape(_ text: String, space: String, into escaped: inout [UInt8]) {
    let (digits, isUnreserved) = (Self.digits, Self.isUnreserved)
    var text = text
    text.withUTF8 { bytes in
      // What needs no escape is copied in one piece: sealed states are long.
      var start = 0
      for index in 0..<bytes.count where !isUnreserved[Int(bytes[index])] {
        let byte = bytes[index]
        escaped += bytes[start..<index]
        start = index + 1
        if byte == UInt8(ascii: " ") {
          escaped += space.utf8
        } else {
          escaped.append(UInt8(ascii: "%"))
          escaped.append(digits[Int(byte >> 4)])
          escaped.append(digits[Int(byte & 15)])
        }
      }
      escaped += bytes[start...]
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
