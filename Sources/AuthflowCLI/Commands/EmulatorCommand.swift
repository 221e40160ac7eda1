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
    commandName: "emulator", abstract: "Serves the emulated platform, with its Graph, to any client in any language.",
    discussion: """
      HTTP and HTTPS are spoken on the same port. HTTPS uses a certificate of a development CA, which is made once and \
      kept; clients trust it by the lines that are printed. Of names, it may vouch for this machine's only; addresses \
      cannot be bounded so. --real-hosts has another one, which may vouch for the real platform's hosts too, for \
      clients whose names are led here.

      Only this machine is listened to, unless --host says otherwise. Ctrl-C lets open requests finish and ends with \
      130; a request to end (SIGTERM), --for and --exit-with-stdin end with 0. A port in use is 3.

      Example: authflow emulator --port 8443 --export-ca ca.pem
      """)

  @Option(help: "The port; 0 takes a free one.") var port = 8443
  @Option(help: ArgumentHelp("An address to listen on instead of the loopback addresses.", valueName: "address"))
  var host: String?
  @Flag(help: "HTTPS only.") var tls = false
  @Option(
    help: ArgumentHelp("Tenants, users and apps; the built-in Contoso otherwise.", valueName: "file"),
    completion: .file())
  var directory: String?
  @Option(
    name: .customLong("export-ca"),
    help: ArgumentHelp("Also write the development CA's certificate, PEM, there.", valueName: "file"),
    completion: .file())
  var exportCA: String?
  @Flag(name: .customLong("export-only"), help: "Only write what --export-ca says, and serve nothing.")
  var exportOnly = false
  @Option(
    help: ArgumentHelp(
      "One more host name to answer for, and to have in the certificate; may be repeated.", valueName: "name"))
  var allowHost: [String] = []
  @Flag(
    help: "A certificate for the real platform's hosts too (login.microsoftonline.com, graph.microsoft.com and more).")
  var realHosts = false
  @Option(
    help: ArgumentHelp(
      "Keep what the platform remembers (consents, used codes, sessions) in this file; in memory otherwise.",
      valueName: "file"), completion: .file())
  var state: String?
  @Flag(help: "Make nothing up: an app or API that the directory lacks is refused, as the real platform does.")
  var strict = false
  @Flag(help: "No control interface (/_authflow/).") var noControl = false
  @Flag(help: "The control interface for other machines too, with --host.") var openControl = false
  @Option(name: .customLong("for"), help: ArgumentHelp("End after this long, as in 30s or 10m.", valueName: "time"))
  var life: String?
  @Flag(help: "End when standard input ends, as it does when the program that started this one dies.")
  var exitWithStdin = false
  @Flag(name: .shortAndLong, help: "Tell each request on standard error.") var verbose = false
  @Option(help: "text, or json: one object when it listens, for scripts.") var format: OutputFormat = .text

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port is a number from 0 to 65535.") }
    if let life, DurationText.parse(life) == nil {
      throw ValidationError("--for is a length of time, as in 30s, 10m or 2h; not `\(life)`.")
    }
    for (option, value) in [("export-ca", exportCA), ("state", state), ("directory", directory)] where value == "" {
      throw ValidationError("--\(option) names no file.")
    }
    if exportOnly, exportCA == nil { throw ValidationError("--export-only needs --export-ca.") }
    if noControl, openControl { throw ValidationError("--no-control and --open-control contradict each other.") }
    if let host, let fault = ServedHosts.fault(of: host) {
      throw ValidationError("--host is an address, or one host name without scheme and port: \(fault).")
    }
    for name in allowHost {
      guard let fault = ServedHosts.fault(of: name) else { continue }
      throw ValidationError("--allow-host is one host name without scheme and port: \(fault).")
    }
  }

  func perform(in session: Session) async throws(ExitStatus) {
    let served = try readDirectory(in: session)
    let hosts = ServedHosts(address: host, allowed: allowHost, realHosts: realHosts)
    if !exportOnly { try await checkAddress(hosts, in: session) }
    let authority = try openAuthority(hosts, in: session)
    if let exportCA { try export(authority, to: exportCA, in: session) }
    guard !exportOnly else { return }

    let memory = EmulatorStateFile(path: state, world: session.world)
    let snapshot = try memory.load(in: session)
    var options = IdentityPlatformEmulator.Options(
      controlEnabled: !noControl, servesEveryHost: true, isStrict: strict,
      controlHosts: Set(allowHost.map { $0.lowercased() }),
      // Clients on other machines must not make this machine call itself.
      notificationTransport: hosts.isLoopback ? session.world.http : nil,
      notice: { session.printStatus("note: \($0)") })
    options.advice = { session.printStatus("warning: \($0.words)\n  help: \($0.help)") }
    let platform = IdentityPlatformEmulator(
      directory: served, clock: session.world.clock, randomness: session.world.randomness, options: options,
      snapshot: snapshot)
    // Whoever named a place that cannot be written shall hear it before anything is worth keeping.
    try memory.save(platform, in: session)
    let log: @Sendable (String) -> Void = { session.printStatus($0) }
    let service = EmulatorService(
      platform: platform, hosts: hosts, opensControl: openControl, log: verbose ? log : nil)
    let server = try await listen(service, authority, hosts, in: session)
    let greeting = EmulatorBanner(
      server: server, authority: exportCA ?? authority.path, directory: served, isBuiltIn: directory == nil,
      host: hosts.greetedHost, isSecureOnly: tls, hasControl: !noControl && (hosts.greetsThisMachine || openControl),
      hasRealHosts: realHosts)
    switch format {
    case .json: session.printLine(greeting.json.text(), as: .json)
    case .text: session.printLine(greeting.text(session.style(for: .output)))
    }

    let vigil = ServerLifetime(
      life: life.flatMap { DurationText.parse($0) }, watchesInput: exitWithStdin, world: session.world)
    let ending = await vigil.run { await memory.keep(platform, service: service, in: session) }
    await server.stop(grace: Duration.seconds(2))
    try memory.save(platform, in: session)
    if ending == .interrupted, !InterruptHandler.isRequestToEnd { throw .interrupted }
  }

  private func readDirectory(in session: Session) throws(ExitStatus) -> EmulatedDirectory {
    guard let directory else { return .contoso }
    return try WorkflowInput.directory(at: directory, in: session)
  }

  private func openAuthority(_ hosts: ServedHosts, in session: Session) throws(ExitStatus) -> DevelopmentCA {
    let folder = StateFolder(environment: session.world.environment, place: "emulator")
    try session.prepare(folder)
    do {
      let authority = try DevelopmentCA.open(
        folder: folder.path, names: hosts.certificateNames,
        files: session.world.files, now: session.world.clock.now)
      if let note = authority.note { session.printStatus("warning: \(note)") }
      if realHosts {
        session.printStatus(
          "warning: this CA may vouch for the real platform's hosts: trust it in tests only, never in a browser or system "
            + "that signs in for real")
      }
      return authority
    } catch {
      session.printStatus("error: \(error.explanation)")
      throw .environmentFailure
    }
  }

  private func export(_ authority: DevelopmentCA, to path: String, in session: Session) throws(ExitStatus) {
    if path == "-" { return session.printLine(authority.pem, as: .data) }
    // A slip of the fingers must not cost anybody a file.
    if session.world.files.kind(of: path) == .file,
      let found = try? session.world.files.read(path, limit: Session.documentLimit), !found.isEmpty,
      !String(decoding: found, as: UTF8.self).hasPrefix("-----BEGIN CERTIFICATE-----")
    {
      session.printStatus("error: \(path) is there and is no certificate\n  help: name another file for --export-ca")
      throw .usageError
    }
    try session.write(authority.pem, to: path)
    session.printStatus("note: the development CA's certificate is in \(path)")
  }

  /// Listens for a moment at any port: for an address that cannot be listened on, no CA is made and kept.
  private func checkAddress(_ hosts: ServedHosts, in session: Session) async throws(ExitStatus) {
    guard let address = hosts.bindAddress else { return }
    do {
      let server = try await session.openServer(.init(address: address, serves: { _ in false }), { _, _ in .broken })
      await server.stop(grace: .zero)
    } catch {
      throw reportError(error, in: session)
    }
  }

  private func reportError(_ failure: HTTPServer.ListenError, in session: Session) -> ExitStatus {
    let help =
      failure.isAddressAtFault
      ? "--host takes an address or a name of this machine, or 0.0.0.0 for all its addresses"
      : "--port names another one, and --port 0 takes a free one"
    session.printStatus("error: \(failure.explanation)\n  help: \(help)")
    return .environmentFailure
  }

  private func listen(
    _ service: EmulatorService, _ authority: DevelopmentCA, _ hosts: ServedHosts, in session: Session
  ) async throws(ExitStatus) -> any RunningServer {
    let identity: ServerIdentity
    do {
      identity = try authority.identity(now: session.world.clock.now)
    } catch {
      session.printStatus("error: \(error.explanation)")
      throw .environmentFailure
    }
    if !hosts.isLoopback {
      session.printStatus(
        "warning: every machine that reaches this one can use the emulator, whose passwords and keys are public; "
          + "its certificate has the names that --allow-host gives")
    }
    do {
      return try await session.openServer(
        .init(
          address: hosts.bindAddress, port: port, identity: identity, plain: !tls,
          largeBodies: LargeBodies(
            limit: { service.platform.bodyLimit(for: $0) }, refusal: { service.platform.bodyRefusal(for: $0) }),
          serves: { hosts.serves($0, platform: service.platform) }),
        { await service.answer($0, to: $1) })
    } catch {
      throw reportError(error, in: session)
    }
  }
}
