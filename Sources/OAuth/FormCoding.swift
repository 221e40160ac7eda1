/// The `application/x-www-form-urlencoded` format of token requests and query strings (RFC 6749, appendix B).
package enum FormCoding {
  package static let mediaType = "application/x-www-form-urlencoded"

  /// Serializes a request body. Encodes spaces as `+` and all other characters except ALPHA, DIGIT, and `-._~` as
  /// uppercase percent escapes, as MSAL does.
  package static func serialize(_ parameters: Parameters) -> String { serialize(parameters, space: "+") }

  /// Serializes a URL query. Encodes spaces as `%20`, as MSAL does in authorize and sign-out requests.
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

  /// Parses a form or query leniently. A pair without `=` has an empty value, invalid escapes are kept as text, and
  /// invalid UTF-8 becomes U+FFFD.
  package static func parse(_ text: some StringProtocol) -> Parameters {
    parse(text) { _ in true }
  }

  /// Parses a form or query but skips pairs with more than one `=`, as MSAL does for redirect responses.
  package static func parseSkippingAmbiguousPairs(_ text: some StringProtocol) -> Parameters {
    parse(text) { pair in pair.count { $0 == UInt8(ascii: "=") } <= 1 }
  }

  /// Parses a request body.
  package static func parse(body: [UInt8]) -> Parameters {
    parse(String(decoding: body, as: UTF8.self))
  }

  /// Encodes a name or value.
  package static func encode(_ text: String) -> String {
    escape(text, space: "+")
  }

  /// Encodes a URL component, with spaces as `%20`.
  package static func percentEncode(_ text: String) -> String {
    escape(text, space: "%20")
  }

  /// Decodes percent escapes and, if `plusIsSpace`, `+` as a space.
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

  /// Splits UTF-8 bytes, which is many times faster than splitting characters.
  private static func parse(
    _ text: some StringProtocol, where isIncluded: (_ pair: ArraySlice<UInt8>) -> Bool
  ) -> Parameters {
    Parameters(
      Array(text.utf8).split(separator: UInt8(ascii: "&")).filter(isIncluded).map { pair in
        let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
        return Parameters.Entry(
          decode(pair[..<equals], plusIsSpace: true), decode(pair[equals...].dropFirst(), plusIsSpace: true))
      })
  }

  private static func escape(_ text: String, space: String) -> String {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.utf8.count)
    escape(text, space: space, into: &escaped)
    return String(decoding: escaped, as: UTF8.self)
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Whether each byte is an unreserved character (RFC 3986 §2.3).
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
      // Copy each run of unreserved characters in one operation, because encrypted `state` values are long.
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
