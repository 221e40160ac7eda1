import Effects
import Foundation
import IdentityEmulator
import LiveWorld
import SystemWorld

extension EmulatedPlatform {
  /// A platform behind a real server on this machine, for clients that want one: other languages, other processes.
  ///
  /// It closes with this object, or when it is told to.
  public final class Server: Sendable {
    /// The platform that answers: its events, faults and counts. It goes by the system's clock, plus what it was
    /// advanced by.
    public let platform: EmulatedPlatform
    private let server: HTTPServer

    init(platform: EmulatedPlatform, server: HTTPServer) {
      self.platform = platform
      self.server = server
    }

    /// The port that it listens on.
    public var port: Int { server.port }

    /// `http://localhost:PORT`: the authority of a tenant is `\(url)/common`, Microsoft Graph is `\(url)/v1.0`.
    public var url: String { "http://localhost:\(server.port)" }

    /// Stops listening and closes every connection. Once is enough, more is no harm.
    public func close() async { await server.stop(grace: .zero) }
  }

  /// Serves a platform on a loopback port, over HTTP. For HTTPS, with a certificate that clients can trust, run
  /// `authflow emulator`.
  ///
  /// ```swift
  /// let server = try await EmulatedPlatform.serve()
  /// setenv("AUTHORITY", "\(server.url)/common", 1)
  /// try await server.platform.simulate("offline: 1m")
  /// await server.close()
  /// ```
  /// - Parameters:
  ///   - directory: who lives there.
  ///   - port: zero takes a free one.
  /// - Throws: `AuthflowError` where the directory cannot be used or the port is taken.
  public static func serve(directory: DirectorySource = .contoso, port: Int = 0) async throws(AuthflowError) -> Server {
    let platform = EmulatedPlatform(
      directory: try directory.read(), time: .system(LiveClock()), servesEveryHost: true)
    let emulator = platform.emulator
    do {
      let server = try await HTTPServer.open(
        .init(port: port, serves: { isThisMachine($0) || emulator.knows(host: $0) })
      ) { request, _ in
        switch await emulator.exchange(request) {
        case .response(let response): .response(response)
        case .endless(let response, let more): .endless(response, more: more)
        case .cut(let response): .cut(response)
        case .broken: .broken
        }
      }
      return Server(platform: platform, server: server)
    } catch {
      throw AuthflowError(error.explanation, rule: "cannot-listen", help: "port 0 takes a free one", about: "serve")
    }
  }

  /// Names that no page of the web can have led here.
  private static func isThisMachine(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "127.0.0.1"
  }
}
