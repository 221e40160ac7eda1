import RunTrace

/// The simulated user's behavior and credentials, as specified by the keys of `user` in the workflow language.
package struct SimulatedUser: Sendable {
  /// The reaction to a request for a second factor.
  package enum SecondFactor: Sendable {
    case approve, deny
    /// Ignores the request.
    case ignore
    /// Enters the one-time code for this base32 seed (RFC 6238, SHA-1, six digits, 30 seconds).
    case oneTimeCode(seed: Secret)
  }

  package enum Consent: Sendable {
    case accept, decline
    /// Accepts the given scopes. If the page lets the user choose, deselects all other scopes.
    case only([String])
  }

  package enum Cancellation: Sendable, Hashable {
    case never
    /// Closes the window on the first page.
    case atOnce
    /// Closes the window on the first page of this type, such as `consent`.
    case at(String)
  }

  /// The passwords and authenticator seeds of the users in the emulated directory, by username. They are the default
  /// credentials.
  package struct Credentials: Sendable {
    package var password: @Sendable (_ username: String) -> Secret?
    package var seed: @Sendable (_ username: String) -> Secret?

    package init(
      password: @escaping @Sendable (_ username: String) -> Secret? = { _ in nil },
      seed: @escaping @Sendable (_ username: String) -> Secret? = { _ in nil }
    ) {
      self.password = password
      self.seed = seed
    }
  }

  package var username: String?
  package var password: Secret?
  /// The new password. If this is nil, the user gives up on a page that requires a new password.
  package var newPassword: Secret?
  package var secondFactor: SecondFactor = .approve
  package var consent: Consent = .accept
  /// The account that the user picks: a username, or `another`. By default, the user picks the account with their own
  /// username.
  package var picks: String?
  package var cancels: Cancellation = .never
  /// The time before the user's first input.
  package var delay: Duration = .zero
  /// Whether the user selects "Yes" on the "Stay signed in?" page.
  package var staysSignedIn = true
  package var forgetsPassword = false
  /// The attributes for a sign-up page, by name, or nil if the user does not sign up. Matching ignores
  /// the case and punctuation of names.
  package var signsUp: [String: String]?
  package var credentials = Credentials()

  /// All secrets that the user may have typed.
  var secrets: [String] {
    var all = [password, newPassword].compactMap { $0?.reveal() }
    if let username { all += [credentials.password(username)].compactMap { $0?.reveal() } }
    if case .oneTimeCode(let seed) = secondFactor { all.append(seed.reveal()) }
    if let typed = signsUp?.first(where: { $0.key.lowercased() == "password" })?.value { all.append(typed) }
    return all
  }

  package init(username: String? = nil, password: Secret? = nil) {
    self.username = username
    self.password = password
  }
}
