import Effects
import HTTPTypes

/// Restricts the control interface to programs: web pages cannot use it.
///
/// A page that is open in a browser on this machine could send requests here, even through its own host name that
/// resolves to this machine (DNS rebinding). The check rejects the `Origin` and `Sec-Fetch-Site` headers of such
/// requests and unknown `Host` names. Bodies must be `application/json`, which HTML forms cannot send, and no response
/// has CORS headers.
struct ControlAccessCheck: Sendable {
  let platform: Platform
  let exchange: EmulatorRequest

  func check() throws(ControlError) {
    guard platform.options.controlEnabled else {
      throw ControlError("control interface is disabled", status: .forbidden)
    }
    guard isKnownHost else {
      throw ControlError(
        "host `\(exchange.host.prefix(100))` is not allowed; use `localhost` or an IP address, or start the emulator with `--allow-host`",
        status: .forbidden)
    }
    // A URL typed into the address bar is allowed: GET requests do not change anything.
    let site = exchange.request.head.headerFields[.fetchSite]
    guard exchange.origin == nil, site == nil || site == "none" else {
      throw ControlError(
        "web pages cannot use the control interface; send the request from a program, without `Origin` and `Sec-Fetch-Site` headers",
        status: .forbidden)
    }
  }

  /// Whether an attacker cannot control the host's DNS records: hosts of the platform, `localhost`, IP addresses, names
  /// without a dot, and names from `--allow-host`.
  private var isKnownHost: Bool {
    let host = exchange.host.lowercased()
    if exchange.isLocal || HostKind(host) != nil { return true }
    if !host.contains("."), !host.isEmpty { return true }
    return host.hasSuffix(".internal") || host.hasSuffix(".test")
      || platform.options.controlHosts.contains(host)
  }
}
