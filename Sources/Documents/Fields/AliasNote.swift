/// The note in a schema description that marks a key as an alias of another key.
package enum AliasNote {
  private static let start = " (alias of `"
  private static let end = "`)"

  /// Returns the description of an alias.
  static func description(_ description: String, ofAliasFor key: String) -> String { description + start + key + end }

  /// Returns the key that an alias refers to, or nil if the description does not belong to an alias.
  package static func key(in description: String) -> String? {
    guard description.hasSuffix(end), let mark = description.ranges(of: start).last else { return nil }
    return String(description[mark.upperBound...].dropLast(end.count))
  }
}
