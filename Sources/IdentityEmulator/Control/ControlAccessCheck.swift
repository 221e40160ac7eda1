import Effects
import HTTPTypes

/// Who may use the control interface: programs on this machine, and nobody's web page.
///
/// A page that the developer has open can make the browser send requests here, also under a name of its own that it
/// lets point to this machine. Browsers tell by `Origin` and `Sec-Fetch-Site`, and by the `Host` that such a name would
/// leave; what changes anything needs `application/json` besides, which a form cannot send. Nothing is ever allowed by
/// CORS.
struct ControlAccessCheck: Sendable {
  let platform: Platform
  let exchange: EmulatorRequest

  func admit() throws(ControlError) {
    guard platform.options.controlEnabled else {
      throw ControlError("the control interface is switched off", status: .forbidden)
    }
    guard isKnownHost else {
      throw ControlError(
        "the control interface does not answer to the name \(exchange.host.prefix(100)); use localhost, an IP address, or start the emulator with --allow-host and that name",
        status: .forbidden)
    }
    // Typed into the address bar it is the developer's own doing, and reading changes nothing.
    let site = exchange.request.head.headerFields[.fetchSite]
    guard exchange.origin == nil, site == nil || site == "none" else {
      throw ControlError(
        "web pages may not use the control interface; ask it from a program, without the headers Origin and Sec-Fetch-Site",
        status: .forbidden)
    }
  }

  /// Names that no stranger's name server answers for: the platform's own, this machine's, addresses, names without a
  /// dot, and those that the emulator was started with.
  private var isKnownHost: Bool {
    let host = exchange.host.lowercased()
    if exchange.isLocal || HostKind(host) != nil { return true }
    if !host.contains("."), !host.isEmpty { return true }
    return host.hasSuffix(".internal") || host.hasSuffix(".test")
      || platform.options.controlHosts.contains(host)
  }
}
