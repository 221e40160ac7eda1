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

  /// Whether the text is a scheme. Schemes are ASCII (RFC 3986 §3.1). Before `://`, this method also accepts other
  /// letters, because bundle IDs in redirect URIs can contain such letters, and Apple's operating systems open these
  /// URIs.
  private static func isScheme(_ text: String, isFollowedByAuthority: Bool) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
    let isPlain = text.utf8.allSatisfy(isLetter)
    if isPlain { return !text.isEmpty }
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return text.utf8.first.map(isLetter) == true
        && text.utf8.allSatisfy { byte in
          isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
        }
    }
    guard text.first?.isLetter == true else { return false }
    return text.allSatisfy { character in
      (character.isASCII || isFollowedByAuthority)
        && (character.isLetter || character.isNumber || character == "+" || character == "-" || character == ".")
    }
  }

  /// The complete URL.
  package var text: String {
    (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path + (query.map { "?" + $0 } ?? "")
      + (fragment.map { "#" + $0 } ?? "")
  }

  /// The lowercase host without user information and port, or nil if there is none.
  package var host: String? { authority.flatMap { Self.host(ofAuthority: $0) } }

  /// Returns the lowercase host of an authority without user information and port, or nil if it is empty.
  package static func host(ofAuthority authority: String) -> String? {
    var authority = authority
    let host = authority.withUTF8 { bytes in
      let start = bytes.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? bytes.startIndex
      let isBracketed = bytes[start...].first == UInt8(ascii: "[")
      let end = bytes[start...].firstIndex(of: UInt8(ascii: isBracketed ? "]" : ":")) ?? bytes.endIndex
      return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
        + (isBracketed ? "]" : "")
    }
    return host.isEmpty ? nil : host.lowercased()
  }

  /// The port, or nil if it is missing or not a number.
  package var port: Int? {
    guard let authority, let host else { return nil }
    let hostAndPort =
      authority.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last
      .map { Substring($0) } ?? ""
    return hostAndPort.utf8.count > host.utf8.count ? Int(hostAndPort.utf8.dropFirst(host.utf8.count + 1).asText) : nil
  }

  /// The parameters in the query.
  package var parameters: Parameters { FormCoding.parse(query ?? "") }

  /// The nonempty path segments.
  package var pathSegments: [String] { path.split(separator: "/").map { String($0) } }

  /// Returns the URL with the parameters appended to its query.
  package func appending(_ parameters: Parameters) -> URLReference {
    guard !parameters.isEmpty else { return self }
    var copy = self
    let added = FormCoding.serialize(parameters)
    copy.query = if let query, !query.isEmpty { query + "&" + added } else { added }
    return copy
  }

  /// Whether a navigation to this URL reaches the redirect URI. The comparison of the scheme and the host ignores case.
  /// The port and the path must be equal, but an empty path is treated as `/`.
  package func reaches(_ redirectURI: String) -> Bool {
    let other = URLReference(redirectURI)
    func path(_ url: URLReference) -> String { url.path.isEmpty ? "/" : url.path }
    return scheme?.lowercased() == other.scheme?.lowercased() && host == other.host && port == other.port
      && path(self) == path(other)
  }
}

extension Sequence where Element == UInt8 {
  fileprivate var asText: String { String(decoding: Array(self), as: UTF8.self) }
}
