import Effects

/// The `application/x-www-form-urlencoded` format of token requests and query strings (RFC 6749, appendix B).
package enum FormCoding {
  package static let mediaType = "application/x-www-form-urlencoded"

  /// Serializes a request body. Encodes spaces as `+` and all other characters except ALPHA, DIGIT, and `-._~` as
  /// uppercase percent escapes, as MSAL does.
  package static func serialize(_ parameters: Parameters) -> String { serialize(parameters, spaceIsPlus: true) }

  /// Serializes a URL query. Encodes spaces as `%20`, as MSAL does in authorization and sign-out requests.
  package static func serializeQuery(_ parameters: Parameters) -> String { serialize(parameters, spaceIsPlus: false) }

  private static func serialize(_ parameters: Parameters, spaceIsPlus: Bool) -> String {
    var form: [UInt8] = []
    for entry in parameters.entries {
      if !form.isEmpty { form.append(UInt8(ascii: "&")) }
      append(entry.name, to: &form, spaceIsPlus: spaceIsPlus)
      form.append(UInt8(ascii: "="))
      append(entry.value, to: &form, spaceIsPlus: spaceIsPlus)
    }
    return String(decoding: form, as: UTF8.self)
  }

  private static func append(_ text: String, to form: inout [UInt8], spaceIsPlus: Bool) {
    guard spaceIsPlus else { return PercentEncoding.append(text, to: &form) }
    let start = form.count
    PercentEncoding.append(text, to: &form, keeping: unreservedAndSpace)
    for index in start..<form.count where form[index] == UInt8(ascii: " ") { form[index] = UInt8(ascii: "+") }
  }

  private static let unreservedAndSpace = PercentEncoding.Characters(adding: " ")

  /// Parses a form or query leniently.
  package static func parse(_ text: some StringProtocol) -> Parameters {
    Parameters(FormText.parameters(of: text).map { Parameters.Entry($0.name, $0.value) })
  }

  /// Parses a form or query but skips pairs with more than one `=`, as MSAL does for redirect responses.
  package static func parseSkippingAmbiguousPairs(_ text: some StringProtocol) -> Parameters {
    let pairs = FormText.parameters(of: text) { pair in pair.count { $0 == UInt8(ascii: "=") } <= 1 }
    return Parameters(pairs.map { Parameters.Entry($0.name, $0.value) })
  }

  /// Parses a request body.
  package static func parse(body: [UInt8]) -> Parameters {
    parse(String(decoding: body, as: UTF8.self))
  }

  /// Encodes a name or value.
  package static func encode(_ text: String) -> String {
    var encoded: [UInt8] = []
    append(text, to: &encoded, spaceIsPlus: true)
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Decodes a name or value.
  package static func decode(_ text: some StringProtocol) -> String {
    PercentEncoding.decode(Array(text.utf8)[...], plusIsSpace: true)
  }
}
