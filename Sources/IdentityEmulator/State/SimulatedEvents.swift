import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

/// Why something cannot happen, in words for people.
struct InvalidEventError: Error, Sendable {
  var message: String
}

extension PlatformState {
  /// Makes it happen. What is the app's own is refused: the runner does that.
  /// - Parameters:
  ///   - now: the platform's time.
  ///   - isolation: which of several tests asks for it; only faults care.
  ///   - worldNow: the time of the clock below it, which `clock` is measured against.
  mutating func apply(
    _ event: SimulatedEvent, now: Instant, worldNow: Instant, isolation: String? = nil
  ) throws(InvalidEventError) {
    let subject = event.subject
    switch event.event {
    case .wait(let length):
      guard (worldNow + (clockShift + length)).nanosecondsSince1970 < .max else {
        throw InvalidEventError(message: "the clock cannot go beyond the year 2261")
      }
      clockShift += length
    case .clock(let instant): clockShift = instant - worldNow
    case .offline(let length): offlineUntil = length.map { now + $0 } ?? Instant(nanosecondsSince1970: .max)
    case .online: offlineUntil = nil
    case .keysRotated: rotations += 1
    case .misbehaves(let way): misbehaviors.append(way)
    case .stopsMisbehaving(let way?): misbehaviors.remove(way)
    case .stopsMisbehaving(nil): misbehaviors = []
    case .fault(let fault): faults.append(ActiveFault(fault: fault, isolation: isolation))
    case .policyAdded(let policy): try add(policy, for: subject)
    case .policyRemoved(let name): try removePolicy(name)
    case .appDisabled:
      disable(try client(subject))
    case .signedIn, .signedOut, .cacheCorrupted, .cacheLoaded, .deviceShared:
      throw InvalidEventError(
        message: "\(event.word.rawValue) happens on the app's own side; the platform cannot make it happen")
    case .browserSignedOut where subject.user == nil: sessions = [:]
    default: try change(try account(subject), as: event, now: now)
    }
  }

  /// An event of one account.
  private mutating func change(
    _ account: GraphState.Account, as event: SimulatedEvent, now: Instant
  ) throws(InvalidEventError) {
    let subject = event.subject
    let id = account.user.id
    switch event.event {
    case .consentGranted:
      grant(
        ["openid", "profile", "offline_access"] + (subject.scopes ?? []), to: try client(subject),
        by: .user(id))
    case .consentRevoked:
      let names = subject.scopes.map { $0.compactMap { locate($0)?.name } }
      let client = try client(subject)
      consents.remove(names, of: client, by: .user(id))
      consents.remove(names, of: client, by: .tenant(account.homeTenantID))
    case .passwordChanged(let new):
      changeAccount(id) { user in
        user.password = new ?? (user.password ?? "Fake-Password") + "-changed"
        user.passwordExpired = nil
      }
      revoke(account, at: now)
    case .passwordExpired:
      changeAccount(id) { $0.passwordExpired = true }
    case .usernameChanged(let new):
      let domain = account.user.username.split(separator: "@").last.map(String.init) ?? "contoso.com"
      let name = new ?? "renamed." + account.user.username.prefix { $0 != "@" } + "@" + domain
      guard self.account(named: name) == nil else { throw InvalidEventError(message: "\(name) is taken") }
      changeAccount(id) { user in
        if user.mail?.lowercased() == user.username.lowercased() { user.mail = name }
        user.username = name
      }
    case .sessionsRevoked: revoke(account, at: now)
    case .userDisabled:
      changeAccount(id) { $0.disabled = true }
      endSessions(of: id)
    case .userDeleted:
      graph.accounts[id.lowercased()] = nil
      deletedAccounts.append(id.lowercased())
      endSessions(of: id)
    case .refreshTokenExpired:
      changeHistory(of: id) { history in
        history.advance(at: now)
        history.refreshExpiredBelow = history.generation
      }
    case .accessTokenExpired:
      changeHistory(of: id) { history in
        history.advance(at: now)
        history.accessExpiredBelow = history.generation
      }
    case .browserSignedOut: endSessions(of: id)
    default: break
    }
  }

  /// Every grant of the account so far ends, and so do its browser sessions.
  mutating func revoke(_ account: GraphState.Account, at now: Instant) {
    changeHistory(of: account.user.id) { $0.revoke(at: now) }
    endSessions(of: account.user.id)
  }

  private func account(_ subject: SimulatedEvent.Subject) throws(InvalidEventError) -> GraphState.Account {
    guard let username = subject.user else {
      guard let first = graph.accounts.values.first else {
        throw InvalidEventError(message: "the directory has no users")
      }
      return first
    }
    if let account = self.account(named: username) { return account }
    throw InvalidEventError(message: "nobody is called \(username) in the directory")
  }

  /// The client that is meant; the only one there is where none is named.
  private func client(_ subject: SimulatedEvent.Subject) throws(InvalidEventError) -> String {
    if let client = subject.client { return client.lowercased() }
    guard let first = defaultClient ?? apps.keys.first else {
      throw InvalidEventError(message: "no app is registered yet; name its client id with `client`")
    }
    return first
  }

  private mutating func add(_ policy: AccessPolicy, for subject: SimulatedEvent.Subject) throws(InvalidEventError) {
    var policy = policy
    if policy.id.isEmpty { policy.id = DerivedID.uuid(of: "policy", policy.name) }
    // A rule that is made again is a new one: what was done for the last of that name does not count for it.
    for account in grants.keys { grants[account]?.passwordChangedFor.removeAll { $0 == policy.id } }
    for id in graph.tenants.keys {
      graph.tenants[id]?.policies.removeAll { $0.name.lowercased() == policy.name.lowercased() }
      graph.tenants[id]?.policies.append(policy)
    }
  }

  private mutating func removePolicy(_ name: String) throws(InvalidEventError) {
    var isFound = false
    for id in graph.tenants.keys {
      let before = graph.tenants[id]?.policies.count
      graph.tenants[id]?.policies.removeAll { $0.name.lowercased() == name.lowercased() }
      if graph.tenants[id]?.policies.count != before { isFound = true }
    }
    guard isFound else { throw InvalidEventError(message: "no policy is called \(name)") }
  }
}
