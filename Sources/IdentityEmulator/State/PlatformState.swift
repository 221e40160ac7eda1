import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OrderedCollections

/// The state of the emulator between requests.
package struct PlatformState: Sendable {
  /// The tenants, the accounts, and Graph's data.
  package var graph: GraphState
  /// The app registrations by lowercase client ID.
  var apps: OrderedDictionary<String, RegisteredApp> = [:]
  var resources: [ResourceAPI] = []
  let automaticRegistration: AutomaticRegistration
  /// Whether snapshots contain registrations and policies. True for an emulator server.
  let savesRegistrations: Bool
  /// The directory's apps, which are needed to detect changes.
  let directoryApps: [String: RegisteredApp]
  let directoryResources: [ResourceAPI]
  let directoryPolicies: [String: [AccessPolicy]]
  let directoryUserFlows: [String: [String]]
  /// The default client for events: the first app that was registered in addition to the directory's apps.
  var defaultClient: String?
  /// The lowercase client IDs of apps that were registered on first use. These apps can use any credential and redirect
  /// URI.
  var appsOnTheFly: Set<String> = []
  /// The lowercase client IDs of apps that an event disabled.
  var disabledApps: Set<String> = []

  var sessions: OrderedDictionary<String, BrowserSession> = [:]
  /// Redeemed authorization codes.
  var usedCodes = UsedCodes()
  var consents = Consents()
  var grants: OrderedDictionary<String, GrantHistory> = [:]
  var lockouts: OrderedDictionary<String, PasswordLockout> = [:]
  var devices: OrderedDictionary<String, DeviceSignIn> = [:]
  /// The number of device codes at which expired device codes are removed next.
  var nextDeviceSweep = 512
  /// The IDs of accounts that differ from the directory.
  var changedAccounts: OrderedSet<String> = []
  var deletedAccounts: OrderedSet<String> = []
  var addedAccounts: OrderedSet<String> = []
  var rotations = 0
  var clockShift = Duration.zero

  // The following properties are not part of snapshots.
  var faults: [ActiveFault] = []
  /// The sequence number of the most recently added fault, starting at 1.
  var lastFaultNumber = 0
  var waitingSignIns = WaitingSignIns()
  var misbehaviors: OrderedSet<Misbehavior> = []
  var offlineUntil: Instant?
  var counts = RequestCounts()
  /// The request counts by test name.
  var isolatedCounts: OrderedDictionary<String, RequestCounts> = [:]
  /// The test names by lowercase client ID.
  var isolatedClients: OrderedDictionary<String, String> = [:]
  var requestLog: [RequestLogEntry] = []
  /// The sequence number of the latest request log entry, starting at 1.
  var lastRequestNumber = 0
  /// The times of identical requests by a user and app, for loop detection.
  var recentRequests: OrderedDictionary<String, [Instant]> = [:]

  init(
    directory: EmulatedDirectory, now: Instant, automaticRegistration: AutomaticRegistration = .everything,
    savesRegistrations: Bool = false
  ) {
    self.automaticRegistration = automaticRegistration
    self.savesRegistrations = savesRegistrations
    directoryApps = Dictionary(directory.apps.map { ($0.appId.lowercased(), $0) }) { $1 }
    directoryResources = directory.resources
    directoryPolicies = Dictionary(directory.tenants.map { ($0.id, $0.policies) }) { $1 }
    directoryUserFlows = Dictionary(directory.tenants.map { ($0.id, $0.userFlows) }) { $1 }
    var graph = GraphState()
    graph.epoch = now
    graph.customData = directory.graph
    // The property has an observer, so changing one account would copy all accounts.
    var accounts: OrderedDictionary<String, GraphState.Account> = [:]
    for tenant in directory.tenants {
      for user in tenant.users {
        accounts[user.id.lowercased()] = GraphState.Account(user: user, homeTenantID: tenant.id)
      }
      var bare = tenant
      bare.users = []
      graph.tenants[tenant.id] = bare
    }
    graph.accounts = accounts
    self.graph = graph
    resources = directory.resources
    for app in directory.apps { register(app) }
    defaultClient = nil
  }

  /// Restores the state of the directory and the clock. Keeps registered apps, but reverts the effects of events on
  /// them.
  mutating func reset(to directory: EmulatedDirectory, now: Instant) {
    var fresh = PlatformState(
      directory: directory, now: now, automaticRegistration: automaticRegistration,
      savesRegistrations: savesRegistrations)
    for (key, app) in apps {
      let app = undisabled(app)
      if app == fresh.apps[key] { continue }
      let isUnregistered = appsOnTheFly.contains(key) && app == RegisteredApp(appId: app.appId, publicRedirectUris: [])
      // The app exists only because an event disabled it.
      if isUnregistered, !automaticRegistration.apps { continue }
      fresh.register(app)
      fresh.apps[key] = app
    }
    fresh.grants = grants.mapValues { GrantHistory(generation: $0.generation) }
    fresh.defaultClient = defaultClient
    fresh.appsOnTheFly = appsOnTheFly.filter { fresh.apps[$0] != nil }
    fresh.isolatedClients = isolatedClients
    // Numbering continues, so that `?after=N` stays valid after a reset.
    fresh.lastRequestNumber = lastRequestNumber
    fresh.lastFaultNumber = lastFaultNumber
    self = fresh
  }

  // MARK: Bounds

  /// The maximum number of request log entries.
  private static let requestLogLimit = 1000

  mutating func add(_ entry: RequestLogEntry) {
    if requestLog.count >= Self.requestLogLimit { requestLog.removeFirst(Self.requestLogLimit / 10) }
    lastRequestNumber += 1
    requestLog.append(entry.truncated)
    requestLog[requestLog.count - 1].number = lastRequestNumber
  }

  /// The maximum number of browser sessions. The oldest sessions are removed first.
  private static let sessionLimit = 5000

  mutating func removeOldSessions() {
    if sessions.count > Self.sessionLimit { sessions.removeFirst(Self.sessionLimit / 10) }
  }

  /// The maximum number of device sign-ins. The oldest sign-ins are removed first.
  private static let deviceLimit = 10_000

  /// Adds a device sign-in. Removes expired codes only when the number of codes has doubled, because each removal scans
  /// all codes.
  mutating func add(_ device: DeviceSignIn, code: String, now: Instant) {
    if devices.count >= nextDeviceSweep {
      devices.removeAll { $0.value.expires <= now }
      let capacity = Self.deviceLimit - Self.deviceLimit / 10
      if devices.count > capacity { devices.removeFirst(devices.count - capacity) }
      nextDeviceSweep = min(max(512, devices.count * 2), Self.deviceLimit)
    }
    devices[code] = device
  }

  // MARK: Tenants and accounts

  /// Returns the tenant with this ID or domain.
  func tenant(named segment: String) -> Tenant? {
    graph.tenants[segment.lowercased()] ?? graph.tenants.values.first { $0.isNamed(segment) }
  }

  /// Returns the account with this username or, for customers, this email address. Ignores case.
  package func account(named username: String) -> GraphState.Account? {
    graph.account(named: username)
  }

  /// Changes an account and records that the account differs from the directory.
  package mutating func changeAccount(_ id: String, _ change: (inout User) -> Void) {
    guard var account = graph.accounts[id.lowercased()] else { return }
    change(&account.user)
    graph.accounts[id.lowercased()] = account
    changedAccounts.append(id.lowercased())
  }

  /// The hosts of APIs for which the directory defines responses.
  var customAPIHosts: Set<String> {
    Set(resources.flatMap { $0.answers.keys.compactMap { URLReference(valid: $0)?.host } })
  }

  // MARK: Apps

  /// Returns the app with this client ID. Microsoft's own clients are available in every tenant.
  func app(_ id: String) -> RegisteredApp? {
    apps[id.lowercased()] ?? FirstPartyClient.identified(by: id).map { RegisteredApp($0) }
  }

  /// Returns the app without the effect of an `appDisabled` event.
  func undisabled(_ app: RegisteredApp) -> RegisteredApp {
    let key = app.appId.lowercased()
    guard disabledApps.contains(key) else { return app }
    var app = app
    app.disabled = directoryApps[key]?.disabled
    return app
  }

  /// Disables an app. An unknown app is registered on the fly.
  mutating func disable(_ id: String) {
    let key = id.lowercased()
    if apps[key] == nil, let app = app(id) { apps[key] = app }
    if apps[key] == nil {
      apps[key] = RegisteredApp(appId: id, publicRedirectUris: [])
      appsOnTheFly.insert(key)
    }
    guard apps[key]?.disabled != true else { return }
    apps[key]?.disabled = true
    disabledApps.insert(key)
  }

  /// Registers an app. If the app is already registered, merges its redirect URIs, permissions, and consents into the
  /// registration.
  mutating func register(_ app: RegisteredApp) {
    let key = app.appId.lowercased()
    if defaultClient == nil { defaultClient = key }
    if var existing = apps[key] {
      func merge(_ path: WritableKeyPath<RegisteredApp, [String]>) {
        for value in app[keyPath: path] where !existing[keyPath: path].contains(value) {
          existing[keyPath: path].append(value)
        }
      }
      for path in [
        \RegisteredApp.publicRedirectUris, \.spaRedirectUris, \.webRedirectUris, \.permissions, \.adminConsent,
        \.secrets, \.expiredSecrets, \.certificates, \.roles, \.optionalClaims, \.accessTokenClaims,
      ] { merge(path) }
      if let name = app.name { existing.name = name }
      if let audience = app.audience { existing.audience = audience }
      if let isPublic = app.allowPublicClient { existing.allowPublicClient = isPublic }
      if let isOn = app.implicitIdTokens { existing.implicitIdTokens = isOn }
      if let isOn = app.implicitAccessTokens { existing.implicitAccessTokens = isOn }
      if let url = app.logoutUrl { existing.logoutUrl = url }
      existing.userRoles.merge(app.userRoles) { $1 }
      existing.consent.merge(app.consent) { old, new in old + new.filter { !old.contains($0) } }
      apps[key] = existing
    } else {
      apps[key] = app
    }
    let merged = apps[key] ?? app
    for (username, scopes) in app.consent {
      guard let account = account(named: username) else { continue }
      grant(scopes, to: app.appId, by: .user(account.user.id))
    }
    for tenant in graph.tenants.values where !merged.adminConsent.isEmpty {
      grant(app.adminConsent, to: app.appId, by: .tenant(tenant.id))
    }
  }

  /// Records consent to scopes, which have the same format as in a request.
  mutating func grant(_ scopes: [String], to clientID: String, by grantor: Consents.Grantor) {
    for scope in scopes {
      guard let (resource, name) = locate(scope) else { continue }
      consents.add([name], of: resource.appID, to: clientID, by: grantor)
    }
  }

  // MARK: Revocation

  /// Returns the revocation history of an account.
  func history(of accountID: String) -> GrantHistory { grants[accountID.lowercased()] ?? GrantHistory() }

  mutating func changeHistory(of accountID: String, _ change: (inout GrantHistory) -> Void) {
    var history = history(of: accountID)
    change(&history)
    grants[accountID.lowercased()] = history
  }

  /// Removes an account from all browser sessions.
  mutating func endSessions(of accountID: String) {
    for key in sessions.keys { sessions[key]?.entries.removeAll { $0.accountID == accountID.lowercased() } }
  }
}

