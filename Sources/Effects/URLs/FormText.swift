/// The decoded parameters of a query or a posted form (`application/x-www-form-urlencoded`).
package enum FormText {
  /// Parses leniently: a pair without `=` has an empty value, invalid escapes are kept as text, and invalid UTF-8
  /// becomes U+FFFD.
  /// - Parameter isIncluded: Whether an encoded pair is part of the result.
  package static func parameters(
    of text: some StringProtocol, where isIncluded: (_ pair: ArraySlice<UInt8>) -> Bool = { _ in true }
  ) -> [(name: String, value: String)] {
    // Splitting bytes is many times faster than splitting characters.
    Array(text.utf8).split(separator: UInt8(ascii: "&")).filter(isIncluded).map { pair in
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      return (
        PercentEncoding.decode(pair[..<equals], plusIsSpace: true),
        PercentEncoding.decode(pair[equals...].dropFirst(), plusIsSpace: true)
      )
    }
  }
}
