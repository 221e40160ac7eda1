import Effects

/// The scheme, host, and port of a URL (RFC 6454 §4). Access tokens are sent only to allowed origins.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// The scheme: `http` or `https`.
  package let scheme: String
  /// The host in lowercase. IPv6 addresses are in brackets.
  package let host: String
  /// The port of the URL, or the default port of the scheme if the URL does not contain a port.
  package let port: Int

  /// Creates the origin of an absolute `http` or `https` URL. Returns nil for any other text and for a URL with user
  /// information.
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

  /// The origin as text, such as `https://graph.microsoft.com`. The text contains the port only if it is not the
  /// default port of the scheme.
  package var description: String {
    let defaultPort = scheme == "https" ? 443 : 80
    return "\(scheme)://\(host)" + (port == defaultPort ? "" : ":\(port)")
  }

  /// Whether the host is `localhost` or a loopback address, so that requests stay on this machine (RFC 8252 §7.3, RFC
  /// 6761 §6.3).
  package var isLoopback: Bool {
    if host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Whether a credential may be sent to this origin, because the connection uses TLS or stays on this machine.
  package var isProtected: Bool { scheme == "https" || isLoopback }

  /// Whether the user granted access to this origin.
  func isGranted(by grants: Grants) -> Bool {
    grants.hosts.contains { $0.host == host && ($0.port == nil ? port == 443 || isLoopback : $0.port == port) }
  }
}