extension RegisteredApp {
  fileprivate init(_ client: FirstPartyClient) {
    self.init(appId: client.appID, publicRedirectUris: client.redirectURIs)
    name = client.name
    allowPublicClient = true
  }
}

/// The history of an account's revocations. Each grant has a generation number, because timestamps cannot order events
/// within one second.
struct GrantHistory: Hashable, Sendable {
  /// The generation of new grants.
  var generation = 0
  /// The first generation whose grants are not revoked. Earlier grants were revoked at `validFrom`.
  var revokedBelow = 0
  var validFrom: Instant?
  /// The first generation whose refresh tokens have not expired due to inactivity.
  var refreshExpiredBelow = 0
  /// The first generation whose access tokens have not been invalidated by an event.
  var accessExpiredBelow = 0
  /// The IDs of the policies whose required password change the user has completed.
  var passwordChangedFor: [String] = []

  /// Starts a new generation. Numbers are never reused, because they continue after a reset and depend on the time. An
  /// emulator that restarts without saved state therefore does not repeat earlier numbers.
  mutating func advance(at now: Instant) {
    generation = max(generation + 1, Int(clamping: now.nanosecondsSince1970 / 1_000_000))
  }

  mutating func revoke(at now: Instant) {
    advance(at: now)
    revokedBelow = generation
    validFrom = now
  }
}

