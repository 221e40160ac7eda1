import Directory
import Documents
import Effects
import Foundation
import IdentityEmulator
import IdentityPlatform
import SimulatedWorld
import SystemWorld

/// An emulator of the Microsoft identity platform and Microsoft Graph that runs in the test process.
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
/// An app's own requests reach the platform through ``urlProtocolClass`` without a socket. For other programs, and for
/// clients that require a real server, use the product `AuthflowTestingServer`. Platforms are independent: tests with
/// their own platforms can run in parallel.
///
/// The clock is virtual. Time advances only when the test advances the clock, or while all work is waiting. Tokens are
/// signed with public test keys, so no real service accepts them.
public final class EmulatedPlatform: Sendable {
  /// The default start time: 2025-01-01T00:00:00Z.
  public static let defaultStartDate = Date(timeIntervalSince1970: Double(Simulation.start.secondsSince1970))

  package let emulator: IdentityPlatformEmulator
  let time: PlatformTime
  let directory: EmulatedDirectory
  /// The `URLProtocol` class of this platform.
  private let registration: PlatformRegistration

  /// - Parameters:
  ///   - directory: The tenants, users, and apps. The default is ``DirectorySource/contoso``.
  ///   - start: The initial time of the clock.
  /// - Throws: `AuthflowError` if the directory is invalid.
  public convenience init(
    directory: DirectorySource = .contoso, startingAt start: Date = EmulatedPlatform.defaultStartDate
  ) throws(AuthflowError) {
    let instant = Instant(nanosecondsSince1970: Int64((start.timeIntervalSince1970 * 1e9).rounded()))
    self.init(
      directory: try directory.read(), time: .virtual(Simulation(start: instant, seed: "AuthflowTesting")),
      servesEveryHost: false)
  }

  /// Creates a platform for a server. It uses the system clock and serves all host names.
  /// - Throws: `AuthflowError` if the directory is invalid.
  package convenience init(served directory: DirectorySource, clock: LiveClock) throws(AuthflowError) {
    self.init(directory: try directory.read(), time: .system(clock), servesEveryHost: true)
  }

  init(directory: EmulatedDirectory, time: PlatformTime, servesEveryHost: Bool) {
    self.directory = directory
    self.time = time
    let world = time.world(http: StubTransport.unreachable())
    emulator = IdentityPlatformEmulator(
      directory: directory, clock: time.clock, randomness: world.randomness,
      options: .init(controlEnabled: true, servesEveryHost: servesEveryHost))
    registration = PlatformRegistration()
    registration.register(self)
  }

  deinit { registration.end() }

  // MARK: Time

  /// The current time on the platform's clock.
  public var now: Date { Date(timeIntervalSince1970: Double(time.clock.now.nanosecondsSince1970) / 1e9) }

  /// Advances the clock of the platform and all its clients, without waiting.
  ///
  /// The clock never moves backward. To test a difference between the clocks of the service and the device, use
  /// `simulate("clock: 2024-12-31T23:00:00Z")`, which sets only the platform's clock.
  public func advance(by duration: Duration) async {
    let time = self.time
    await time.run { time.advance(by: duration) }
  }

  // MARK: An app's requests

  /// The `URLProtocol` class that routes an app's requests to this platform if the platform serves their host, such as
  /// `login.microsoftonline.com` or `graph.microsoft.com`. Each platform has its own class.
  ///
  /// ```swift
  /// let configuration = URLSessionConfiguration.ephemeral
  /// configuration.protocolClasses = [platform.urlProtocolClass]
  /// let session = URLSession(configuration: configuration)
  /// ```
  ///
  /// Requests to other hosts are not affected. After the platform is released, its hosts are unreachable, so that tests
  /// never send requests to the real hosts. Keep a reference to the platform while you use the session.
  public var urlProtocolClass: AnyClass { registration.urlProtocolClass }

  /// Returns whether the platform serves a host.
  func serves(host: String) -> Bool { emulator.serves(host: host) }
}
