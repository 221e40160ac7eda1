import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth

/// The emulated Microsoft identity platform with its Graph: a function from an HTTP request to a response.
///
/// It has no effects beyond the clock and the randomness that it was given, and change notifications to this machine if it
/// has a transport for them. Tokens and codes are sealed or signed under
/// built-in keys, so a second emulator with the same directory honors what a first one issued; what cannot travel in
/// them (used codes, consents, revocations, browser sessions) is the snapshot.
package final class IdentityPlatformEmulator: Sendable {
  package struct Options: Sendable {
    /// Whether `/_authflow/` answers: events, counts, faults.
    package var controlEnabled: Bool
    /// Whether every host is served as login and Graph host, as behind a server on `localhost:port`; in process only the
    /// real platform's hosts are.
    package var servesEveryHost: Bool
    /// Whether nothing is made up, whatever the directory says: an unknown client id is AADSTS700016, an unknown API
    /// AADSTS500011.
    package var isStrict: Bool
    /// Whether unknown apps, tenants, and APIs are registered automatically if the directory does not say so itself.
    package var registersByDefault: Bool
    /// Called with a sentence when an app, tenant, policy or API is registered on the fly.
    package var notice: @Sendable (String) -> Void
    /// Called when a request names a permission that Microsoft Graph does not have.
    package var advice: @Sendable (UnknownPermission) -> Void = { _ in }
    /// Host names, in lower case, under which the control interface answers besides those that nobody's web page can
    /// take for itself: localhost, addresses, names without a dot, the platform's own.
    package var controlHosts: Set<String>
    /// Carries Graph's change notifications to endpoints on this machine; nil records them only.
    package var notificationTransport: (any HTTPTransport)?

    package init(
      controlEnabled: Bool = false, servesEveryHost: Bool = false, isStrict: Bool = false,
      registersByDefault: Bool = true, controlHosts: Set<String> = [],
      notificationTransport: (any HTTPTransport)? = nil,
      notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
      self.controlEnabled = controlEnabled
      self.servesEveryHost = servesEveryHost
      self.isStrict = isStrict
      self.registersByDefault = registersByDefault
      self.notice = notice
      self.controlHosts = controlHosts
      self.notificationTransport = notificationTransport
    }
  }

  /// The state and services that the endpoints share.
  package let platform: Platform

  /// - Parameter snapshot: what `snapshot()` of an earlier emulator with the same directory gave; what of it cannot be
  ///   read is left out.
  package convenience init(
    directory: EmulatedDirectory = .contoso, clock: any WorldClock, randomness: any Randomness,
    options: Options = Options(), snapshot: JSON? = nil
  ) {
    self.init(
      InitialPlatformState(directory, at: clock.now, options: options), clock: clock, randomness: randomness,
      snapshot: snapshot)
  }

  /// From a beginning that several emulators share.
  package init(
    _ start: InitialPlatformState, clock: any WorldClock, randomness: any Randomness, snapshot: JSON? = nil
  ) {
    var state = start.state
    if let snapshot { state.restore(snapshot) }
    platform = Platform(
      state: state, directory: start.directory, clock: clock, randomness: randomness, options: start.options,
      graph: GraphService())
  }

  /// Answers one request. A connection that a fault resets is answered 502 here, and so is an answer that does not end;
  /// `exchange` tells them apart.
  package func respond(to request: RequestMessage) async -> ResponseMessage {
    switch await exchange(request) {
    case .response(let response): response
    case .endless: Self.badGateway(ResponseLimit.failure(host: URLReference(request.url).host ?? ""))
    case .cut: Self.badGateway(Self.cutOff)
    case .broken(let failure): Self.badGateway(failure)
    }
  }

  private static func badGateway(_ failure: TransportFailure) -> ResponseMessage {
    ResponseMessage(
      .badGateway, headers: [.contentType: "text/plain; charset=utf-8"], body: Array(failure.explanation.utf8))
  }

  /// What a client makes of a body that ends too early.
  fileprivate static let cutOff = TransportFailure.connectionLost(
    "the emulator broke off in the middle of the answer, as a fault says")

  package enum Outcome: Sendable {
    case response(ResponseMessage)
    /// A response whose body goes on like this for ever. Over a real connection it is streamed until the client hangs up.
    case endless(ResponseMessage, more: [UInt8])
    /// A response of which half the body comes, and then the connection ends.
    case cut(ResponseMessage)
    /// No response comes: the connection is reset, or there is no network.
    case broken(TransportFailure)
  }

  /// - Parameter patience: how long whoever asks waits; nil where it can hang up by itself.
  package func exchange(_ request: RequestMessage, patience: Duration? = nil) async -> Outcome {
    await Dispatcher(platform: platform, patience: patience).outcome(of: request)
  }

  /// Registers an app, or adds what it says to the one that is there: redirect URIs and permissions are united.
  package func register(app: RegisteredApp) {
    platform.withState { $0.register(app) }
  }

  /// The small state, to be kept beside the cache: used codes, consents, revocations, browser sessions, changed users.
  package func snapshot() -> JSON {
    platform.withState { $0.snapshot }
  }

  /// Whether a host is one of the platform's: login, B2C, External ID, Graph, device page, or an API that answers.
  package func serves(host: String) -> Bool {
    platform.options.servesEveryHost || HostKind(host) != nil
      || platform.withState { state in state.answeringHosts.contains(host.lowercased()) }
  }

  /// The emulator in place of the network: other hosts cannot be resolved.
  package var transport: any HTTPTransport { EmulatorTransport(emulator: self) }
}

private struct EmulatorTransport: HTTPTransport {
  let emulator: IdentityPlatformEmulator

  func send(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    let host = request.head.authority.flatMap { URLReference.host(ofAuthority: $0) } ?? ""
    guard emulator.serves(host: host) else {
      throw .hostNotFound("\(host): only the emulated platform's hosts exist here")
    }
    switch await emulator.exchange(request, patience: ResponseLimit.wait) {
    case .response(let response):
      guard response.body.count <= ResponseLimit.bytes else { throw ResponseLimit.failure(host: host) }
      return response
    // Whoever reads it reads up to the bound, and that much is not worth making up.
    case .endless: throw ResponseLimit.failure(host: host)
    case .cut: throw IdentityPlatformEmulator.cutOff
    case .broken(let failure): throw failure
    }
  }
}
