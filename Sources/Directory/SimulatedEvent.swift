import Documents
import Effects

/// Something that happens in the world around an app: one entry of a scenario's `given`, or of a `simulate` step.
package struct SimulatedEvent: Hashable, Sendable {
  /// Who makes it happen.
  package enum Side: String, Hashable, Sendable {
    /// The app's own side: sign-ins, the cache, the device. The runner does it.
    case client
    /// The clock and the network of the run. The runner does it in its world; a served platform shifts its own clock.
    case world
    /// The identity platform. It goes over the platform's control interface.
    case platform
  }

  /// Whom and what it concerns; what is nil is filled in by the runner: the scenario's user, the first client.
  package struct Subject: Hashable, Sendable {
    /// A username.
    package var user: String?
    /// The name of a client in the workflow; on the control interface a client id.
    package var client: String?
    package var scopes: [String]?

    package init(user: String? = nil, client: String? = nil, scopes: [String]? = nil) {
      self.user = user
      self.client = client
      self.scopes = scopes
    }
  }

  package enum Event: Hashable, Sendable {
    // Account.
    case signedIn, signedOut, browserSignedOut
    // Time.
    case wait(Duration)
    case clock(Instant)
    case accessTokenExpired, refreshTokenExpired
    // User.
    case passwordChanged(to: String?)
    case passwordExpired
    case usernameChanged(to: String?)
    case sessionsRevoked, userDisabled, userDeleted
    // Consent, app, policy.
    case consentGranted, consentRevoked, appDisabled
    case policyAdded(AccessPolicy)
    case policyRemoved(name: String)
    // Service.
    case keysRotated
    case misbehaves(Misbehavior)
    /// Nil ends every misbehavior.
    case stopsMisbehaving(Misbehavior?)
    case fault(Fault)
    case offline(Duration?)
    case online
    // Cache and device.
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
  /// The words of the vocabulary, without what belongs to one occurrence.
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

    /// What it means, in one line.
    package var words: String {
      switch self {
      case .signedIn: "the user has signed in with the app, for real, so that the cache holds what that leaves"
      case .signedOut: "the user has signed out, in another process of the app: the cache is empty under its feet"
      case .browserSignedOut: "the browser's session at the platform has ended"
      case .wait: "this much time passes"
      case .clock: "it is this instant now, be it in the past"
      case .accessTokenExpired: "time passes until the access tokens in the cache have expired"
      case .refreshTokenExpired:
        "the user's refresh tokens are past their time, and so are cached access tokens"
      case .passwordChanged: "the user has a new password, and older grants no longer count"
      case .passwordExpired: "the user's password has to be changed at the next sign-in"
      case .usernameChanged: "the user is called something else now; the account is the same"
      case .sessionsRevoked: "an administrator has revoked the user's sessions"
      case .userDisabled: "the account is disabled"
      case .userDeleted: "the account is deleted"
      case .consentGranted: "the user has consented to these scopes of the app"
      case .consentRevoked: "the user's consent to the app is gone"
      case .appDisabled: "the app registration is disabled"
      case .policyAdded: "a conditional access policy applies from now on"
      case .policyRemoved: "a conditional access policy applies no longer"
      case .keysRotated: "the platform signs with a new key from now on"
      case .misbehaves: "the platform breaks the protocol in this way"
      case .stopsMisbehaving: "the platform keeps to the protocol again, in this way or in every way"
      case .fault: "something goes wrong at an endpoint"
      case .offline: "there is no network"
      case .online: "the network is back"
      case .cacheCorrupted: "the token cache holds bytes that cannot be read"
      case .cacheLoaded: "the token cache holds what this file says"
      case .deviceShared: "the device is in shared mode"
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
