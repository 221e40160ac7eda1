import AuthflowTesting
import Effects
import IdentityEmulator
import LiveWorld
import SystemWorld

extension EmulatedPlatform {
  /// An emulated platform with a server on a loopback port, for clients in other languages and processes.
  ///
  /// The server stops when you call ``close()`` or release this object.
  public final class Server: Sendable {
    /// The emulated platform. Use the platform to simulate events and faults, and to count requests.
    ///
    /// The platform's clock is the system clock plus the durations passed to `advance(by:)`.
    public let platform: EmulatedPlatform
    private let server: HTTPServer

    init(platform: EmulatedPlatform, server: HTTPServer) {
      self.platform = platform
      self.server = server
    }

    /// The port of the server.
    public var port: Int { server.port }

    /// The base URL, `http://localhost:PORT`. Authorities are URLs such as `\(url)/common`. The base URL of Microsoft
    /// Graph is `\(url)/v1.0`.
    public var url: String { "http://localhost:\(server.port)" }

    /// Stops the server and closes all connections. If the server has already stopped, calls have no effect.
    public func close() async { await server.stop(grace: .zero) }
  }

  /// Starts an emulated platform with an HTTP server on a loopback port. For HTTPS, run `authflow emulator`.
  ///
  /// ```swift
  /// let server = try await EmulatedPlatform.serve()
  /// setenv("AUTHORITY", "\(server.url)/common", 1)
  /// try await server.platform.simulate("offline: 1m")
  /// await server.close()
  /// ```
  /// - Parameters:
  ///   - directory: The tenants, users, and apps.
  ///   - port: The port, or zero for any free port.
  /// - Throws: `AuthflowError` if the directory is invalid or the port is in use.
  public static func serve(directory: DirectorySource = .contoso, port: Int = 0) async throws(AuthflowError) -> Server {
    let platform = try EmulatedPlatform(served: directory, clock: LiveClock())
    let emulator = platform.emulator
    do {
      let server = try await HTTPServer.open(
        .init(port: port, serves: { isThisMachine($0) || emulator.isServiceHost($0) })
      ) { request, _ in
        switch await emulator.exchange(request) {
        case .response(let response): .response(response)
        case .endless(let response, let more): .endless(response, more: more)
        case .truncated(let response): .cut(response)
        case .failed: .broken
        }
      }
      return Server(platform: platform, server: server)
    } catch {
      throw AuthflowError(
        error.explanation, rule: "cannot-listen", help: "use port 0 for any free port", about: "serve")
    }
  }

  /// Whether a host name always resolves to this machine. Attackers cannot use such a name for DNS rebinding.
  private static func isThisMachine(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "127.0.0.1"
  }
}
