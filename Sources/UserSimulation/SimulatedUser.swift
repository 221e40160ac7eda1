import RunTrace

/// Who sits at the keyboard, and what that user knows and does. The words are those of the workflow language's `user`.
package struct SimulatedUser: Sendable {
  /// What is done when a second factor is asked for.
  package enum SecondFactor: Sendable {
    case approve, deny
    /// The phone lies in another room: nothing is answered.
    case ignore
    /// Types the one-time code of this base32 seed (RFC 6238, SHA-1, six digits, thirty seconds).
    case oneTimeCode(seed: Secret)
  }

  package enum Consent: Sendable {
    case accept, decline
    /// Accepts, but unticks every other scope where the page lets one choose.
    case only([String])
  }

  package enum Cancellation: Sendable, Hashable {
    case never
    /// Closes the window at the first page.
    case atOnce
    /// Closes the window at the first page of that screen, such as `consent`.
    case at(String)
  }

  /// What an emulated user knows without having been told: the directory's passwords and authenticator seeds, by
  /// username.
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
  /// Typed where a new password is asked for; without it the user gives up there.
  package var newPassword: Secret?
  package var secondFactor: SecondFactor = .approve
  package var consent: Consent = .accept
  /// A username, or `another`; the username by default.
  package var picks: String?
  package var cancels: Cancellation = .never
  /// How long the user takes before the first answer.
  package var delay: Duration = .zero
  /// What is answered to "Stay signed in?".
  package var staysSignedIn = true
  package var forgetsPassword = false
  /// The attributes to type on a sign-up page, by any spelling of their names; nil where the user does not sign up.
  package var signsUp: [String: String]?
  package var knowledge = Credentials()

  /// What this user may have typed and nobody else is to see.
  var secrets: [String] {
    var all = [password, newPassword].compactMap { $0?.reveal() }
    if let username { all += [knowledge.password(username)].compactMap { $0?.reveal() } }
    if case .oneTimeCode(let seed) = secondFactor { all.append(seed.reveal()) }
    if let typed = signsUp?.first(where: { $0.key.lowercased() == "password" })?.value { all.append(typed) }
    return all
  }

  package init(username: String? = nil, password: Secret? = nil) {
    self.username = username
    self.password = password
  }
}
