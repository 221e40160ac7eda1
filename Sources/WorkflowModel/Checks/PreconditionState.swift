import Diagnostics
import Directory
import Documents
import Effects
import OrderedCollections

/// The world of a scenario as far as what is given makes it, followed without playing it.
///
/// It only knows what is certain: where something is filled in later, nothing is said about what hangs on it.
struct PreconditionState {
  private struct Account {
    var isDisabled: Bool
    var passwordExpired: Bool
    /// What took it away.
    var deletedAt: FileSpan?
  }

  private let directory: EmulatedDirectory
  /// Whom things are about where nothing is said.
  private let user: String?
  /// By username in lower case.
  private var accounts: [String: Account] = [:]
  /// Names that somebody no longer has, and the new ones.
  private var formerNames: [String: String] = [:]
  /// In the apps' caches.
  private var signedIn: Set<String> = []
  private var everSignedIn: Set<String> = []
  /// Whether the caches hold what nobody signed in for.
  private var cacheIsOpen = false
  /// Whether a user or a client was named that only the run knows.
  private var isOpen = false
  private var now = Instant(secondsSince1970: 1_735_689_600)
  /// Nil: online. The far end: until further notice.
  private var offlineUntil: Instant?
  private var policies: OrderedDictionary<String, AccessPolicy> = [:]
  private var misbehaviors: Set<Misbehavior> = []
  private var consented: Set<String> = []
  private var lasting: [(at: Fault.Target, fails: Bool, place: FileSpan)] = []
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

  /// One more thing happens.
  /// - Returns: why it cannot, or what it does in vain.
  mutating func take(_ event: ScriptedEvent, in scope: ValueScope) -> Diagnostic? {
    guard let written = (try? event.written.resolved(in: scope))?.event else {
      // What is filled in from elsewhere may be anybody.
      isOpen = true
      return nil
    }
    let name = written.subject.user ?? user
    let key = name.map { canonical($0) }
    if written.asksPlatformForUser, let told = gone(name, event) { return told }
    switch written.event {
    case .wait(let length): now += length
    case .clock(let instant): now = instant
    case .appDisabled: if written.subject.client == nil { appsDisabledAt = event.place }
    case .policyAdded(let policy): policies[policy.name.lowercased()] = policy
    case .policyRemoved(let name):
      guard policies.removeValue(forKey: name.lowercased()) == nil, !isOpen else { return nil }
      return event.unknownPolicy(name, among: policies.values.map(\.name))
    case .misbehaves(let way): misbehaviors.insert(way)
    case .stopsMisbehaving(let way):
      let isMeant = way.map { misbehaviors.contains($0) } ?? !misbehaviors.isEmpty
      if let way { misbehaviors.remove(way) } else { misbehaviors = [] }
      guard !isMeant, !isOpen else { return nil }
      return event.inVain(
        way.map { "the platform does not misbehave as \($0.rawValue)" } ?? "the platform does not misbehave",
        "put misbehaves before it")
    case .offline(let length):
      offlineUntil = length.map { now + $0 } ?? Instant(nanosecondsSince1970: .max)
    case .online:
      defer { offlineUntil = nil }
      guard !isOffline, !isOpen else { return nil }
      return event.inVain("the network is there already", "put offline before it")
    case .fault(let fault): return installFault(fault, event)
    case .cacheCorrupted, .cacheLoaded: cacheIsOpen = true
    case .deviceShared:
      defer { isShared = true }
      return isShared ? event.inVain("the device is in shared mode already", "take it away") : nil
    case .keysRotated: break
    default: return take(written, of: name, key, event)
    }
    return nil
  }

