/// Scheme, host and port of a URL: what a bearer token is bound to (RFC 6454 §4).
package struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// `http` or `https`.
  package let scheme: String
  /// In lower case; an IPv6 address keeps its brackets.
  package let host: String
  /// The port, the scheme's own where the URL names none.
  package let port: Int

  /// The origin of an absolute `http` or `https` URL; nil where the text is none, or carries a user name.
  package init?(of url: some StringProtocol) {
    guard let schemeEnd = url.firstRange(of: "://") else { return nil }
    scheme = url[..<schemeEnd.lowerBound].lowercased()
    guard scheme == "https" || scheme == "http" else { return nil }
    let authority = url[schemeEnd.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !authority.isEmpty, !authority.contains(where: { $0 == "@" || $0 == "\\" || $0.isWhitespace }) else {
      return nil
    }
    let hostEnd = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : nil
    let colon = authority[(hostEnd ?? authority.startIndex)...].firstIndex(of: ":")
    host = authority[..<(colon ?? authority.endIndex)].lowercased()
    let digits = colon.map { authority[authority.index(after: $0)...] } ?? ""
    guard !host.isEmpty else { return nil }
    if digits.isEmpty {
      port = scheme == "https" ? 443 : 80
    } else {
      guard let number = Int(digits), (1...65_535).contains(number) else { return nil }
      port = number
    }
  }

  /// `https://graph.microsoft.com`; the port only where it is not the scheme's own.
  package var description: String {
    let usual = scheme == "https" ? 443 : 80
    return "\(scheme)://\(host)" + (port == usual ? "" : ":\(port)")
  }
}
