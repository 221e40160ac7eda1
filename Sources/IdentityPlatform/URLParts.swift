/// The components of a URL (RFC 3986 §3), as written.
package struct URLParts: Hashable, Sendable {
  package var scheme: String?
  /// Whether the URL contains `//`, which is followed by optional user information, a host, and an optional port.
  package var hasAuthority: Bool
  package var userInfo: String?
  /// The host, without the brackets of an IPv6 address. Empty for `msauth://`, and nil if the URL does not contain
  /// `//`.
  package var host: String?
  package var port: Int?
  package var path: String
  package var query: String?
  /// The fragment. Nil if the URL does not contain `#`, and empty if the URL ends with `#`.
  package var fragment: String?

  /// Parses a URL. Returns nil if the port is not a number.
  package init?(_ text: some StringProtocol) {
    // Searching UTF-8 bytes is many times faster than searching characters.
    var rest = Substring(text)
    if let hash = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
      fragment = String(rest[rest.utf8.index(after: hash)...])
      rest = rest[..<hash]
    }
    if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
      query = String(rest[rest.utf8.index(after: mark)...])
      rest = rest[..<mark]
    }
    if let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(rest[..<colon]) {
      scheme = String(rest[..<colon])
      rest = rest[rest.utf8.index(after: colon)...]
    }
    hasAuthority = rest.utf8.starts(with: "//".utf8)
    guard hasAuthority else {
      path = String(rest)
      return
    }
    rest = Substring(rest.utf8.dropFirst(2))
    let end = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
    path = String(rest[end...])
    var authority = rest[..<end]
    if let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
      userInfo = String(authority[..<at])
      authority = authority[authority.utf8.index(after: at)...]
    }
    var portText: Substring?
    if authority.first == "[", let close = authority.firstIndex(of: "]") {
      host = String(authority[authority.index(after: authority.startIndex)..<close])
      let after = authority[authority.index(after: close)...]
      guard after.isEmpty || after.first == ":" else { return nil }
      portText = after.isEmpty ? nil : after.dropFirst()
    } else if let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")) {
      host = String(authority[..<colon])
      portText = authority[authority.utf8.index(after: colon)...]
    } else {
      host = String(authority)
    }
    if let portText, !portText.isEmpty {
      guard portText.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(portText), number <= 65_535 else {
        return nil
      }
      port = number
    }
  }

  /// The nonempty path segments.
  package var segments: [Substring] { path.split(separator: "/") }

  /// The lowercase `host` or `host:port`. Does not include the scheme's default port.
  package var environment: String? {
    guard let host, !host.isEmpty else { return nil }
    let name = host.contains(":") ? "[\(host.lowercased())]" : host.lowercased()
    guard let port, port != Self.defaultPort(of: scheme) else { return name }
    return "\(name):\(port)"
  }

  /// Whether the host is a loopback address: `localhost`, 127.0.0.0/8, or `::1` (RFC 8252 §7.3).
  package var isLoopback: Bool {
    guard let host = host?.lowercased() else { return false }
    if host == "localhost" || host == "::1" { return true }
    let octets = host.split(separator: ".", omittingEmptySubsequences: false)
    return octets.count == 4 && octets[0] == "127" && octets.allSatisfy { UInt8($0) != nil }
  }

  private static func defaultPort(of scheme: String?) -> Int? {
    switch scheme?.lowercased() {
    case "https": 443
    case "http": 80
    default: nil
    }
  }

  /// Whether the text is a URL scheme. Accepts non-ASCII letters and `_`, because schemes can be bundle IDs that
  /// contain these characters.
  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.first, first.isLetter else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "+" || $0 == "-" || $0 == "." || $0 == "_" }
  }
}
