import IdentityPlatform

extension GUIDText {
  /// Returns the GUID in a string that uses a different format: in braces, after `api://`, or without hyphens. Returns
  /// nil if there is none.
  package static func hidden(in text: String) -> String? {
    var inner = text.trimmingWhiteSpace[...]
    if inner.hasPrefix("api://") { inner = inner.dropFirst("api://".count) }
    for (open, close) in [("{", "}"), ("(", ")")] where inner.hasPrefix(open) && inner.hasSuffix(close) {
      inner = inner.dropFirst().dropLast()
    }
    if isWellFormed(inner) { return String(inner) }
    guard inner.count == 32, inner.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
    var groups: [Substring] = []
    for length in [8, 4, 4, 4, 12] {
      groups.append(inner.prefix(length))
      inner = inner.dropFirst(length)
    }
    return groups.joined(separator: "-")
  }
}
