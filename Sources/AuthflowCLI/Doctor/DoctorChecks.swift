import Documents
import Effects
import HTTPTypes
import LiveWorld
import Reports
import SystemWorld

/// The surroundings looked at, thing by thing.
struct DoctorChecks {
  let session: Session
  /// Whether the user means to sign in at the real platform, so that what only that needs is needed.
  let isLive: Bool

  private var environment: Environment { session.world.environment }
  private var machine: HostCapabilities { HostCapabilities(environment: environment, files: session.world.files) }

  /// Everything that can be looked at without asking anybody.
  func surroundings() async -> [DoctorCheckResult] {
    var findings = [state(), terminal(), browser(), await loopback(), keyring(), authorities()]
    findings += proxies()
    return findings
  }

  private func state() -> DoctorCheckResult {
    let root = StateFolder.root(environment)
    let files = session.world.files
    let trial = root + "/doctor-trial"
    if let fault = files.access(ofDirectory: root)?.fault {
      return DoctorCheckResult(
        "state", .problem, "\(root) is not safe for tokens: \(fault)",
        help: "run `chmod 700` on a folder of your own, or name another place with XDG_STATE_HOME")
    }
    do throws(FileFailure) {
      try files.makeDirectory(root, privately: true)
      try files.replace(trial, with: Array("authflow doctor\n".utf8), privately: true)
      try files.removeEntry(trial)
    } catch {
      return DoctorCheckResult(
        "state", .problem, "nothing can be kept between runs: \(error.explanation)",
        help: "make room or rights there, name another place with XDG_STATE_HOME, or use run --fresh")
    }
    let kept = ((try? files.list(root)) ?? []).filter { files.kind(of: "\(root)/\($0)") == .directory }.count
    return DoctorCheckResult(
      "state", .good, "\(root) can be written; \(kept) \(kept == 1 ? "place has" : "places have") something")
  }

  private func terminal() -> DoctorCheckResult {
    let style = session.style(for: .output)
    guard session.world.console.isTerminal(.output) else {
      return DoctorCheckResult(
        "terminal", .good, "the output goes to a file or another program: no colors, nothing moves")
    }
    let looks = "\(style.width) columns, \(style.color ? "colors" : "no colors")"
    guard style.unicode else {
      return DoctorCheckResult(
        "terminal", .note, "\(looks), ASCII only", help: "a UTF-8 locale shows all signs, as in LANG=C.UTF-8")
    }
    return DoctorCheckResult("terminal", .good, "\(looks), all signs")
  }

  private func browser() -> DoctorCheckResult {
    let machine = self.machine
    let wayOut = "--print-url and --paste use a browser elsewhere, and a deviceCode step needs none here"
    let browsers = machine.browsers
    guard !browsers.isEmpty else {
      return DoctorCheckResult(
        "browser", .note, "there is no display: DISPLAY and WAYLAND_DISPLAY are not set", help: wayOut)
    }
    guard let found = browsers.first(where: { $0.path != nil }), let path = found.path else {
      let names = browsers.map(\.name).joined(separator: ", ")
      return DoctorCheckResult(
        "browser", .note, "no program opens a page: \(names) is not there",
        help: "install xdg-utils and a browser, or name one in BROWSER; \(wayOut)")
    }
    return DoctorCheckResult("browser", .good, "\(path) opens pages for --browser system")
  }

  /// Whether a browser's answer can come back to this machine (RFC 8252 §7.3).
  private func loopback() async -> DoctorCheckResult {
    let browser = SystemBrowser(environment: environment, clock: session.world.clock, say: { _ in })
    var open: [String] = []
    for uri in ["http://127.0.0.1/", "http://[::1]/"] where await browser.redirectURI(for: uri) != uri {
      open.append(uri)
    }
    switch open.count {
    case 2: return DoctorCheckResult("loopback", .good, "redirects can come back to http://localhost and http://[::1]")
    case 1 where open[0].contains("127"):
      return DoctorCheckResult(
        "loopback", .good, "redirects can come back to http://localhost; this machine has no IPv6 loopback")
    default:
      return DoctorCheckResult(
        "loopback", .note, "nobody can listen at http://localhost here",
        help: "let the program listen on 127.0.0.1, or bring the redirect back with --paste")
    }
  }

