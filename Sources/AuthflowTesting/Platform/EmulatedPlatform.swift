import Directory
import Documents
import Effects
import Foundation
import IdentityEmulator
import IdentityPlatform
import SimulatedWorld

/// The Microsoft identity platform with Microsoft Graph, emulated in the test's own process.
///
/// ```swift
/// let platform = try EmulatedPlatform()
/// let client = try EmulatedPublicClient(on: platform)
/// let token = try await client.acquireToken(scopes: ["User.Read"])
///
/// try await platform.simulate("passwordChanged")
/// await platform.advance(by: .seconds(7200))
/// await #expect(throws: EmulatedMSALError.self) {
///   try await client.acquireTokenSilent(scopes: ["User.Read"], account: token.account)
/// }
/// ```
///
/// An app's own requests reach it through ``urlProtocolClass``, without a socket. Other programs, and clients that want a
/// real server, are given one by ``serve(directory:port:)``. Each platform is a world of its own: tests that make one each
/// may run side by side.
///
/// Its clock is virtual: it stands at the instant that it was made for and goes on only where the test says so, or where
/// something waits for it. Its tokens are signed with public keys and worth nothing elsewhere.
public final class EmulatedPlatform: Sendable {
  /// When platforms begin, unless they are told otherwise: 2025-01-01T00:00:00Z.
  public static let beginning = Date(timeIntervalSince1970: Double(Simulation.start.secondsSince1970))

  let emulator: IdentityPlatformEmulator
  let time: PlatformTime
  let directory: EmulatedDirectory
  /// Which `URLProtocol` class leads here.
  private let registration: PlatformRegistration

  /// - Parameters:
  ///   - directory: who lives there, ``DirectorySource/contoso`` by default.
  ///   - start: what time it is there.
  /// - Throws: `AuthflowError` where the directory cannot be used.
  public convenience init(
    directory: DirectorySource = .contoso, startingAt start: Date = EmulatedPlatform.beginning
  ) throws(AuthflowError) {
    let instant = Instant(nanosecondsSince1970: Int64((start.timeIntervalSince1970 * 1e9).rounded()))
    self.init(
      directory: try directory.read(), time: .virtual(Simulation(start: instant, seed: "AuthflowTesting")),
      servesEveryHost: false)
  }

  init(directory: EmulatedDirectory, time: PlatformTime, servesEveryHost: Bool) {
    self.directory = directory
    self.time = time
    let world = time.world(http: StubTransport.nobody())
    emulator = IdentityPlatformEmulator(
      directory: directory, clock: time.clock, randomness: world.randomness,
      options: .init(controlEnabled: true, servesEveryHost: servesEveryHost))
    registration = PlatformRegistration()
    registration.register(self)
  }

  deinit { registration.end() }

  // MARK: Time

  /// What time it is on the platform.
  public var now: Date { Date(timeIntervalSince1970: Double(time.clock.now.nanosecondsSince1970) / 1e9) }

  /// Lets time pass at once, for the platform and for every client on it. Ninety days cost nothing.
  ///
  /// Time goes forward only; `simulate("clock: 2024-12-31T23:00:00Z")` sets the platform's clock alone, for a service and a
  /// device that do not agree.
  public func advance(by duration: Duration) async {
    let time = self.time
    await time.run { time.advance(by: duration) }
  }

  // MARK: An app's requests

  /// The `URLProtocol` that takes an app's requests for the platform's hosts (`login.microsoftonline.com`,
  /// `graph.microsoft.com` and their like) to this platform. Every platform has a class of its own.
  ///
  /// ```swift
  /// let configuration = URLSessionConfiguration.ephemeral
  /// configuration.protocolClasses = [platform.urlProtocolClass]
  /// let session = URLSession(configuration: configuration)
  /// ```
  ///
  /// Requests for other hosts go where they always went. When the platform is gone its hosts cannot be reached any more:
  /// no request of a test ever reaches the real ones. Hold on to the platform for as long as the session is used.
  public var urlProtocolClass: AnyClass { registration.urlProtocolClass }

  /// Whether a host is one of the platform's.
  func serves(host: String) -> Bool { emulator.serves(host: host) }
}
