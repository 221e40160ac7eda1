import ArgumentParser
import Directory
import Documents
import Effects
import IdentityEmulator
import LiveWorld
import SystemWorld
import WorkflowModel

struct EmulatorCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "emulator", abstract: "Serve the emulator to other programs over HTTP and HTTPS",
    discussion: """
      HTTP and HTTPS use the same port. The HTTPS certificate is issued by a development CA, which is created once. \
      The output shows how to make clients trust this CA. Its name constraints allow only this computer's host names, \
      but they cannot restrict IP addresses. `--real-hosts` uses a separate CA, which is also valid for Microsoft's \
      hosts.

      On the start page, you can watch requests as they arrive, inject faults, and simulate events. The link in the \
      output works once, in one browser.

      The emulator accepts connections from this computer only, unless you set `--host`. Ctrl-C stops it after open \
      requests have finished, with exit code 130. SIGTERM, `--for`, and `--exit-with-stdin` stop it with exit \
      code 0. The exit code is 3 if the port is in use.

      Examples:
        authflow emulator --export-ca ca.pem
        authflow emulator --port 0 --format json --for 10m
      """)

  @Option(help: "Listen on this port, or on any free port if it is 0") var port = 8443
  @Option(help: ArgumentHelp("Listen on this address (default: loopback addresses)", valueName: "address"))
  var host: String?
  @Flag(help: "Accept HTTPS only") var tls = false
  @Option(
    help: ArgumentHelp("Use the tenants, users, and apps in this file (default: Contoso)", valueName: "file"),
    completion: .file())
  var directory: String?
  @Option(
    name: .customLong("export-ca"),
    help: ArgumentHelp("Write the development CA certificate to this PEM file", valueName: "file"),
    completion: .file())
  var exportCA: String?
  @Flag(name: .customLong("export-only"), help: "Exit after writing the CA certificate")
  var exportOnly = false
  @Option(
    help: ArgumentHelp("Accept this host name, and add it to the certificate (repeatable)", valueName: "name"))
  var allowHost: [String] = []
  @Flag(help: "Use a certificate that is also valid for Microsoft's hosts")
  var realHosts = false
  @Option(
    help: ArgumentHelp("Save consents, codes, and sessions in this file (default: do not save)", valueName: "file"),
    completion: .file())
  var state: String?
  @Flag(help: "Reject apps and APIs that are not in the directory")
  var strict = false
  @Flag(help: "Disable the control interface (`/_authflow/`)") var noControl = false
  @Flag(help: "Allow other machines to use the control interface") var openControl = false
  @Flag(help: "Open the start page in the browser") var open = false
  @Flag(help: "Check whether an emulator responds on this port, then exit")
  var check = false
  @Option(
    name: .customLong("for"), help: ArgumentHelp("Exit after this duration, such as `30s` or `10m`", valueName: "time"))
  var duration: String?
  @Flag(help: "Exit when standard input closes")
  var exitWithStdin = false
  @Flag(name: .shortAndLong, help: "Log each request to standard error") var verbose = false
  @Option(help: "Select the output format (JSON prints a single object)") var format: OutputFormat = .text

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("`--port` must be between 0 and 65535") }
    if let duration, DurationText.parse(duration) == nil {
      throw ValidationError(
        "invalid duration for `--for`: `\(duration)`\n  help: write a duration such as `30s`, `10m`, or `2h`")
    }
    for (option, value) in [("export-ca", exportCA), ("state", state), ("directory", directory)] where value == "" {
      throw ValidationError("`--\(option)` requires a file")
    }
    if exportOnly, exportCA == nil { throw ValidationError("`--export-only` requires `--export-ca`") }
    if check, tls || port == 0 {
      throw ValidationError(
        "`--check` uses HTTP on a port from 1 to 65535, so it cannot be used with \(tls ? "`--tls`" : "`--port 0`")")
    }
    if open, noControl { throw ValidationError("`--open` requires the control interface: remove `--no-control`") }
    if noControl, openControl {
      throw ValidationError("`--no-control` and `--open-control` cannot be used together")
    }
    if let host, let defect = ServedHosts.defect(of: host) {
      throw ValidationError("`--host` requires an address or a host name without a scheme or port: \(defect)")
    }
    for name in allowHost {
      guard let defect = ServedHosts.defect(of: name) else { continue }
      throw ValidationError("`--allow-host` requires a host name without a scheme or port: \(defect)")
    }
  }

  func perform(in session: Session) async throws(ExitStatus) {
    if check { return try await checkEmulator(in: session) }
    let emulatedDirectory = try readDirectory(in: session)
    let hosts = ServedHosts(address: host, allowed: allowHost, realHosts: realHosts)
    if !exportOnly { try await checkAddress(hosts, in: session) }
    let authority = try openAuthority(hosts, in: session)
    if let exportCA { try export(authority, to: exportCA, in: session) }
    guard !exportOnly else { return }

    let stateFile = EmulatorStateFile(path: state, world: session.world)
    let snapshot = try stateFile.load(in: session)
    var options = IdentityPlatformEmulator.Options(
      controlEnabled: !noControl, servesEveryHost: true, isStrict: strict,
      controlHosts: Set(allowHost.map { $0.lowercased() }),
      // Clients on other machines must not cause requests to this machine.
      notificationTransport: hosts.isLoopback ? session.world.http : nil,
      notice: { session.printStatus("note: \($0)") })
    options.explain = { ErrorExplanation(code: $0) }
    options.advice = { session.printStatus("warning: \($0.message)\n  help: \($0.help)") }
    let platform = IdentityPlatformEmulator(
      directory: emulatedDirectory, clock: session.world.clock, randomness: session.world.randomness, options: options,
      snapshot: snapshot)
    // Save now, so that a file that cannot be written is reported before there is state to lose.
    try stateFile.save(platform, in: session)
    let log: @Sendable (String) -> Void = { session.printStatus($0) }
    let service = EmulatorService(
      platform: platform, hosts: hosts, opensControl: openControl, log: verbose ? log : nil)
    let server = try await listen(service, authority, hosts, in: session)
    let banner = EmulatorBanner(
      server: server, host: hosts.advertisedHost, certificatePath: exportCA ?? authority.path,
      directory: emulatedDirectory, isBuiltIn: directory == nil,
      features: .init(
        isSecureOnly: tls, hasControl: !noControl && (hosts.includesLoopback || openControl),
        startPageLink: { platform.startPageLink(base: $0) }, hasRealHosts: realHosts))
    switch format {
    case .json: session.printLine(banner.json.text(), as: .json)
    case .text: session.printLine(banner.text(session.style(for: .output)))
    }
    if open, let startPage = banner.startPage { await session.show(startPage, as: "the start page") }

    let lifetime = ServerLifetime(
      duration: duration.flatMap { DurationText.parse($0) }, watchesInput: exitWithStdin, world: session.world)
    let termination = await lifetime.run { await stateFile.saveRegularly(platform, service: service, in: session) }
    await server.stop(grace: Duration.seconds(2))
    try stateFile.save(platform, in: session)
    if termination == .interrupted, !InterruptHandler.isRequestToEnd { throw .interrupted }
  }

  /// Requests the emulator's metadata over HTTP. Containers use this as their health check.
  private func checkEmulator(in session: Session) async throws(ExitStatus) {
    let advertised = ServedHosts(address: host, allowed: []).advertisedHost
    // The container image has no hosts file, so `localhost` might not resolve.
    let origin = "http://\(advertised == "localhost" ? "127.0.0.1" : advertised):\(port)"
    guard let request = RequestMessage.providerMetadata(of: "\(origin)/common") else {
      throw session.report(.usageError, "`--host` cannot be used in a URL: \(advertised)")
    }
    let response: ResponseMessage
    do throws(TransportFailure) { response = try await session.world.http.send(request) } catch {
      throw session.report(.failed, "no emulator responds at \(origin): \(error.explanation)")
    }
    guard response.providerIssuer != nil else {
      throw session.report(
        .failed, "the program at \(origin) is not an emulator", help: "use another `--port`")
    }
    session.printLine("emulator is ready at \(origin)")
  }

  private func readDirectory(in session: Session) throws(ExitStatus) -> EmulatedDirectory {
    guard let directory else { return .contoso }
    return try WorkflowInput.directory(at: directory, in: session)
  }

  private func openAuthority(_ hosts: ServedHosts, in session: Session) throws(ExitStatus) -> DevelopmentCA {
    let folder = StateFolder(environment: session.world.environment, name: "emulator")
    try session.prepare(folder)
    do {
      let authority = try DevelopmentCA.open(
        folder: folder.path, names: hosts.certificateNames,
        files: session.world.files, now: session.world.clock.now)
      if let note = authority.note { session.printStatus("warning: \(note)") }
      if realHosts {
        session.printStatus(
          "warning: this CA is valid for Microsoft's hosts\n"
            + "  help: trust it in tests only, never in a browser or system-wide"
        )
      }
      return authority
    } catch {
      throw session.report(.environmentFailure, error.explanation)
    }
  }

  private func export(_ authority: DevelopmentCA, to path: String, in session: Session) throws(ExitStatus) {
    if path == "-" { return session.printLine(authority.pem, as: .data) }
    try session.protect(path, from: "--export-ca", kind: "a certificate") {
      $0.hasPrefix("-----BEGIN CERTIFICATE-----")
    }
    try session.write(authority.pem, to: path)
    session.printStatus("note: wrote the development CA certificate to \(path)")
  }

  /// Listens briefly on any port so that an unusable address is reported before the command creates a CA.
  private func checkAddress(_ hosts: ServedHosts, in session: Session) async throws(ExitStatus) {
    guard let address = hosts.bindAddress else { return }
    do {
      let server = try await session.openServer(.init(address: address, serves: { _ in false }), { _, _ in .broken })
      await server.stop(grace: .zero)
    } catch {
      throw report(error, in: session)
    }
  }

  private func report(_ failure: HTTPServer.ListenError, in session: Session) -> ExitStatus {
    let help =
      failure.cause == .addressUnavailable
      ? "use one of this computer's addresses or names for `--host`, or `0.0.0.0` for all addresses"
      : "use another `--port`, or `--port 0` for any free port"
    return session.report(.environmentFailure, failure.explanation, help: help)
  }

  private func listen(
    _ service: EmulatorService, _ authority: DevelopmentCA, _ hosts: ServedHosts, in session: Session
  ) async throws(ExitStatus) -> any RunningServer {
    let identity: ServerIdentity
    do {
      identity = try authority.identity(now: session.world.clock.now)
    } catch {
      throw session.report(.environmentFailure, error.explanation)
    }
    if !hosts.isLoopback {
      session.printStatus(
        "warning: other computers on the network can use the emulator, and its passwords and keys are public"
          + "\n  help: use `--allow-host NAME` to add names to the certificate")
    }
    do {
      return try await session.openServer(
        service.configuration(port: port, identity: identity, plain: !tls),
        { await service.respond(to: $0, from: $1) })
    } catch {
      throw report(error, in: session)
    }
  }
}
