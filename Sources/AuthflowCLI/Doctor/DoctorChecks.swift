import Diagnostics
import Effects
import HTTPTypes
import LiveWorld
import Reports
import SystemWorld

/// The checks that `authflow doctor` performs.
struct DoctorChecks {
  let session: Session
  /// Whether to also check the requirements of the live service.
  let isLive: Bool

  private var processEnvironment: Environment { session.world.environment }
  private var machine: HostCapabilities {
    HostCapabilities(environment: processEnvironment, files: session.world.files)
  }

  /// Checks the local environment. Does not send network requests.
  func environment() async -> [DoctorCheckResult] {
    [state(), terminal(), browser(), await loopback(), keyring(), certificateAuthorities()] + proxies()
  }

  private func state() -> DoctorCheckResult {
    let root = StateFolder.root(processEnvironment)
    let files = session.world.files
    let testFile = root + "/doctor-trial"
    if let problem = files.access(ofDirectory: root)?.problem {
      return DoctorCheckResult(
        "state", .problem, "\(root) is not safe for tokens: \(problem)",
        help: "run `chmod 700` on the folder if it is yours, or set `XDG_STATE_HOME` to another folder")
    }
    do throws(FileFailure) {
      try files.makeDirectory(root, privately: true)
      try files.replace(testFile, with: Array("authflow doctor\n".utf8), privately: true)
      try files.removeEntry(testFile)
    } catch {
      return DoctorCheckResult(
        "state", .problem, "cannot save state: \(error.explanation)",
        help: "free space or change permissions, set `XDG_STATE_HOME` to another folder, or use `run --fresh`")
    }
    let count = ((try? files.list(root)) ?? []).filter { files.kind(of: "\(root)/\($0)") == .directory }.count
    return DoctorCheckResult(
      "state", .good, "\(root) is writable and contains \(count.counting("state folder"))")
  }

  private func terminal() -> DoctorCheckResult {
    let style = session.style(for: .output)
    guard session.world.console.isTerminal(.output) else {
      return DoctorCheckResult(
        "terminal", .good, "output is not a terminal, so colors and progress are off")
    }
    let features = "\(style.width) columns, \(style.color ? "colors" : "no colors")"
    guard style.unicode else {
      return DoctorCheckResult(
        "terminal", .note, "\(features), ASCII only", help: "set a UTF-8 locale, such as `LANG=C.UTF-8`")
    }
    return DoctorCheckResult("terminal", .good, "\(features), Unicode")
  }

  private func browser() -> DoctorCheckResult {
    let machine = self.machine
    let alternatives = "use `--print-url` and `--paste` with a browser on another computer, or a `deviceCode` step"
    let browsers = machine.browsers
    guard !browsers.isEmpty else {
      return DoctorCheckResult(
        "browser", .note, "no display: DISPLAY and WAYLAND_DISPLAY are not set", help: alternatives)
    }
    guard let path = browsers.lazy.compactMap(\.path).first else {
      let names = browsers.map(\.name).joined(separator: ", ")
      return DoctorCheckResult(
        "browser", .note, "no browser found: \(names)",
        help: "install xdg-utils and a browser, set `BROWSER`, or \(alternatives)")
    }
    return DoctorCheckResult("browser", .good, "`--browser system` opens \(path)")
  }

  /// Checks whether redirects to loopback addresses can reach this process (RFC 8252 §7.3).
  private func loopback() async -> DoctorCheckResult {
    let browser = SystemBrowser(environment: processEnvironment, clock: session.world.clock, printStatus: { _ in })
    var open: [String] = []
    for uri in ["http://127.0.0.1/", "http://[::1]/"] where await browser.redirectURI(for: uri) != uri {
      open.append(uri)
    }
    switch open.count {
    case 2: return DoctorCheckResult("loopback", .good, "can receive redirects at http://localhost and http://[::1]")
    case 1 where open[0].contains("127"):
      return DoctorCheckResult(
        "loopback", .good, "can receive redirects at http://localhost, but not at an IPv6 loopback address")
    default:
      return DoctorCheckResult(
        "loopback", .note, "cannot listen on http://localhost",
        help: "allow authflow to listen on 127.0.0.1, or paste the redirect URL with `--paste`")
    }
  }