  private func keyring() -> DoctorCheckResult {
    let signal = StateFolder.root(environment) + "/doctor-trial"
    let (store, note) = TokenStores.open(
      .keyring, cacheFile: signal, in: session.world.files, environment: environment)
    guard let note else { return DoctorCheckResult("keyring", .good, "\(store.place) answers, for --cache keyring") }
    let reason = note.firstRange(of: "): ").map { String(note[..<$0.lowerBound]) } ?? note
    return DoctorCheckResult(
      "keyring", .note, "\(reason)): --cache keyring keeps tokens in a private file",
      help: "a desktop session has one; elsewhere, install gnome-keyring and libsecret-1-0 and unlock it")
  }

  private func authorities() -> DoctorCheckResult {
    guard let complaint = machine.authoritiesComplaint else {
      return DoctorCheckResult("authorities", .good, "TLS has certificates of authorities to trust")
    }
    return DoctorCheckResult(
      "authorities", isLive ? .problem : .note, complaint,
      help: "install ca-certificates, or name a PEM file in SSL_CERT_FILE")
  }

  private func proxies() -> [DoctorCheckResult] {
    let machine = self.machine
    let unusable = machine.unusableProxies
    var findings: [DoctorCheckResult] = []
    if !unusable.isEmpty {
      findings.append(
        DoctorCheckResult(
          "proxy", isLive ? .problem : .note, "\(unusable.joined(separator: ", ")) names no HTTP proxy",
          help: "write http://host:port; SOCKS and proxies over TLS are not spoken"))
    }
    if let proxy = machine.proxy(forHost: "login.microsoftonline.com") {
      findings.append(DoctorCheckResult("proxy", .good, "requests go through \(proxy); NO_PROXY names exceptions"))
    } else if unusable.isEmpty {
      findings.append(DoctorCheckResult("proxy", .good, "requests go straight out"))
    }
    return findings
  }

  // MARK: The platform

  /// Asks the identity platform for its public metadata (OpenID Connect Discovery 1.0 §4), as a sign-in would.
  func platform(_ authority: String) async -> [DoctorCheckResult] {
    let base = authority.hasSuffix("/") ? String(authority.dropLast()) : authority
    guard let request = RequestMessage(url: "\(base)/v2.0/.well-known/openid-configuration") else {
      // A name and a password before the host are a secret, and no part of an authority.
      let shown = authority.contains("@") ? "an address with a name before its host" : authority
      return [
        DoctorCheckResult("platform", .problem, "\(shown) is no https address", help: "as in \(DoctorCommand.standard)")
      ]
    }
    let response: ResponseMessage
    do throws(TransportFailure) { response = try await session.world.http.send(request) } catch {
      return [DoctorCheckResult("platform", .problem, "\(base): \(error.explanation)", help: error.help)]
    }
    var findings = [answer(response, base)]
    if let clock = clock(response) { findings.append(clock) }
    return findings
  }

  private func answer(_ response: ResponseMessage, _ base: String) -> DoctorCheckResult {
    let issuer = (try? JSON(parsing: response.body))?["issuer"]?.string
    guard response.head.status.code == 200, let issuer else {
      let what = "\(base) answered with \(response.head.status.code) and no metadata of an identity platform"
      return DoctorCheckResult(
        "platform", .problem, what,
        help: "check the authority; a proxy's or a hotel's own page may answer in its place")
    }
    return DoctorCheckResult("platform", .good, "\(base) answers as \(issuer)")
  }

  /// Tokens are valid from and until a moment: MSAL allows five minutes between the two clocks.
  private func clock(_ response: ResponseMessage) -> DoctorCheckResult? {
    let now = session.world.clock.now
    guard let text = response.head.headerFields[.date],
      let said = CalendarTime(httpDate: text, currentYear: now.calendarTime.year)
    else { return nil }
    let ahead = (now - Instant(said)).components.seconds
    guard abs(ahead) > 300 else {
      return DoctorCheckResult("clock", .good, "this machine's clock agrees with the platform's")
    }
    return DoctorCheckResult(
      "clock", .problem,
      "this machine's clock is \(abs(ahead)) seconds \(ahead > 0 ? "ahead of" : "behind") the platform's",
      help: "set it right, as with timedatectl set-ntp true: tokens would seem expired, or not valid yet")
  }
}