  /// An event of one account.
  private mutating func take(
    _ written: SimulatedEvent, of name: String?, _ key: String?, _ event: ScriptedEvent
  ) -> Diagnostic? {
    switch written.event {
    case .signedIn: return signIn(name, key, written.subject, event)
    case .signedOut: return signOut(name, written.subject.user != nil, event)
    case .browserSignedOut:
      guard everSignedIn.isEmpty, !isOpen else { return nil }
      return event.inVain("nobody has signed in yet, so the browser has no session", "put signedIn before it")
    case .accessTokenExpired:
      guard signedIn.isEmpty, !cacheIsOpen, !isOpen else { return nil }
      return event.impossible(
        "the cache holds no access token that could expire: nobody is signed in", "put signedIn before it")
    case .refreshTokenExpired, .sessionsRevoked:
      guard let name, let key, !everSignedIn.contains(key), !cacheIsOpen, !isOpen else { return nil }
      return event.inVain("\(name) has not signed in yet, so there is nothing to end", "put signedIn before it")
    case .passwordChanged: change(key) { $0.passwordExpired = false }
    case .passwordExpired:
      guard let key, let account = accounts[key] else { return nil }
      change(key) { $0.passwordExpired = true }
      guard account.passwordExpired, let name else { return nil }
      return event.inVain("the password of \(name) has expired already", "take it away")
    case .userDisabled:
      guard let key, let account = accounts[key] else { return nil }
      change(key) { $0.isDisabled = true }
      guard account.isDisabled, let name else { return nil }
      return event.inVain("\(name) is disabled already", "take it away")
    case .userDeleted: change(key) { $0.deletedAt = event.place }
    case .usernameChanged(let new): return rename(name, key, to: new, event)
    case .consentGranted: if let key { consented.insert(key) }
    case .consentRevoked: return revokeConsent(name, key, event)
    default: break
    }
    return nil
  }

  /// Something happens in the middle of the run, of which only what is gone for good is known.
  func impossibleLater(_ event: ScriptedEvent, added: [String], in scope: ValueScope) -> Diagnostic? {
    guard let written = (try? event.written.resolved(in: scope))?.event else { return nil }
    if case .policyRemoved(let name) = written.event {
      let known = Set(policies.keys).union(added)
      guard !known.contains(name.lowercased()) else { return nil }
      return event.unknownPolicy(name, among: Array(policies.values.map(\.name)))
    }
    return written.asksPlatformForUser ? gone(written.subject.user ?? user, event) : nil
  }

  private var isOffline: Bool { offlineUntil.map { now < $0 } ?? false }

  /// The name under which the account is kept here: regardless of case, and by mail address too.
  private func canonical(_ name: String) -> String {
    let key = name.lowercased()
    if accounts[key] != nil { return key }
    for user in directory.tenants.lazy.flatMap(\.users) where user.mail?.lowercased() == key {
      return user.username.lowercased()
    }
    return key
  }

  private mutating func change(_ key: String?, _ body: (inout Account) -> Void) {
    guard let key, var account = accounts[key] else { return }
    body(&account)
    accounts[key] = account
  }

