import Effects
import HTTPTypes

/// A check that rejects control requests from web pages, so that only programs and the emulator's start page can use
/// the control interface.
///
/// A page in a browser on this machine could send requests to the control interface, even through the page's host name
/// if that name resolves to this machine (DNS rebinding). The check rejects requests from web pages, based on the
/// `Origin` and `Sec-Fetch-Site` headers, and requests with unknown host names. Bodies must be `application/json`,
/// which HTML forms cannot send, and responses have no CORS headers. A cookie identifies requests from the start page.
struct ControlAccessCheck: Sendable {
  let platform: Platform
  let exchange: EmulatorRequest

  /// - Parameter allowsOwnPages: Whether all pages of the emulator can send the request, not only the start page.
  func check(allowsOwnPages: Bool) throws(ControlError) {
    guard platform.options.controlEnabled else {
      throw ControlError("control interface is disabled", status: .forbidden)
    }
    guard isKnownHost else {
      throw ControlError(
        "host `\(exchange.host.prefix(100))` is not allowed; use `localhost` or an IP address, or start the emulator with `--allow-host`",
        status: .forbidden)
    }
    if StartPageLink(exchange: exchange, platform: platform).isFromStartPage { return }
    // A URL that the user enters in the address bar is allowed, because GET requests do not change anything.
    let site = exchange.request.head.headerFields[.fetchSite]
    let isAllowedSite = site == nil || site == "none" || allowsOwnPages && site == "same-origin"
    guard exchange.origin == nil, isAllowedSite else {
      throw ControlError(
        "web pages cannot use the control interface; send the request from a program, without `Origin` or `Sec-Fetch-Site` headers",
        status: .forbidden)
    }
  }

  /// Whether the host is safe from DNS rebinding: a platform host, `localhost`, an IP address, a name without a dot, a
  /// name under `.internal` or `.test`, or a name from `--allow-host`.
  private var isKnownHost: Bool {
    let host = exchange.host.lowercased()
    if exchange.isLocal || HostKind(host) != nil { return true }
    if !host.contains("."), !host.isEmpty { return true }
    return host.hasSuffix(".internal") || host.hasSuffix(".test")
      || platform.options.controlHosts.contains(host)
  }
}
