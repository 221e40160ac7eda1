import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OrderedCollections

/// Everything that the emulator remembers between two requests.
package struct PlatformState: Sendable {
  /// Tenants, accounts and what Graph stores.
  package var graph: GraphState
  /// Registrations by client id in lower case.
  var apps: OrderedDictionary<String, RegisteredApp> = [:]
  var resources: [ResourceAPI] = []
  let makesUp: AutomaticRegistration
  /// Whether registrations and policies belong to the snapshot, as those of a served platform do.
  let keepsRegistrations: Bool
  /// As the directory has them, to tell what was added.
  let directoryApps: [String: RegisteredApp]
  let directoryResources: [ResourceAPI]
  let directoryPolicies: [String: [AccessPolicy]]
  let directoryUserFlows: [String: [String]]
  /// The client that is meant where none is named: the first that was registered beside the directory's own.
  var defaultClient: String?
  /// Client ids that were registered when first seen; whatever they ask with belongs to them.
  var appsOnTheFly: Set<String> = []
  /// Client ids that an event disabled, until a reset.
  var disabledApps: Set<String> = []

  var sessions: OrderedDictionary<String, BrowserSession> = [:]
  /// Codes that were redeemed, until they would have expired anyhow.
  var usedCodes = UsedCodes()
  var consents = Consents()
  var grants: OrderedDictionary<String, GrantHistory> = [:]
  var lockouts: OrderedDictionary<String, PasswordLockout> = [:]
  var devices: OrderedDictionary<String, DeviceSignIn> = [:]
  /// Among how many device codes the expired ones are next looked for.
  var nextDeviceSweep = 512
  /// Accounts that differ from the directory by what happened to them.
  var changedAccounts: OrderedSet<String> = []
  var deletedAccounts: OrderedSet<String> = []
  var addedAccounts: OrderedSet<String> = []
  var rotations = 0
  var clockShift = Duration.zero

  // What belongs to a scenario only, and is in no snapshot.
  var faults: [ActiveFault] = []
  var misbehaviors: OrderedSet<Misbehavior> = []
  var offlineUntil: Instant?
  var counts = RequestCounts()
  /// Counts of requests that belong to one test, by its name.
  var isolatedCounts: OrderedDictionary<String, RequestCounts> = [:]
  /// The tests that apps belong to, by client id in lower case.
  var isolatedClients: OrderedDictionary<String, String> = [:]
  var trail: [RequestLogEntry] = []
  /// The number of the last request in the trail; they are numbered from 1.
  var trailNumber = 0
  /// Equal requests by the same user and app, for the loop guard.
  var recentRequests: OrderedDictionary<String, [Instant]> = [:]

  init(
    directory: EmulatedDirectory, now: Instant, makesUp: AutomaticRegistration = .everything,
    keepsRegistrations: Bool = false
  ) {
    self.makesUp = makesUp
    self.keepsRegistrations = keepsRegistrations
    directoryApps = Dictionary(directory.apps.map { ($0.appId.lowercased(), $0) }) { $1 }
    directoryResources = directory.resources
    directoryPolicies = Dictionary(directory.tenants.map { ($0.id, $0.policies) }) { $1 }
    directoryUserFlows = Dictionary(directory.tenants.map { ($0.id, $0.userFlows) }) { $1 }
    var graph = GraphState()
    graph.epoch = now
    graph.extraData = directory.graph
    for tenant in directory.tenants {
      for user in tenant.users {
        graph.accounts[user.id.lowercased()] = GraphState.Account(user: user, homeTenantID: tenant.id)
      }
      var bare = tenant
      bare.users = []
      graph.tenants[tenant.id] = bare
    }
    self.graph = graph
    resources = directory.resources
    for app in directory.apps { register(app) }
    defaultClient = nil
  }

  /// Everything as the directory says it, the clock right again, except that apps stay registered, as they were before
  /// anything happened to them.
  mutating func reset(to directory: EmulatedDirectory, now: Instant) {
    var fresh = PlatformState(directory: directory, now: now, makesUp: makesUp, keepsRegistrations: keepsRegistrations)
    for (key, app) in apps {
      let app = undisabled(app)
      if app == fresh.apps[key] { continue }
      let isNoted = appsOnTheFly.contains(key) && app == RegisteredApp(appId: app.appId, publicRedirectUris: [])
      // Nobody registered it: it was only named, as one to be disabled.
      if isNoted, !makesUp.apps { continue }
      fresh.register(app)
      fresh.apps[key] = app
    }
    fresh.grants = grants.mapValues { GrantHistory(generation: $0.generation) }
    fresh.defaultClient = defaultClient
    fresh.appsOnTheFly = appsOnTheFly.filter { fresh.apps[$0] != nil }
    fresh.isolatedClients = isolatedClients
    // Who asks for what came after a number gets it after a reset, too.
    fresh.trailNumber = trailNumber
    self = fresh
  }

  // MARK: Bounds

  /// The trail keeps this many requests.
  private static let trailLimit = 1000

  mutating func add(_ entry: RequestLogEntry) {
    if trail.count >= Self.trailLimit { trail.removeFirst(Self.trailLimit / 10) }
    trailNumber += 1
    trail.append(entry.shortened)
    trail[trail.count - 1].number = trailNumber
  }

  /// At most this many browser sessions are remembered; the oldest go first, as if those browsers had been closed.
  private static let sessionLimit = 5000

  mutating func forgetOldSessions() {
    if sessions.count > Self.sessionLimit { sessions.removeFirst(Self.sessionLimit / 10) }
  }

  /// At most this many devices wait; the oldest go first, as if their codes had expired.
  private static let deviceLimit = 10_000

  /// Looking for expired codes goes through all of them, and so is done only once their number has doubled.
  mutating func add(_ device: DeviceSignIn, code: String, now: Instant) {
    if devices.count >= nextDeviceSweep {
      devices.removeAll { $0.value.expires <= now }
      let room = Self.deviceLimit - Self.deviceLimit / 10
      if devices.count > room { devices.removeFirst(devices.count - room) }
      nextDeviceSweep = min(max(512, devices.count * 2), Self.deviceLimit)
    }
    devices[code] = device
  }

  // MARK: Tenants and accounts

  /// The tenant that a path segment (GUID or domain) names.
  func tenant(named segment: String) -> Tenant? {
    graph.tenants[segment.lowercased()] ?? graph.tenants.values.first { $0.isNamed(segment) }
  }

  /// The account with that username, or mail address for customers; any case.
  package func account(named username: String) -> GraphState.Account? {
    graph.account(named: username)
  }

  /// Changes an account and remembers that it differs from the directory.
  package mutating func changeAccount(_ id: String, _ change: (inout User) -> Void) {
    guard var account = graph.accounts[id.lowercased()] else { return }
    change(&account.user)
    graph.accounts[id.lowercased()] = account
    changedAccounts.append(id.lowercased())
  }

  /// Hosts of APIs for which the directory has answers.
  var answeringHosts: Set<String> {
    Set(resources.flatMap { $0.answers.keys.compactMap { URLParts($0)?.host?.lowercased() } })
  }

  // MARK: Apps

  /// The registration of a client id: the directory's, or that of a client of Microsoft, which every tenant has.
  func app(_ id: String) -> RegisteredApp? {
    apps[id.lowercased()] ?? FirstPartyClient.identified(by: id).map { RegisteredApp($0) }
  }

  /// The app without what an event did to it.
  func undisabled(_ app: RegisteredApp) -> RegisteredApp {
    let key = app.appId.lowercased()
    guard disabledApps.contains(key) else { return app }
    var app = app
    app.disabled = directoryApps[key]?.disabled
    return app
  }

  /// Disables an app as an event does; one that nobody has seen yet is noted as such.
  mutating func disable(_ id: String) {
    let key = id.lowercased()
    if apps[key] == nil, let known = app(id) { apps[key] = known }
    if apps[key] == nil {
      apps[key] = RegisteredApp(appId: id, publicRedirectUris: [])
      appsOnTheFly.insert(key)
    }
    guard apps[key]?.disabled != true else { return }
    apps[key]?.disabled = true
    disabledApps.insert(key)
  }

  /// Adds an app, or unites its redirect URIs, permissions and consents with those already there.
  mutating func register(_ app: RegisteredApp) {
    let key = app.appId.lowercased()
    if defaultClient == nil { defaultClient = key }
    if var known = apps[key] {
      func unite(_ path: WritableKeyPath<RegisteredApp, [String]>) {
        for value in app[keyPath: path] where !known[keyPath: path].contains(value) {
          known[keyPath: path].append(value)
        }
      }
      for path in [
        \RegisteredApp.publicRedirectUris, \.spaRedirectUris, \.webRedirectUris, \.permissions, \.adminConsent,
        \.secrets, \.expiredSecrets, \.certificates, \.roles, \.optionalClaims, \.accessTokenClaims,
      ] { unite(path) }
      if let name = app.name { known.name = name }
      if let audience = app.audience { known.audience = audience }
      if let isPublic = app.allowPublicClient { known.allowPublicClient = isPublic }
      if let isOn = app.implicitIdTokens { known.implicitIdTokens = isOn }
      if let isOn = app.implicitAccessTokens { known.implicitAccessTokens = isOn }
      if let url = app.logoutUrl { known.logoutUrl = url }
      known.userRoles.merge(app.userRoles) { $1 }
      known.consent.merge(app.consent) { old, new in old + new.filter { !old.contains($0) } }
      apps[key] = known
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

  /// Records consent to scopes written as in a request.
  mutating func grant(_ scopes: [String], to clientID: String, by grantor: Consents.Grantor) {
    for scope in scopes {
      guard let (resource, name) = locate(scope) else { continue }
      consents.add([name], of: resource.appID, to: clientID, by: grantor)
    }
  }

  // MARK: Revocation

  /// How far an account's grants have been called back.
  func history(of accountID: String) -> GrantHistory { grants[accountID.lowercased()] ?? GrantHistory() }

  mutating func changeHistory(of accountID: String, _ change: (inout GrantHistory) -> Void) {
    var history = history(of: accountID)
    change(&history)
    grants[accountID.lowercased()] = history
  }

  /// Ends every browser session's knowledge of an account.
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

/// Which of an account's grants still count. Every grant carries the number of its generation, so that what was issued
/// in the same second, before and after, is told apart.
struct GrantHistory: Hashable, Sendable {
  /// The generation that new grants belong to.
  var generation = 0
  /// Grants of generations below were revoked at `validFrom`.
  var revokedBelow = 0
  var validFrom: Instant?
  /// Refresh tokens of generations below count as unused for too long.
  var refreshExpiredBelow = 0
  /// Access tokens of generations below count as past their time.
  var accessExpiredBelow = 0
  /// Policies whose demand for a new password was met.
  var passwordChangedFor: [String] = []

  /// Begins a new generation. Its number never comes again: it counts on, also across a reset, and from the time, so
  /// that a platform that was started anew without its memory does not give out those of the one before.
  mutating func advance(at now: Instant) {
    generation = max(generation + 1, Int(clamping: now.nanosecondsSince1970 / 1_000_000))
  }

  mutating func revoke(at now: Instant) {
    advance(at: now)
    revokedBelow = generation
    validFrom = now
  }
}

/// Who is signed in to one browser.
struct BrowserSession: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    var accountID: String
    var authenticatedAt: Instant
    /// When the second factor was passed; nil where it was not.
    var factorAt: Instant?
    /// `session_state`, and the claim `sid`.
    var sessionID: String
  }

  var entries: [Entry] = []
  var startedAt: Instant
  /// Whether it outlives the browser; one that does not lasts a day at most.
  var isKept = true

  static let unkeptLifetime = Duration.seconds(86_400)
}

/// Wrong passwords in a row.
struct PasswordLockout: Hashable, Sendable {
  var failures = 0
  var until: Instant?
}

/// One device code.
struct DeviceSignIn: Hashable, Sendable {
  enum Outcome: Hashable, Sendable {
    case pending
    case declined
    /// The sign-in on the device page ended well; the sealed grant is what an authorization code would hold.
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

/// A fault that waits for its requests.
struct ActiveFault: Hashable, Sendable {
  var fault: Fault
  /// Strikes only requests that carry this in `x-authflow-isolation`; nil strikes those that carry none. So tests that
  /// run side by side do not meet one another's faults.
  var isolation: String?
  var fired = 0
  /// How many requests it let pass.
  var passed = 0

  var isSpent: Bool {
    if case .count(let times) = fault.times { fired >= times } else { false }
  }
}

/// Requests by what they were for.
struct RequestCounts: Hashable, Sendable {
  var by: [Route.Counted: Int] = [:]
  /// Everything, control requests left out.
  var all = 0

  mutating func count(_ counted: Route.Counted?) {
    all += 1
    if let counted { by[counted, default: 0] += 1 }
  }
}

/// One request that was answered, for the control interface's trail.
struct RequestLogEntry: Hashable, Sendable {
  /// From 1 on, in the order of the answers.
  var number = 0
  var time: Instant
  var method: String
  /// Without its query.
  var url: String
  /// Whether a fault had its hand in it.
  var isFault: Bool
  /// Nil where the connection broke.
  var status: Int?
  /// The error that the caller was told, such as `AADSTS65001`.
  var code: String?
  /// The test that it belongs to.
  var isolation: String?
  var decision = Decision()
}