  /// Who was deleted, or has another name by now; whom the directory never knew is told elsewhere.
  private func gone(_ name: String?, _ event: ScriptedEvent) -> Diagnostic? {
    guard let name else { return nil }
    if let new = formerNames[name.lowercased()] {
      return event.impossible("\(name) is called \(new) by now", "write \(new)")
    }
    guard let place = accounts[canonical(name)]?.deletedAt else { return nil }
    return event.impossible(
      "\(name) is deleted by then", "let it happen before the account is deleted, or to somebody else",
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
    guard let name, let key, !isOpen else { return nil }
    let help = "what stands in the way must happen after the sign-in"
    if isOffline { return event.impossible("\(name) cannot sign in while there is no network", help) }
    if let place = appsDisabledAt, subject.client == nil {
      return event.impossible(
        "nobody can sign in to an app that is disabled", help, .init("it is disabled here", at: place))
    }
    if let account = accounts[key] {
      if account.isDisabled { return event.impossible("\(name) is disabled and cannot sign in", help) }
      if account.passwordExpired {
        return event.impossible(
          "the password of \(name) has expired, and who signs in before a scenario has no other",
          "let it expire after the sign-in, or change it before: passwordChanged")
      }
    }
    for policy in policies.values where policy.challengeWith != .claims && policy.users.contains(anyOf: [name]) {
      guard policy.isInsurmountable, case .all = policy.apps else { continue }
      return event.impossible("the policy \"\(policy.name)\" lets nobody like \(name) sign in", help)
    }
    if let fault = lasting.first(where: { $0.fails && ($0.at == .token || $0.at == .authorize) }) {
      return event.impossible(
        "\(name) cannot sign in while \(fault.at.spelled) fails for good", help,
        .init("it fails from here on", at: fault.place))
    }
    return nil
  }

  private mutating func signOut(_ name: String?, _ isNamed: Bool, _ event: ScriptedEvent) -> Diagnostic? {
    let key = name.map { canonical($0) }
    let isThere = isNamed ? key.map { signedIn.contains($0) } ?? false : !signedIn.isEmpty
    if isNamed, let key { signedIn.remove(key) } else { signedIn = [] }
    guard !isThere, !cacheIsOpen, !isOpen else { return nil }
    return event.inVain(
      isNamed ? "\(name ?? "") is not signed in" : "nobody is signed in, so nobody can sign out",
      "put signedIn before it")
  }

  private mutating func rename(
    _ name: String?, _ key: String?, to new: String?, _ event: ScriptedEvent
  ) -> Diagnostic? {
    guard let name, let key, let account = accounts[key] else { return nil }
    let new = new ?? "renamed.\(name)"
    if new.lowercased() != key, accounts[new.lowercased()] != nil {
      return event.impossible("somebody is called \(new) already", "choose a name that is free")
    }
    accounts[key] = nil
    accounts[new.lowercased()] = account
    formerNames[new.lowercased()] = nil
    if key != new.lowercased() { formerNames[key] = new }
    if signedIn.contains(key) { signedIn.insert(new.lowercased()) }
    if everSignedIn.contains(key) { everSignedIn.insert(new.lowercased()) }
    if consented.contains(key) { consented.insert(new.lowercased()) }
    return nil
  }

  private mutating func revokeConsent(_ name: String?, _ key: String?, _ event: ScriptedEvent) -> Diagnostic? {
    guard let name, let key else { return nil }
    let isGranted =
      consented.remove(key) != nil
      || directory.apps.contains { !$0.adminConsent.isEmpty || !$0.consent.isEmpty || ($0.family ?? false) }
    guard !isGranted, !cacheIsOpen, !isOpen else { return nil }
    return event.inVain("\(name) has consented to nothing yet", "put signedIn or consentGranted before it")
  }

  private mutating func installFault(_ fault: Fault, _ event: ScriptedEvent) -> Diagnostic? {
    if let earlier = lasting.first(where: { $0.at.covers(fault.at) }) {
      return event.impossible(
        "this fault can never fire: one before it takes every request to \(earlier.at.spelled)",
        "give the first a number of times, or take one of them away", .init("it is laid here", at: earlier.place))
    }
    if fault.times == .always, fault.skip == 0 { lasting.append((fault.at, fault.effect.fails, event.place)) }
    return nil
  }
}

extension Directory.SimulatedEvent {
  /// Whether the platform must find the user for it: what the app and the browser do by themselves needs nobody there.
  fileprivate var asksPlatformForUser: Bool {
    switch word {
    case .signedOut, .browserSignedOut, .accessTokenExpired: false
    default: word.subjectKeys?.contains(.user) ?? false
    }
  }
}

extension Fault.Effect {
  /// Whether a request that it strikes does not get its answer.
  fileprivate var fails: Bool {
    switch self {
    case .delay: false
    case .answer(let answer): !answer.keepsRealAnswer
    case .reset, .truncated, .html, .endless, .tls: true
    }
  }
}

extension Fault.Target {
  /// Whether every request that the other one means is meant by this one too.
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
  /// Whether nobody whom it is about gets past it with what is known before a scenario.
  fileprivate var isInsurmountable: Bool {
    switch require {
    case .block, .compliantDevice, .domainJoinedDevice, .managedDevice, .approvedApp, .passwordChange: true
    case .mfa, .externalControl, nil: false
    }
  }
}

extension ScriptedEvent {
  fileprivate func impossible(_ reason: String, _ help: String, _ related: Diagnostic.Related? = nil) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.scenarioGiven.id, "\(kind.rawValue) cannot happen: \(reason)", help: help, at: place,
      related: related.map { [$0] } ?? [])
  }

  fileprivate func inVain(_ reason: String, _ help: String) -> Diagnostic {
    Diagnostic(
      .warning, rule: WorkflowCheck.scenarioGiven.id, "\(kind.rawValue) changes nothing: \(reason)", help: help,
      at: place)
  }

  fileprivate func unknownPolicy(_ name: String, among known: [String]) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.scenarioGiven.id, "\(kind.rawValue) cannot happen: no policy is called \"\(name)\"",
      help: Suggestion.nearest(to: name, among: known).map { "did you mean \"\($0)\"?" }
        ?? (known.isEmpty
          ? "there are no policies yet: policyAdded, or policies of a tenant in the directory"
          : "the policies are \(known.joined(separator: ", "))"),
      at: place(of: name))
  }
}
