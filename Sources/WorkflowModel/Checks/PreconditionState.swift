import Diagnostics
import Directory
import Documents
import Effects
import OrderedCollections

/// The state of the emulator and the app after a scenario's preconditions, determined without running the scenario.
///
/// The state contains only facts that are certain. After an event with an unresolved `${…}`, the checks omit
/// diagnostics that could depend on this event.
struct PreconditionState {
  private struct Account {
    var isDisabled: Bool
    var passwordExpired: Bool
    /// The location of the event that deletes the account.
    var deletedAt: FileSpan?
  }

  private let directory: EmulatedDirectory
  /// The user for events that do not specify a user.
  private let user: String?
  /// The accounts by username in lowercase.
  private var accounts: [String: Account] = [:]
  /// The new usernames of renamed accounts, by former username in lowercase.
  private var newNames: [String: String] = [:]
  /// The users in the apps' token caches.
  private var signedIn: Set<String> = []
  private var everSignedIn: Set<String> = []
  /// Whether the token caches can contain entries that no sign-in created.
  private var cacheIsUnknown = false
  /// Whether the user or client of an event is known only at run time.
  private var hasUnknownSubject = false
  private var now = Instant(secondsSince1970: 1_735_689_600)
  /// The end of the network outage. Nil if there is no outage, and the maximum instant if the outage has no end.
  private var offlineUntil: Instant?
  private var policies: OrderedDictionary<String, AccessPolicy> = [:]
  private var misbehaviors: Set<Misbehavior> = []
  private var consented: Set<String> = []
  private var permanentFaults: [(target: Fault.Target, fails: Bool, place: FileSpan)] = []
  private var appsDisabledAt: FileSpan?
  private var isShared: Bool

  init(_ directory: EmulatedDirectory, user: String?) {
    self.directory = directory
    self.user = user
    isShared = directory.device == .shared
    for tenant in directory.tenants {
      for user in tenant.users {
        accounts[user.username.lowercased()] = Account(
          isDisabled: user.isDisabled, passwordExpired: user.passwordExpired ?? false)
      }
      for policy in tenant.policies { policies[policy.name.lowercased()] = policy }
    }
  }

  /// Applies the next event.
  /// - Returns: A diagnostic if the event is impossible or has no effect.
  mutating func apply(_ event: ScriptedEvent, in scope: ValueScope) -> Diagnostic? {
    guard let resolved = (try? event.source.resolved(in: scope))?.event else {
      // An unresolved value can refer to any user.
      hasUnknownSubject = true
      return nil
    }
    let name = resolved.subject.user ?? user
    let key = name.map { accountKey($0) }
    if resolved.requiresDirectoryUser, let diagnostic = missingUser(name, event) { return diagnostic }
    switch resolved.event {
    case .wait(let duration): now += duration
    case .clock(let instant): now = instant
    case .appDisabled: if resolved.subject.client == nil { appsDisabledAt = event.place }
    case .policyAdded(let policy): policies[policy.name.lowercased()] = policy
    case .policyRemoved(let name):
      guard policies.removeValue(forKey: name.lowercased()) == nil, !hasUnknownSubject else { return nil }
      return event.unknownPolicy(name, among: policies.values.map(\.name))
    case .misbehaves(let misbehavior): misbehaviors.insert(misbehavior)
    case .stopsMisbehaving(let misbehavior):
      let isActive = misbehavior.map { misbehaviors.contains($0) } ?? !misbehaviors.isEmpty
      if let misbehavior { misbehaviors.remove(misbehavior) } else { misbehaviors = [] }
      guard !isActive, !hasUnknownSubject else { return nil }
      return event.ineffective(
        misbehavior.map { "misbehavior `\($0.rawValue)` is not active" } ?? "no misbehavior is active",
        "add `misbehaves` before this event")
    case .offline(let duration):
      offlineUntil = duration.map { now + $0 } ?? Instant(nanosecondsSince1970: .max)
    case .online:
      defer { offlineUntil = nil }
      guard !isOffline, !hasUnknownSubject else { return nil }
      return event.ineffective("the network is already available", "add `offline` before this event")
    case .fault(let fault): return installFault(fault, event)
    case .cacheCorrupted, .cacheLoaded: cacheIsUnknown = true
    case .deviceShared:
      defer { isShared = true }
      return isShared ? event.ineffective("the device is already in shared mode", "remove this event") : nil
    case .keysRotated: break
    default: return applyToAccount(resolved, of: name, key, event)
    }
    return nil
  }

