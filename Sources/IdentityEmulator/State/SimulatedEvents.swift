import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

/// A simulated event that cannot be applied.
struct InvalidEventError: Error, Sendable {
  var message: String
}

extension PlatformState {
  /// Applies an event. Throws for events that affect the app, because only the workflow runner can simulate them.
  /// - Parameters:
  ///   - now: The platform's time.
  ///   - worldNow: The time of the underlying clock. The platform's clock is shifted by the difference between the two
  ///     times.
  ///   - isolation: The name of the test that simulates the event, which is used only for faults.
  mutating func apply(
    _ event: SimulatedEvent, now: Instant, worldNow: Instant, isolation: String? = nil
  ) throws(InvalidEventError) {
    let subject = event.subject
    switch event.event {
    case .wait(let length):
      guard (worldNow + (clockShift + length)).nanosecondsSince1970 < .max else {
        throw InvalidEventError(message: "clock cannot be set beyond the year 2261")
      }
      clockShift += length
    case .clock(let instant): clockShift = instant - worldNow
    case .offline(let length): offlineUntil = length.map { now + $0 } ?? Instant(nanosecondsSince1970: .max)
    case .online: offlineUntil = nil
    case .keysRotated: rotations += 1
    case .misbehaves(let misbehavior): misbehaviors.append(misbehavior)
    case .stopsMisbehaving(let misbehavior?): misbehaviors.remove(misbehavior)
    case .stopsMisbehaving(nil): misbehaviors = []
    case .fault(let fault):
      lastFaultNumber += 1
      faults.append(ActiveFault(number: lastFaultNumber, fault: fault, isolation: isolation))
    case .policyAdded(let policy): try add(policy, for: subject)
    case .policyRemoved(let name): try removePolicy(name)
    case .appDisabled:
      disable(try client(subject))
    case .signedIn, .signedOut, .cacheCorrupted, .cacheLoaded, .deviceShared:
      throw InvalidEventError(
        message: "event `\(event.word.rawValue)` affects the app and cannot be simulated by the emulator")
    case .browserSignedOut where subject.user == nil: sessions = [:]
    default: try change(try account(subject), as: event, now: now)
    }
  }

  /// Applies an event that affects an account.
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
      guard self.account(named: name) == nil else {
        throw InvalidEventError(message: "username `\(name)` already exists")
      }
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

  /// Revokes all grants of an account and ends its browser sessions.
  mutating func revoke(_ account: GraphState.Account, at now: Instant) {
    changeHistory(of: account.user.id) { $0.revoke(at: now) }
    endSessions(of: account.user.id)
  }

  private func account(_ subject: SimulatedEvent.Subject) throws(InvalidEventError) -> GraphState.Account {
    guard let username = subject.user else {
      guard let first = graph.accounts.values.first else {
        throw InvalidEventError(message: "directory contains no users")
      }
      return first
    }
    if let account = self.account(named: username) { return account }
    throw InvalidEventError(message: "unknown user `\(username)`")
  }

  /// Returns the client ID of the event, or the default client.
  private func client(_ subject: SimulatedEvent.Subject) throws(InvalidEventError) -> String {
    if let client = subject.client { return client.lowercased() }
    guard let first = defaultClient ?? apps.keys.first else {
      throw InvalidEventError(message: "no app is registered; specify a client ID with `client`")
    }
    return first
  }

  private mutating func add(_ policy: AccessPolicy, for subject: SimulatedEvent.Subject) throws(InvalidEventError) {
    var policy = policy
    if policy.id.isEmpty { policy.id = DerivedID.uuid(of: "policy", policy.name) }
    // A policy that is added again counts as new, so earlier password changes do not satisfy it.
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
    guard isFound else { throw InvalidEventError(message: "unknown policy `\(name)`") }
  }
}
