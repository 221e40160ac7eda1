import Effects

/// The scheme, host, and port of a URL (RFC 6454 §4). Access tokens are sent only to allowed origins.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
  /// The scheme: `http` or `https`.
  package let scheme: String
  /// The host in lowercase. IPv6 addresses are in brackets.
  package let host: String
  /// The port of the URL, or the default port of the scheme if the URL does not contain a port.
  package let port: Int
  /// Whether requests stay on this machine, because the host is a loopback address, `localhost`, or a subdomain of
  /// `localhost` (RFC 8252 §7.3, RFC 6761 §6.3).
  package let isLoopback: Bool

  /// Creates the origin of an absolute `http` or `https` URL. Returns nil for any other text and for a URL with user
  /// information.
  package init?(of url: some StringProtocol) {
    guard let url = URLReference(valid: url), let scheme = url.scheme?.lowercased(),
      let defaultPort = URLReference.defaultPort(forScheme: scheme), let host = url.host, url.port != 0,
      url.authority?.contains(where: { $0 == "@" || $0 == "\\" || $0.isWhitespace }) == false
    else { return nil }
    self.scheme = scheme
    self.host = host
    port = url.port ?? defaultPort
    isLoopback = url.isThisMachine
  }

  /// The origin as text, such as `https://graph.microsoft.com`. The text contains the port only if it is not the
  /// default port of the scheme.
  package var description: String {
    "\(scheme)://\(host)" + (port == URLReference.defaultPort(forScheme: scheme) ? "" : ":\(port)")
  }

  /// Whether a credential may be sent to this origin, because the connection uses TLS or stays on this machine.
  package var isProtected: Bool { scheme == "https" || isLoopback }

  /// Whether the user granted access to this origin.
  func isGranted(by grants: Grants) -> Bool {
    grants.hosts.contains { $0.host == host && ($0.port == nil ? port == 443 || isLoopback : $0.port == port) }
  }
}
