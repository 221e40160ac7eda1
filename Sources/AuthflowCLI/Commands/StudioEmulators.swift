import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import LiveWorld
import Studio
import Synchronization
import Trust

/// The emulators of the studio: one that is already running, or one that the studio starts.
final class StudioEmulators: Sendable {
  private let session: Session
  private let servers = Mutex<[any RunningServer]>([])

  init(in session: Session) { self.session = session }

  /// Returns the address of a running emulator as scheme and authority.
  /// - Parameter url: The value of `--attach`.
  static func address(_ url: String) -> String? {
    guard let origin = Origin(of: url), origin.isLoopback else { return nil }
    let rest = url.dropFirst("\(origin.scheme)://".count).drop { $0 != "/" && $0 != "?" && $0 != "#" }
    return rest.isEmpty || rest == "/" ? origin.description : nil
  }

  /// Checks that an emulator with a control interface responds at an address.
  func check(_ address: String) async throws(ExitStatus) {
    guard let request = RequestMessage(url: "\(address)/_authflow/state") else { return }
    let response: ResponseMessage
    do throws(TransportFailure) { response = try await session.world.http.send(request) } catch {
      throw session.report(
        .environmentFailure, "no emulator responds at \(address): \(error.explanation)",
        help: "start `authflow emulator`, and pass the address that it prints")
    }
    guard let json = try? JSON(parsing: response.body), json["version"] != nil else {
      throw session.report(.environmentFailure, "the program at \(address) is not an emulator")
    }
    guard response.head.status == .ok else {
      let problem = json["problems"]?.array?.first?.string ?? "status \(response.head.status.code)"
      throw session.report(.environmentFailure, "the emulator at \(address) rejects control requests: \(problem)")
    }
  }

  /// Starts an emulator on a free loopback port, over HTTP.
  /// - Returns: The emulator's address.
  func start(_ directory: EmulatedDirectory) async throws(EmulatorStartFailure) -> String {
    var options = IdentityPlatformEmulator.Options(
      controlEnabled: true, servesEveryHost: true, notificationTransport: session.world.http,
      notice: { [session] in session.printStatus("note: \($0)") })
    options.explain = { ErrorExplanation(code: $0) }
    let platform = IdentityPlatformEmulator(
      directory: directory, clock: session.world.clock, randomness: session.world.randomness, options: options)
    let hosts = ServedHosts(address: nil, allowed: [])
    let service = EmulatorService(platform: platform, hosts: hosts, opensControl: false, log: nil)
    do {
      let server = try await session.openServer(service.configuration(port: 0, identity: nil, plain: true)) {
        await service.respond(to: $0, from: $1)
      }
      servers.withLock { $0.append(server) }
      return "http://\(hosts.advertisedHost):\(server.port)"
    } catch {
      throw EmulatorStartFailure(error.explanation)
    }
  }

  /// Stops the emulators that the studio started.
  func stop() async {
    for server in servers.withLock({ $0 }) { await server.stop(grace: .seconds(1)) }
  }
}
