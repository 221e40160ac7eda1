/// The five components of a URL (RFC 3986 §3), exactly as written.
package struct URLReference: Hashable, Sendable {
  /// The scheme without the `:`, or nil in a relative reference.
  package var scheme: String?
  /// The host with optional user information and port, or nil if the URL has no `//`.
  package var authority: String?
  package var path: String
  /// The query without the `?`.
  package var query: String?
  /// The fragment without the `#`. Empty if the URL ends with `#`.
  package var fragment: String?

  /// Splits any text. Text that is not a URL becomes the path (RFC 3986, appendix B).
  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { URLReference(utf8: $0) }
  }

  /// Splits UTF-8 bytes, which is faster than splitting characters.
  private init(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    func text(_ range: Range<Int>) -> String {
      String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
    var rest = bytes[...]
    func cut(from delimiter: UInt8) -> String? {
      // In debug builds, this loop is many times faster than the unspecialized `firstIndex`.
      var index = rest.startIndex
      while index < rest.endIndex, bytes[index] != delimiter { index += 1 }
      guard index < rest.endIndex else { return nil }
      defer { rest = rest[..<index] }
      return text(index + 1..<rest.endIndex)
    }
    fragment = cut(from: UInt8(ascii: "#"))
    query = cut(from: UInt8(ascii: "?"))
    scheme = nil
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      let prefix = text(rest.startIndex..<colon)
      if Self.isScheme(prefix, isFollowedByAuthority: rest[colon...].starts(with: "://".utf8)) {
        scheme = prefix
        rest = rest[(colon + 1)...]
      }
    }
    authority = nil
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      authority = text(rest.startIndex..<end)
      rest = rest[end...]
    }
    path = text(rest.startIndex..<rest.endIndex)
  }

  /// Whether the text is a scheme. Schemes are ASCII (RFC 3986 §3.1). Before `://`, this method also accepts `_`
  /// and other letters, because bundle IDs in redirect URIs can contain them, and Apple's operating systems open these
  /// URIs.
  private static func isScheme(_ text: String, isFollowedByAuthority: Bool) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
    let isPlain = text.utf8.allSatisfy(isLetter)
    if isPlain { return !text.isEmpty }
    if !isFollowedByAuthority || text.utf8.allSatisfy({ $0 < 0x80 }) {
      return text.utf8.first.map(isLetter) == true
        && text.utf8.allSatisfy { byte in
          isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".") || isFollowedByAuthority && byte == UInt8(ascii: "_")
        }
    }
    return text.first?.isLetter == true && text.allSatisfy { $0.isLetter || $0.isNumber || "+-._".contains($0) }
  }

  /// The complete URL.
  package var text: String {
    (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path + (query.map { "?" + $0 } ?? "")
      + (fragment.map { "#" + $0 } ?? "")
  }

  /// Parses a URL. Returns nil if its authority is invalid: an IPv6 address without a closing bracket, or a port that
  /// is not a number up to 65535.
  package init?(valid text: some StringProtocol) {
    self.init(String(text))
    guard let authority else { return }
    let (host, rest) = Self.split(authority)
    guard host.hasPrefix("[") == host.hasSuffix("]"), rest.isEmpty || rest == ":" || port != nil else { return nil }
  }

  /// The host as written, without user information or port. It is empty for `msauth://`, and nil if the URL contains
  /// no `//`.
  package var writtenHost: String? { authority.map { Self.split($0).host } }

  /// The lowercase host without user information or port, or nil if there is no host. IPv6 addresses are in brackets.
  package var host: String? { authority.flatMap { Self.host(ofAuthority: $0) } }

  /// Returns the lowercase host of an authority, without user information or port, or nil if the host is empty.
  package static func host(ofAuthority authority: String) -> String? {
    let host = split(authority).host
    return host.isEmpty ? nil : host.lowercased()
  }

  /// The user information in the authority, without the `@`.
  package var userInfo: String? {
    authority.flatMap { authority in authority.lastIndex(of: "@").map { String(authority[..<$0]) } }
  }

  /// The port, or nil if it is missing or not a number up to 65535.
  package var port: Int? {
    guard let rest = authority.map({ Self.split($0).rest }), rest.hasPrefix(":"), let number = UInt16(rest.dropFirst())
    else { return nil }
    return rest.utf8.dropFirst().first == UInt8(ascii: "+") ? nil : Int(number)
  }

  /// Removes the user information from an authority and splits the result into the host and the remaining text, which
  /// is empty or consists of a colon and the port.
  private static func split(_ authority: String) -> (host: String, rest: String) {
    var authority = authority
    return authority.withUTF8 { bytes in
      let start = bytes.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? bytes.startIndex
      let isBracketed = bytes[start...].first == UInt8(ascii: "[")
      let delimiter = bytes[start...].firstIndex(of: UInt8(ascii: isBracketed ? "]" : ":"))
      let end = delimiter.map { isBracketed ? $0 + 1 : $0 } ?? bytes.endIndex
      return (
        String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self),
        String(decoding: UnsafeBufferPointer(rebasing: bytes[end...]), as: UTF8.self)
      )
    }
  }

  /// The host, followed by the port if it is not the default port of the scheme.
  package var environment: String? {
    guard let host, let port, port != defaultPort else { return host }
    return "\(host):\(port)"
  }

  private var defaultPort: Int? { Self.defaultPort(forScheme: scheme?.lowercased()) }

  /// Returns the port of URLs with this lowercase scheme and no port (RFC 9110 §4.2), or nil for other schemes.
  package static func defaultPort(forScheme scheme: String?) -> Int? {
    switch scheme {
    case "https": 443
    case "http": 80
    default: nil
    }
  }

  /// The scheme, host, and port in the format of the `Origin` header field, or nil if URLs with this scheme have no
  /// origin (RFC 6454 §6.2).
  package var origin: String? {
    guard let scheme = scheme?.lowercased(), scheme == "https" || scheme == "http", let environment else { return nil }
    return "\(scheme)://\(environment)"
  }

  /// Whether the host is a loopback address: `localhost`, 127.0.0.0/8, or `::1` (RFC 8252 §7.3).
  package var isLoopback: Bool {
    guard let host else { return false }
    if host == "localhost" || host == "[::1]" { return true }
    let octets = host.split(separator: ".", omittingEmptySubsequences: false)
    return octets.count == 4 && octets[0] == "127" && octets.allSatisfy { UInt8($0) != nil }
  }

  /// Whether the host is a loopback address or a subdomain of `localhost`, so that messages stay on this machine
  /// (RFC 6761 §6.3).
  package var isThisMachine: Bool { isLoopback || host?.hasSuffix(".localhost") == true }

  /// The nonempty path segments.
  package var segments: [Substring] { path.split(separator: "/") }

  /// Whether a navigation to this URL reaches the redirect URI. The comparison of the scheme and the host ignores case.
  /// The port and the path must be equal, but an empty path is treated as `/`.
  package func reaches(_ redirectURI: String) -> Bool {
    let other = URLReference(redirectURI)
    func path(_ url: URLReference) -> String { url.path.isEmpty ? "/" : url.path }
    return scheme?.lowercased() == other.scheme?.lowercased() && host == other.host && port == other.port
      && path(self) == path(other)
  }
}
