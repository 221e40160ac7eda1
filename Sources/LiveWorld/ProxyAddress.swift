import Effects

/// The proxy that the environment configures, according to curl's rules.
package struct ProxyAddress: Hashable, Sendable {
  /// The username and password for a proxy.
  package struct Credentials: Hashable, Sendable {
    package var name: String
    package var password: String
  }

  package var host: String
  package var port: Int
  package var credentials: Credentials?

  /// Returns the proxy for a request from `https_proxy` or `http_proxy` or, if that is not set, from `all_proxy`.
  /// Returns nil if no proxy is set, if `no_proxy` lists the host, or if the host is a loopback address.
  ///
  /// Lowercase names take precedence. An uppercase `HTTP_PROXY` is ignored in CGI programs, because a request can set
  /// it.
  /// - Throws: `.cannotConnect` if the proxy is not an HTTP proxy, because connecting directly would bypass it.
  package static func find(
    scheme: String, authority: String, in environment: Environment
  ) throws(TransportFailure) -> ProxyAddress? {
    let host = hostAndPort(authority).host.lowercased()
    if isLoopback(host) { return nil }
    let exceptions = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
    for exception in exceptions.split(whereSeparator: { $0 == "," || $0 == " " }) {
      if exception == "*" { return nil }
      let suffix = hostAndPort(String(exception)).host.lowercased().drop { $0 == "." }
      if host == suffix || host.hasSuffix("." + suffix) { return nil }
    }
    let isGateway = environment["REQUEST_METHOD"] != nil
    let value =
      if scheme == "http" {
        environment["http_proxy"] ?? (isGateway ? nil : environment["HTTP_PROXY"])
      } else {
        environment["https_proxy"] ?? environment["HTTPS_PROXY"]
      }
    guard let wanted = value ?? environment["all_proxy"] ?? environment["ALL_PROXY"] else { return nil }
    if let proxy = ProxyAddress(wanted) { return proxy }
    throw .cannotConnect(
      "\(authority): the proxy in the environment is not an HTTP proxy (use http://host:port; authflow doctor shows "
        + "the variable)")
  }

  /// Parses `http://name:password@host:port`. The scheme, credentials, and port are optional.
  package init?(_ text: String) {
    var rest = Substring(text)
    if let scheme = rest.firstRange(of: "://") {
      guard rest[..<scheme.lowerBound].lowercased() == "http" else { return nil }
      rest = rest[scheme.upperBound...]
    }
    rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if let at = rest.lastIndex(of: "@") {
      let pair = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      credentials = Credentials(
        name: Self.unescaped(pair[0]), password: pair.count > 1 ? Self.unescaped(pair[1]) : "")
      rest = rest[rest.index(after: at)...]
    }
    let (host, port) = Self.hostAndPort(String(rest))
    guard !host.isEmpty else { return nil }
    self.host = host
    self.port = port ?? 80
  }

  static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host.hasPrefix("127.")
  }

  /// Splits an authority such as `host:port` or `[::1]:port`.
  static func hostAndPort(_ text: String) -> (host: String, port: Int?) {
    if text.hasPrefix("["), let close = text.firstIndex(of: "]") {
      let after = text[text.index(after: close)...]
      return (String(text[text.index(after: text.startIndex)..<close]), Int(after.dropFirst()))
    }
    guard let colon = text.lastIndex(of: ":"), text.firstIndex(of: ":") == colon else { return (text, nil) }
    return (String(text[..<colon]), Int(text[text.index(after: colon)...]))
  }

  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.first {
      rest = rest.dropFirst()
      if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