  /// Applies an event that affects an account.
  private mutating func applyToAccount(
    _ resolved: SimulatedEvent, of name: String?, _ key: String?, _ event: ScriptedEvent
  ) -> Diagnostic? {
    switch resolved.event {
    case .signedIn: return signIn(name, key, resolved.subject, event)
    case .signedOut: return signOut(name, resolved.subject.user != nil, event)
    case .browserSignedOut:
      guard everSignedIn.isEmpty, !hasUnknownSubject else { return nil }
      return event.ineffective(
        "no user has signed in, so there is no browser session", "add `signedIn` before this event")
    case .accessTokenExpired:
      guard signedIn.isEmpty, !cacheIsUnknown, !hasUnknownSubject else { return nil }
      return event.impossible(
        "there is no cached access token, because no user is signed in", "add `signedIn` before this event")
    case .refreshTokenExpired, .sessionsRevoked:
      guard let name, let key, !everSignedIn.contains(key), !cacheIsUnknown, !hasUnknownSubject else { return nil }
      return event.ineffective(
        "`\(name)` has not signed in, so there is nothing to revoke", "add `signedIn` before this event")
    case .passwordChanged: update(key) { $0.passwordExpired = false }
    case .passwordExpired:
      guard let key, let account = accounts[key] else { return nil }
      update(key) { $0.passwordExpired = true }
      guard account.passwordExpired, let name else { return nil }
      return event.ineffective("the password of `\(name)` has already expired", "remove this event")
    case .userDisabled:
      guard let key, let account = accounts[key] else { return nil }
      update(key) { $0.isDisabled = true }
      guard account.isDisabled, let name else { return nil }
      return event.ineffective("`\(name)` is already disabled", "remove this event")
    case .userDeleted: update(key) { $0.deletedAt = event.place }
    case .usernameChanged(let newName): return rename(name, key, to: newName, event)
    case .consentGranted: if let key { consented.insert(key) }
    case .consentRevoked: return revokeConsent(name, key, event)
    default: break
    }
    return nil
  }

  /// Checks an event that occurs during the run. Before the run, the check can detect only events for deleted users and
  /// missing policies.
  /// - Parameter added: The names of policies that events add, in lowercase.
  func checkDuringRun(_ event: ScriptedEvent, added: [String], in scope: ValueScope) -> Diagnostic? {
    guard let resolved = (try? event.source.resolved(in: scope))?.event else { return nil }
    if case .policyRemoved(let name) = resolved.event {
      let known = Set(policies.keys).union(added)
      guard !known.contains(name.lowercased()) else { return nil }
      return event.unknownPolicy(name, among: Array(policies.values.map(\.name)))
    }
    return resolved.requiresDirectoryUser ? missingUser(resolved.subject.user ?? user, event) : nil
  }

  private var isOffline: Bool { offlineUntil.map { now < $0 } ?? false }

  /// Returns the key of an account, which is its username in lowercase.
  private func accountKey(_ name: String) -> String {
    let key = name.lowercased()
    if accounts[key] != nil { return key }
    for user in directory.tenants.lazy.flatMap(\.users) where user.mail?.lowercased() == key {
      return user.username.lowercased()
    }
    return key
  }

  private mutating func update(_ key: String?, _ body: (inout Account) -> Void) {
    guard let key, var account = accounts[key] else { return }
    body(&account)
    accounts[key] = account
  }

  /// Returns a diagnostic if the user is deleted or renamed. Another check reports users that were never in the
  /// directory.
  private func missingUser(_ name: String?, _ event: ScriptedEvent) -> Diagnostic? {
    guard let name else { return nil }
    if let newName = newNames[name.lowercased()] {
      return event.impossible("`\(name)` was renamed to `\(newName)`", "use `\(newName)`")
    }
    guard let place = accounts[accountKey(name)]?.deletedAt else { return nil }
    return event.impossible(
      "`\(name)` is deleted at this point", "move this event before the deletion, or use another user",
      .init("the account is deleted here", at: place))
  }

  private mutating func signIn(
    _ name: String?, _ key: String?, _ subject: Directory.SimulatedEvent.Subject, _ event: ScriptedEvent
  ) -> Diagnostic? {
    defer {
      if let key {
        signedIn.insert(key)
        everSignedIn.insert(key)
        consented.insert(key)
      }
    }
    guard let name, let key, !hasUnknownSubject else { return nil }
    let help = "move the event that prevents this sign-in to a later position"
    if isOffline { return event.impossible("`\(name)` cannot sign in without a network connection", help) }
    if let place = appsDisabledAt, subject.client == nil {
      return event.impossible(
        "users cannot sign in to a disabled app", help, .init("the app is disabled here", at: place))
    }
    if let account = accounts[key] {
      if account.isDisabled { return event.impossible("`\(name)` is disabled and cannot sign in", help) }
      if account.passwordExpired {
        return event.impossible(
          "the password of `\(name)` has expired, and a sign-in in `given` cannot change it",
          "move `passwordExpired` after the sign-in, or add `passwordChanged` before it")
      }
    }
    for policy in policies.values where policy.challengeWith != .claims && policy.users.contains(anyOf: [name]) {
      guard policy.alwaysBlocks, case .all = policy.apps else { continue }
      return event.impossible("policy `\(policy.name)` blocks sign-in for `\(name)`", help)
    }
    if let fault = permanentFaults.first(where: { $0.fails && ($0.target == .token || $0.target == .authorize) }) {
      return event.impossible(
        "`\(name)` cannot sign in while requests to `\(fault.target.spelled)` fail permanently", help,
        .init("the fault starts here", at: fault.place))
    }
    return nil
  }

