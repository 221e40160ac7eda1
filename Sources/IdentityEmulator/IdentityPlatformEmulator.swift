import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth

/// The emulated Microsoft identity platform, including Microsoft Graph. It maps each HTTP request to a response.
///
/// The emulator depends only on a directory, a clock, a source of randomness, and an optional transport for Graph's
/// change notifications. Tokens and codes are encrypted or signed with built-in keys, so another emulator with the same
/// directory accepts them. The snapshot contains the remaining state: used codes, consents, revocations, and browser
/// sessions.
package final class IdentityPlatformEmulator: Sendable {
  package struct Options: Sendable {
    /// Whether the control interface (`/_authflow/`) is available.
    package var controlEnabled: Bool
    /// Whether every host is both a login host and a Graph host, as on a server at `localhost:port`. An in-process
    /// emulator serves only the hosts of the live service.
    package var servesEveryHost: Bool
    /// Whether automatic registration is off, regardless of the directory. An unknown client ID then causes
    /// AADSTS700016, and an unknown API causes AADSTS500011.
    package var isStrict: Bool
    /// Whether unknown apps, tenants, and APIs are registered automatically unless the directory sets
    /// `registersOnTheFly`.
    package var registersByDefault = true
    /// A closure that receives a message when an app, tenant, user flow, or API is registered on the fly.
    package var notice: @Sendable (String) -> Void
    /// A closure that is called when a request contains a permission that Microsoft Graph does not define.
    package var advice: @Sendable (UnknownPermission) -> Void = { _ in }
    /// A closure that explains an error code, such as `AADSTS65001`, or returns nil for an unknown code.
    package var explain: @Sendable (String) -> ErrorExplanation? = { _ in nil }
    /// Additional host names, in lowercase, that the control interface accepts. The control interface always accepts
    /// `localhost`, IP addresses, names without a dot, and the platform's hosts.
    package var controlHosts: Set<String>
    /// The transport for Graph's change notifications to endpoints on this machine. If nil, the emulator only records
    /// notifications.
    package var notificationTransport: (any HTTPTransport)?

    package init(
      controlEnabled: Bool = false, servesEveryHost: Bool = false, isStrict: Bool = false,
      controlHosts: Set<String> = [],
      notificationTransport: (any HTTPTransport)? = nil,
      notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
      self.controlEnabled = controlEnabled
      self.servesEveryHost = servesEveryHost
      self.isStrict = isStrict
      self.notice = notice
      self.controlHosts = controlHosts
      self.notificationTransport = notificationTransport
    }
  }

  /// The state and services that the endpoints share.
  package let platform: Platform

  /// - Parameter snapshot: A `snapshot()` of an earlier emulator with the same directory. Invalid parts are ignored.
  package convenience init(
    directory: EmulatedDirectory = .contoso, clock: any WorldClock, randomness: any Randomness,
    options: Options = Options(), snapshot: JSON? = nil
  ) {
    self.init(
      InitialPlatformState(directory, at: clock.now, options: options), clock: clock, randomness: randomness,
      snapshot: snapshot)
  }

  /// Creates an emulator from an initial state, which several emulators can share.
  package init(
    _ start: InitialPlatformState, clock: any WorldClock, randomness: any Randomness, snapshot: JSON? = nil
  ) {
    var state = start.state
    if let snapshot { state.restore(snapshot) }
    platform = Platform(
      state: state, directory: start.directory, clock: clock, randomness: randomness, options: start.options,
      graph: GraphService())
  }

  /// Returns the response to a request. Returns status 502 for connection failures and unbounded responses. Call
  /// `exchange` to distinguish them.
  package func respond(to request: RequestMessage) async -> ResponseMessage {
    switch await exchange(request) {
    case .response(let response): response
    case .endless: Self.badGateway(ResponseLimit.failure(host: URLReference(request.url).host ?? ""))
    case .truncated: Self.badGateway(Self.incompleteBody)
    case .failed(let failure): Self.badGateway(failure)
    }
  }

  private static func badGateway(_ failure: TransportFailure) -> ResponseMessage {
    ResponseMessage(
      .badGateway, headers: [.contentType: "text/plain; charset=utf-8"], body: Array(failure.explanation.utf8))
  }

  /// The failure that a client reports for an incomplete body.
  fileprivate static let incompleteBody = TransportFailure.connectionLost(
    "the emulator closed the connection before the end of the response because of a fault")

  /// The result of a request at the connection level.
  package enum Outcome: Sendable {
    case response(ResponseMessage)
    /// A response with an endless body. The server repeats `more` until the client closes the connection.
    case endless(ResponseMessage, more: [UInt8])
    /// A response that is cut off when the server closes the connection after half of the body.
    case truncated(ResponseMessage)
    /// No response, because the connection was reset or the network is offline.
    case failed(TransportFailure)
  }

  /// Processes a request.
  /// - Parameter clientTimeout: The client's timeout, or nil if the client closes the connection itself.
  package func exchange(_ request: RequestMessage, clientTimeout: Duration? = nil) async -> Outcome {
    await Dispatcher(platform: platform, clientTimeout: clientTimeout).outcome(of: request)
  }

  /// Registers an app. If the app is already registered, merges its redirect URIs and permissions into the
  /// registration.
  package func register(app: RegisteredApp) {
    platform.withState { $0.register(app) }
  }

  /// Registers a workflow's app. If the directory sets `registersOnTheFly: false` and lists redirect URIs for the app,
  /// no redirect URIs are added.
  package func register(client: RegisteredApp) {
    var client = client
    let isComplete = platform.directory.saysWhatIsRegistered && !platform.directory.registersOnTheFly
    platform.withState { state in
      let listed = isComplete ? state.directoryApps[client.appId.lowercased()] : nil
      if let listed, !listed.redirects.isEmpty { client.publicRedirectUris = [] }
      state.register(client)
    }
  }

  /// Creates a link to the start page that gives one browser access to the control interface.
  /// - Parameter base: The scheme and authority that browsers use, such as `http://localhost:8443`.
  package func startPageLink(base: String) -> String {
    base + platform.startPageAccess.newLink(platform.randomness)
  }

  /// Returns the state to save: used codes, consents, revocations, browser sessions, and changed users.
  package func snapshot() -> JSON {
    platform.withState { $0.snapshot }
  }

  /// Whether the emulator serves a host: a login, B2C, External ID, or Graph host, the device page, or an API for which
  /// the directory defines responses.
  package func serves(host: String) -> Bool {
    platform.options.servesEveryHost || HostKind(host) != nil
      || platform.withState { state in state.customAPIHosts.contains(host.lowercased()) }
  }

  /// A transport that sends requests to the emulator. If the emulator does not serve a host, requests fail as if the
  /// host could not be resolved.
  package var transport: any HTTPTransport { EmulatorTransport(emulator: self) }
}

private struct EmulatorTransport: HTTPTransport {
  let emulator: IdentityPlatformEmulator

  func send(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    let host = request.head.authority.flatMap { URLReference.host(ofAuthority: $0) } ?? ""
    guard emulator.serves(host: host) else {
      throw .hostNotFound("\(host): the emulator serves only hosts of the identity platform")
    }
    switch await emulator.exchange(request, clientTimeout: ResponseLimit.responseTimeout) {
    case .response(let response):
      guard response.body.count <= ResponseLimit.bytes else { throw ResponseLimit.failure(host: host) }
      return response
    // Every client stops reading at the size limit, so the transport fails without generating the body.
    case .endless: throw ResponseLimit.failure(host: host)
    case .truncated: throw IdentityPlatformEmulator.incompleteBody
    case .failed(let failure): throw failure
    }
  }
}