  private func keyring() -> DoctorCheckResult {
    let testFile = StateFolder.root(processEnvironment) + "/doctor-trial"
    let (store, note) = TokenStores.open(
      .keyring, cacheFile: testFile, in: session.world.files, environment: processEnvironment)
    guard let note else {
      return DoctorCheckResult("keyring", .good, "\(store.location) is available for `--cache keyring`")
    }
    let reason = note.firstRange(of: "): ").map { String(note[..<$0.lowerBound]) } ?? note
    return DoctorCheckResult(
      "keyring", .note, "\(reason)): `--cache keyring` stores tokens in a private file",
      help: "start a desktop session, or install gnome-keyring and libsecret-1-0 and unlock the keyring")
  }

  private func certificateAuthorities() -> DoctorCheckResult {
    guard let problem = machine.authoritiesComplaint else {
      return DoctorCheckResult("authorities", .good, "found certificate authorities for TLS")
    }
    return DoctorCheckResult(
      "authorities", isLive ? .problem : .note, problem,
      help: "install ca-certificates, or set `SSL_CERT_FILE` to a PEM file")
  }

  private func proxies() -> [DoctorCheckResult] {
    let machine = self.machine
    let unusable = machine.unusableProxies
    var results: [DoctorCheckResult] = []
    if !unusable.isEmpty {
      results.append(
        DoctorCheckResult(
          "proxy", isLive ? .problem : .note, "unsupported proxy in \(unusable.joined(separator: ", "))",
          help: "use `http://host:port`; authflow does not support SOCKS or HTTPS proxies"))
    }
    if let proxy = machine.proxy(forHost: "login.microsoftonline.com") {
      results.append(DoctorCheckResult("proxy", .good, "requests use \(proxy), except for hosts in NO_PROXY"))
    } else if unusable.isEmpty {
      results.append(DoctorCheckResult("proxy", .good, "requests do not use a proxy"))
    }
    return results
  }

  // MARK: Live service

  /// Requests the metadata of the identity provider (OpenID Connect Discovery 1.0 §4), as the first request of a
  /// sign-in does.
  func platform(_ authority: String) async -> [DoctorCheckResult] {
    let base = authority.hasSuffix("/") ? String(authority.dropLast()) : authority
    guard let request = RequestMessage.providerMetadata(of: base) else {
      // Do not repeat the username and password if the URL contains them.
      let text = authority.contains("@") ? "authority with a username" : "`\(authority)`"
      return [
        DoctorCheckResult(
          "platform", .problem, "not an HTTPS URL: \(text)",
          help: "use a URL such as `\(DoctorCommand.defaultAuthority)`")
      ]
    }
    let response: ResponseMessage
    do throws(TransportFailure) { response = try await session.world.http.send(request) } catch {
      return [DoctorCheckResult("platform", .problem, "\(base): \(error.explanation)", help: error.help)]
    }
    var results = [metadata(response, base)]
    if let clock = clock(response) { results.append(clock) }
    return results
  }

  private func metadata(_ response: ResponseMessage, _ base: String) -> DoctorCheckResult {
    guard let issuer = response.providerIssuer else {
      return DoctorCheckResult(
        "platform", .problem,
        "response from \(base) (status \(response.head.status.code)) contains no OpenID Connect metadata",
        help: "check the authority, and whether a proxy or captive portal sends this response")
    }
    return DoctorCheckResult("platform", .good, "\(base) has the issuer \(issuer)")
  }

  /// Compares the system clock with the service's clock. MSAL tolerates a difference of five minutes when it checks the
  /// validity of tokens.
  private func clock(_ response: ResponseMessage) -> DoctorCheckResult? {
    let now = session.world.clock.now
    guard let text = response.head.headerFields[.date],
      let date = CalendarTime(httpDate: text, currentYear: now.calendarTime.year)
    else { return nil }
    let difference = (now - Instant(date)).components.seconds
    guard abs(difference) > 300 else {
      return DoctorCheckResult("clock", .good, "system clock matches the service's clock")
    }
    return DoctorCheckResult(
      "clock", .problem,
      "system clock is \(abs(difference)) seconds \(difference > 0 ? "ahead of" : "behind") the service",
      help: "correct the clock, for example with `timedatectl set-ntp true`; otherwise, valid tokens are rejected")
  }
}