/// The accounts that are signed in to one browser.
struct BrowserSession: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    var accountID: String
    var authenticatedAt: Instant
    /// The time of multifactor authentication, or nil if the user did not complete it.
    var factorAt: Instant?
    /// The value of `session_state` and of the `sid` claim.
    var sessionID: String
  }

  var entries: [Entry] = []
  var startedAt: Instant
  /// Whether the session persists when the browser closes. Otherwise, the session is valid for at most one day.
  var isPersistent = true

  static let nonpersistentLifetime = Duration.seconds(86_400)
}

/// The number of consecutive wrong passwords for an account and the end of the lockout.
struct PasswordLockout: Hashable, Sendable {
  var failures = 0
  var until: Instant?
}

/// A device sign-in (RFC 8628).
struct DeviceSignIn: Hashable, Sendable {
  enum Outcome: Hashable, Sendable {
    case pending
    case declined
    /// The user signed in on the device page. The encrypted grant has the same content as an authorization code.
    case approved(grant: String)
    case redeemed
  }

  var userCode: String
  var clientID: String
  var scope: String
  var tenantSegment: String
  var expires: Instant
  var lastPoll: Instant?
  var outcome = Outcome.pending
}

/// An installed fault.
struct ActiveFault: Hashable, Sendable {
  /// The sequence number, which identifies the fault in control requests.
  var number: Int
  var fault: Fault
  /// The name of the test whose requests can trigger the fault, so that parallel tests do not trigger each other's
  /// faults. If nil, only requests without a test name can trigger the fault.
  var isolation: String?
  var fired = 0
  /// The number of matching requests that the fault has skipped.
  var passed = 0

  var isSpent: Bool {
    if case .count(let times) = fault.times { fired >= times } else { false }
  }
}

/// Request counts by endpoint.
struct RequestCounts: Hashable, Sendable {
  var by: [Route.Counted: Int] = [:]
  /// The total number of requests, except control requests.
  var all = 0

  mutating func count(_ counted: Route.Counted?) {
    all += 1
    if let counted { by[counted, default: 0] += 1 }
  }
}
