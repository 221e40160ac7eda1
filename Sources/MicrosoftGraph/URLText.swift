import Trust

/// Escapes, joins, and resolves URLs.
enum URLText {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Escapes characters that a path must not contain (RFC 3986 §3.3). Keeps existing escapes such as `%41`.
  static func path(_ text: some StringProtocol) -> String {
    escape(text, keeping: "-._~!$&'()*+,;=:@/", keepingEscapes: true)
  }

  /// Escapes characters that a complete query must not contain. Keeps `&`, `=`, and existing escapes.
  static func query(_ text: some StringProtocol) -> String {
    escape(text, keeping: "-._~!$&'()*+,;=:@/?", keepingEscapes: true)
  }

  /// Escapes a name or value of a query parameter, including `&`, `=`, `+`, `#`, and `%`.
  static func queryPart(_ text: some StringProtocol) -> String {
    escape(text, keeping: "-._~!$'()*,;:@/?", keepingEscapes: false)
  }

  private static func escape(_ text: some StringProtocol, keeping: String, keepingEscapes: Bool) -> String {
    let allowed = Set(keeping.utf8)
    let bytes = Array(text.utf8)
    var escaped: [UInt8] = []
    escaped.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      let isLetterOrDigit = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      let isEscape =
        keepingEscapes && byte == UInt8(ascii: "%") && index + 2 < bytes.count && isHex(bytes[index + 1])
        && isHex(bytes[index + 2])
      if isLetterOrDigit || allowed.contains(byte) || isEscape {
        escaped.append(byte)
      } else {
        escaped += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...70).contains(byte) || (97...102).contains(byte)
  }

  /// Resolves a `Location` header against the request URL (RFC 3986 §5.2) and removes the fragment. Returns nil if the
  /// result is not an HTTP or HTTPS URL.
  static func resolve(_ reference: some StringProtocol, against base: String) -> String? {
    let reference = reference.prefix { $0 != "#" }
    guard let baseOrigin = Origin(of: base) else { return nil }
    if let colon = reference.firstIndex(of: ":"), isScheme(reference[..<colon]) {
      return Origin(of: reference) == nil ? nil : String(reference)
    }
    if reference.hasPrefix("//") {
      let absolute = "\(baseOrigin.scheme):\(reference)"
      return Origin(of: absolute) == nil ? nil : absolute
    }
    let withoutFragment = base.prefix { $0 != "#" }
    let root = authorityPart(of: withoutFragment)
    let basePath = withoutFragment.dropFirst(root.count).prefix { $0 != "?" }
    if reference.isEmpty { return String(withoutFragment) }
    if reference.hasPrefix("?") { return "\(root)\(basePath)\(reference)" }
    let folder =
      reference.hasPrefix("/") ? "" : basePath.lastIndex(of: "/").map { String(basePath[...$0]) } ?? "/"
    let path = reference.prefix { $0 != "?" }
    return root + removingDotSegments(folder + path) + reference.dropFirst(path.count)
  }

  /// Returns the scheme and authority of a URL as written, such as `https://host:1` for `https://host:1/path?query`.
  static func authorityPart(of url: some StringProtocol) -> String {
    guard let schemeEnd = url.firstRange(of: "://") else { return "" }
    let authority = url[schemeEnd.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return String(url[..<schemeEnd.upperBound]) + authority
  }

  /// Whether the text before a colon is a URI scheme. If it is not, the colon is part of a relative path.
  private static func isScheme(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, Character(Unicode.Scalar(first)).isLetter else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+" || $0 == "-" || $0 == ".") }
  }

  /// Removes `.` and `..` segments from a path (RFC 3986 §5.2.4).
  private static func removingDotSegments(_ path: String) -> String {
    var segments: [Substring] = []
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      switch part {
      case ".":
        if isLast { segments.append("") }
      case "..":
        _ = segments.popLast()
        if isLast { segments.append("") }
      default: segments.append(part)
      }
    }
    return "/" + segments.joined(separator: "/")
  }
}
