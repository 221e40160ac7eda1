import Effects

/// Where on this machine a redirect comes back to (RFC 8252 §7.3).
struct LoopbackAddress: Hashable, Sendable {
  enum Host: String, Sendable {
    case name = "localhost"
    case four = "127.0.0.1"
    case six = "[::1]"
  }

  var host: Host
  /// Nil where any port will do: the registered URI names none.
  var port: Int?
  /// Path and query as registered; the path may be empty, which a browser asks for as `/`.
  var rest: String

  /// Reads a redirect URI.
  /// - Throws: a sentence for the user, where nothing on this machine can be listened on for it.
  init(_ redirectURI: String) throws(Unreachable) {
    guard let colon = redirectURI.firstRange(of: "://") else { throw .init(redirectURI, "it is no http address") }
    guard redirectURI[..<colon.lowerBound].lowercased() == "http" else {
      throw .init(redirectURI, "only http://localhost, http://127.0.0.1 and http://[::1] lead back to a program")
    }
    let after = redirectURI[colon.upperBound...]
    let authority = after.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let rest = after[authority.endIndex...]
    guard !rest.contains("#") else { throw .init(redirectURI, "a redirect URI has no fragment") }
    let (name, port) = ProxyAddress.hostAndPort(String(authority))
    let host: Host? =
      switch name.lowercased() {
      case "localhost": .name
      case "127.0.0.1": .four
      case "::1": authority.hasPrefix("[") ? .six : nil
      default: nil
      }
    guard let host else { throw .init(redirectURI, "\(name) is not this machine's loopback address") }
    if let port {
      guard (0...65_535).contains(port) else { throw .init(redirectURI, "there is no port \(port)") }
    } else if String(authority).lowercased() != host.rawValue {
      throw .init(redirectURI, "\(authority) is no host with a port")
    }
    self.host = host
    self.port = port == 0 ? nil : port
    self.rest = String(rest)
  }

  /// What is bound: a name is never looked up, and MSAL listens for `localhost` on IPv4.
  var bindAddress: String { host == .six ? "::1" : "127.0.0.1" }

  /// `host:port` as a browser writes it into its Host field; port 80 is left out.
  var authority: String { port.map { $0 == 80 ? host.rawValue : "\(host.rawValue):\($0)" } ?? host.rawValue }

  /// The redirect URI with its port.
  var redirectURI: String { "http://" + (port.map { "\(host.rawValue):\($0)" } ?? host.rawValue) + rest }

  /// The path that a browser asks for.
  var path: String {
    let path = rest.prefix { $0 != "?" }
    return path.isEmpty ? "/" : String(path)
  }

  /// A redirect URI that cannot come back to this process, and what to register in its place.
  struct Unreachable: Error, Hashable {
    var explanation: String

    init(_ redirectURI: String, _ reason: String) {
      explanation =
        "\(redirectURI) cannot come back from a browser to this program: \(reason). Register http://localhost as a "
        + "redirect URI of the app (Entra: “Mobile and desktop applications”) and set RedirectUri: http://localhost "
        + "in the settings; or bring the address back yourself (--paste); or sign in with a deviceCode step"
    }
  }
}