  private mutating func signOut(_ name: String?, _ isNamed: Bool, _ event: ScriptedEvent) -> Diagnostic? {
    let key = name.map { accountKey($0) }
    let wasSignedIn = isNamed ? key.map { signedIn.contains($0) } ?? false : !signedIn.isEmpty
    if isNamed, let key { signedIn.remove(key) } else { signedIn = [] }
    guard !wasSignedIn, !cacheIsUnknown, !hasUnknownSubject else { return nil }
    return event.ineffective(
      isNamed ? "`\(name ?? "")` is not signed in" : "no user is signed in",
      "add `signedIn` before this event")
  }

  private mutating func rename(
    _ name: String?, _ key: String?, to newName: String?, _ event: ScriptedEvent
  ) -> Diagnostic? {
    guard let name, let key, let account = accounts[key] else { return nil }
    let newName = newName ?? "renamed.\(name)"
    let newKey = newName.lowercased()
    if newKey != key, accounts[newKey] != nil {
      return event.impossible("username `\(newName)` is already in use", "choose another username")
    }
    accounts[key] = nil
    accounts[newKey] = account
    newNames[newKey] = nil
    if key != newKey { newNames[key] = newName }
    if signedIn.contains(key) { signedIn.insert(newKey) }
    if everSignedIn.contains(key) { everSignedIn.insert(newKey) }
    if consented.contains(key) { consented.insert(newKey) }
    return nil
  }

  private mutating func revokeConsent(_ name: String?, _ key: String?, _ event: ScriptedEvent) -> Diagnostic? {
    guard let name, let key else { return nil }
    let isGranted =
      consented.remove(key) != nil
      || directory.apps.contains { !$0.adminConsent.isEmpty || !$0.consent.isEmpty || ($0.family ?? false) }
    guard !isGranted, !cacheIsUnknown, !hasUnknownSubject else { return nil }
    return event.ineffective(
      "`\(name)` has not consented to anything", "add `signedIn` or `consentGranted` before this event")
  }

  private mutating func installFault(_ fault: Fault, _ event: ScriptedEvent) -> Diagnostic? {
    if let earlier = permanentFaults.first(where: { $0.target.covers(fault.at) }) {
      return event.impossible(
        "this fault never triggers because an earlier one affects all requests to `\(earlier.target.spelled)`",
        "set `times` on the earlier fault, or remove one of the faults",
        .init("earlier fault is here", at: earlier.place))
    }
    if fault.times == .always, fault.skip == 0 { permanentFaults.append((fault.at, fault.effect.fails, event.place)) }
    return nil
  }
}

extension Directory.SimulatedEvent {
  /// Whether the event's user must exist in the directory. False for app and browser events.
  fileprivate var requiresDirectoryUser: Bool {
    switch word {
    case .signedOut, .browserSignedOut, .accessTokenExpired: false
    default: word.subjectKeys?.contains(.user) ?? false
    }
  }
}

extension Fault.Effect {
  /// Whether the fault prevents the client from receiving the real response.
  fileprivate var fails: Bool {
    switch self {
    case .delay: false
    case .answer(let answer): !answer.keepsRealAnswer
    case .reset, .truncated, .html, .endless, .tls: true
    }
  }
}

extension Fault.Target {
  /// Returns whether all requests that match `other` also match this target.
  fileprivate func covers(_ other: Fault.Target) -> Bool {
    switch (self, other) {
    case (.endpoint(.graph), .request(_, let path)): path.hasPrefix("/v1.0/") || path.hasPrefix("/beta/")
    case (.request(let method, let path), .request(let otherMethod, let otherPath)):
      (method == nil || method == otherMethod) && path.lowercased() == otherPath.lowercased()
    default: self == other
    }
  }
}

extension AccessPolicy {
  /// Whether the policy always blocks its users, because events cannot make them meet its requirement.
  fileprivate var alwaysBlocks: Bool {
    switch require {
    case .block, .compliantDevice, .domainJoinedDevice, .managedDevice, .approvedApp, .passwordChange: true
    case .mfa, .externalControl, nil: false
    }
  }
}

extension ScriptedEvent {
  fileprivate func impossible(_ reason: String, _ help: String, _ related: Diagnostic.Related? = nil) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.scenarioGiven.id, "impossible event `\(kind.rawValue)`: \(reason)", help: help,
      at: place,
      related: related.map { [$0] } ?? [])
  }

  fileprivate func ineffective(_ reason: String, _ help: String) -> Diagnostic {
    Diagnostic(
      .warning, rule: WorkflowCheck.scenarioGiven.id, "event `\(kind.rawValue)` has no effect: \(reason)", help: help,
      at: place)
  }

  fileprivate func unknownPolicy(_ name: String, among known: [String]) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.scenarioGiven.id, "unknown policy `\(name)` in event `\(kind.rawValue)`",
      help: Suggestion.help(for: name, among: known)
        ?? "add `policyAdded` before this event, or add the policy to a tenant in the directory",
      at: place(of: name))
  }
}
