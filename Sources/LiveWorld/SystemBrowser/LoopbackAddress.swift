import Effects

/// The loopback address of a redirect (RFC 8252 §7.3).
struct LoopbackAddress: Hashable, Sendable {
  enum Host: String, Sendable {
    case name = "localhost"
    case four = "127.0.0.1"
    case six = "[::1]"
  }

  var host: Host
  /// The port. If the registered URI has no port, the value is nil and any port is valid.
  var port: Int?
  /// The path and query of the redirect URI. A browser requests an empty path as `/`.
  var rest: String

  /// Parses a redirect URI.
  /// - Throws: A message for the user if the redirect cannot reach this machine.
  init(_ redirectURI: String) throws(Unreachable) {
    guard let colon = redirectURI.firstRange(of: "://") else { throw .init(redirectURI, "it is not an http URL") }
    guard redirectURI[..<colon.lowerBound].lowercased() == "http" else {
      throw .init(redirectURI, "only http://localhost, http://127.0.0.1, and http://[::1] can redirect to a program")
    }
    let after = redirectURI[colon.upperBound...]
    let authority = after.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let rest = after[authority.endIndex...]
    guard !rest.contains("#") else { throw .init(redirectURI, "a redirect URI must not have a fragment") }
    let (name, port) = ProxyAddress.hostAndPort(String(authority))
    let host: Host? =
      switch name.lowercased() {
      case "localhost": .name
      case "127.0.0.1": .four
      case "::1": authority.hasPrefix("[") ? .six : nil
      default: nil
      }
    guard let host else { throw .init(redirectURI, "\(name) is not a loopback address") }
    if let port {
      guard (0...65_535).contains(port) else { throw .init(redirectURI, "port \(port) is out of range") }
    } else if String(authority).lowercased() != host.rawValue {
      throw .init(redirectURI, "\(authority) is not a host with a port")
    }
    self.host = host
    self.port = port == 0 ? nil : port
    self.rest = String(rest)
  }

  /// The address to listen on. Names are not resolved. As in MSAL, `localhost` is the IPv4 address.
  var bindAddress: String { host == .six ? "::1" : "127.0.0.1" }

  /// The value that a browser sends in the Host field: `host:port`, or only the host for port 80.
  var authority: String { port.map { $0 == 80 ? host.rawValue : "\(host.rawValue):\($0)" } ?? host.rawValue }

  /// The redirect URI, including the port.
  var redirectURI: String { "http://" + (port.map { "\(host.rawValue):\($0)" } ?? host.rawValue) + rest }

  /// The path that a browser requests.
  var path: String {
    let path = rest.prefix { $0 != "?" }
    return path.isEmpty ? "/" : String(path)
  }

  /// The reason why a redirect URI cannot reach this process, and a fix.
  struct Unreachable: Error, Hashable {
    var explanation: String

    init(_ redirectURI: String, _ reason: String) {
      explanation =
        "\(redirectURI) cannot redirect from a browser to this program: \(reason). Register http://localhost as a "
        + "redirect URI of the app (in Entra: Mobile and desktop applications) and set RedirectUri: http://localhost "
        + "in the settings, or paste the redirect yourself (--paste), or use a deviceCode step"
    }
  }
}
