import Documents
import Effects

/// A simulated event in the app's environment. Scenarios list events under `given`, and workflows use them in
/// `simulate` steps.
package struct SimulatedEvent: Hashable, Sendable {
  /// The component that the event affects.
  package enum Side: String, Hashable, Sendable {
    /// The app, including its sign-ins, cache, and device. The runner executes these events.
    case client
    /// The run's clock and network. The runner executes these events. An emulator that runs as a server shifts its own
    /// clock.
    case world
    /// The identity platform. The emulator executes these events through its control interface.
    case platform
  }

  /// The user and the client that an event applies to. The runner uses the scenario's user and the first client by
  /// default.
  package struct Subject: Hashable, Sendable {
    /// A username.
    package var user: String?
    /// The name of a client in the workflow, or a client ID in a request to the control interface.
    package var client: String?
    package var scopes: [String]?

    package init(user: String? = nil, client: String? = nil, scopes: [String]? = nil) {
      self.user = user
      self.client = client
      self.scopes = scopes
    }
  }

  package enum Event: Hashable, Sendable {
    // Account
    case signedIn, signedOut, browserSignedOut
    // Time
    case wait(Duration)
    case clock(Instant)
    case accessTokenExpired, refreshTokenExpired
    // User
    case passwordChanged(to: String?)
    case passwordExpired
    case usernameChanged(to: String?)
    case sessionsRevoked, userDisabled, userDeleted
    // Consent, apps, policies
    case consentGranted, consentRevoked, appDisabled
    case policyAdded(AccessPolicy)
    case policyRemoved(name: String)
    // Service
    case keysRotated
    case misbehaves(Misbehavior)
    /// Ends one misbehavior, or all misbehaviors if the value is nil.
    case stopsMisbehaving(Misbehavior?)
    case fault(Fault)
    case offline(Duration?)
    case online
    // Cache and device
    case cacheCorrupted
    case cacheLoaded(file: String)
    case deviceShared
  }

  package var event: Event
  package var subject: Subject

  package init(_ event: Event, subject: Subject = Subject()) {
    self.event = event
    self.subject = subject
  }
}

extension SimulatedEvent {
  /// The keywords for events.
  package enum Word: String, Hashable, Sendable, CaseIterable {
    case signedIn, signedOut, browserSignedOut
    case wait, clock, accessTokenExpired, refreshTokenExpired
    case passwordChanged, passwordExpired, usernameChanged, sessionsRevoked, userDisabled, userDeleted
    case consentGranted, consentRevoked, appDisabled, policyAdded, policyRemoved
    case keysRotated, misbehaves, stopsMisbehaving, fault, offline, online
    case cacheCorrupted, cacheLoaded, deviceShared

    package var side: Side {
      switch self {
      case .signedIn, .signedOut, .browserSignedOut, .cacheCorrupted, .cacheLoaded, .deviceShared, .accessTokenExpired:
        .client
      case .wait, .clock, .offline, .online: .world
      default: .platform
      }
    }

    /// A one-line description of the keyword.
    package var summary: String {
      switch self {
      case .signedIn: "the user signed in to the app, so the cache contains the account and its tokens"
      case .signedOut: "the user signed out in another process of the app, which emptied the cache"
      case .browserSignedOut: "the browser session ended"
      case .wait: "time passes"
      case .clock: "the clock is set forward or back"
      case .accessTokenExpired: "time passes until the cached access tokens have expired"
      case .refreshTokenExpired:
        "the user's refresh tokens and the cached access tokens have expired"
      case .passwordChanged: "the user changed the password, which revokes earlier grants"
      case .passwordExpired: "the user must change the password at the next sign-in"
      case .usernameChanged: "the user's account has a new username"
      case .sessionsRevoked: "an administrator revoked the user's sessions"
      case .userDisabled: "the account is disabled"
      case .userDeleted: "the account is deleted"
      case .consentGranted: "the user consented to these scopes for the app"
      case .consentRevoked: "the user's consent to the app was revoked"
      case .appDisabled: "the app registration is disabled"
      case .policyAdded: "a Conditional Access policy was added"
      case .policyRemoved: "a Conditional Access policy was removed"
      case .keysRotated: "the platform rotated its signing key"
      case .misbehaves: "the platform violates the protocol"
      case .stopsMisbehaving: "the platform stops one or all misbehaviors"
      case .fault: "an endpoint fails"
      case .offline: "the network is down"
      case .online: "the network is available again"
      case .cacheCorrupted: "the token cache contains invalid bytes"
      case .cacheLoaded: "the token cache is loaded from a file"
      case .deviceShared: "the device is in shared device mode"
      }
    }
  }

  package var word: Word {
    switch event {
    case .signedIn: .signedIn
    case .signedOut: .signedOut
    case .browserSignedOut: .browserSignedOut
    case .wait: .wait
    case .clock: .clock
    case .accessTokenExpired: .accessTokenExpired
    case .refreshTokenExpired: .refreshTokenExpired
    case .passwordChanged: .passwordChanged
    case .passwordExpired: .passwordExpired
    case .usernameChanged: .usernameChanged
    case .sessionsRevoked: .sessionsRevoked
    case .userDisabled: .userDisabled
    case .userDeleted: .userDeleted
    case .consentGranted: .consentGranted
    case .consentRevoked: .consentRevoked
    case .appDisabled: .appDisabled
    case .policyAdded: .policyAdded
    case .policyRemoved: .policyRemoved
    case .keysRotated: .keysRotated
    case .misbehaves: .misbehaves
    case .stopsMisbehaving: .stopsMisbehaving
    case .fault: .fault
    case .offline: .offline
    case .online: .online
    case .cacheCorrupted: .cacheCorrupted
    case .cacheLoaded: .cacheLoaded
    case .deviceShared: .deviceShared
    }
  }

  package var side: Side { word.side }
}
