import Directory
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

// Password entry, account lockout, and password changes.

extension SignIn {
  func passwordPage(for user: User, problem: ErrorResponse? = nil) -> PageFrame {
    let forgot: HTML? =
      isB2C || canSignUp
      ? "<p><button class=\"link\" type=\"submit\" name=\"forgot\" value=\"true\" formnovalidate>Forgot your password?</button></p>\n"
      : nil
    return PageFrame(
      screen: .password, title: "Enter password", code: problem?.label, problem: problem?.message,
      content: """
        <p class="who">\(user.username)</p>
        <input type="hidden" name="loginfmt" value="\(user.username)" autocomplete="username">
        \(PageField.password(hasFocus: true, isInvalid: problem != nil).html)\(row(main: "Sign in"))\(forgot)
        """)
  }

  mutating func handlePasswordPage(_ form: Parameters) throws(Interruption) {
    if form["forgot"] != nil {
      if isB2C { throw .error(passwordForgotten) }
      if canSignUp, let account = flow.username.flatMap({ name in platform.withState { $0.account(named: name) } }) {
        throw .page(changePasswordPage(for: account.user))
      }
    }
    guard let account = flow.username.flatMap({ name in platform.withState { $0.account(named: name) } }) else {
      throw .page(usernamePage(prefilled: flow.username, problem: ErrorResponse(50034)))
    }
    try handlePassword(form["passwd"] ?? "", of: account)
  }

  /// Checks the entered password. Records the sign-in if the password is correct, and otherwise shows the page again
  /// with an error.
  mutating func handlePassword(_ password: String, of account: GraphState.Account) throws(Interruption) {
    if let errorResponse = platform.checkPassword(password, of: account, now: exchange.now) {
      throw .page(
        isB2C
          ? usernamePage(prefilled: account.user.username, problem: errorResponse)
          : passwordPage(for: account.user, problem: errorResponse))
    }
    flow.accountID = account.user.id.lowercased()
    flow.authenticatedAt = exchange.now
    flow.isFresh = true
  }

  // MARK: Password change

  func requireValidPassword(_ member: GraphState.Member) throws(Interruption) {
    guard member.account.user.passwordExpired == true, !flow.isPasswordChanged else { return }
    // A new password is required only in a new sign-in, not in an existing session.
    guard flow.isFresh else { return }
    try show(
      changePasswordPage(
        for: member.account.user, problem: ErrorResponse(50055, "Your password has expired. Set a new password.")),
      orSilentError: ErrorResponse(50125))
  }

  func changePasswordPage(for user: User, problem: ErrorResponse? = nil) -> PageFrame {
    PageFrame(
      screen: .changePassword, title: "Update your password", code: problem?.label, problem: problem?.message,
      content: """
        <p class="who">\(user.username)</p>
        \(PageField.newPassword(hasFocus: true, isInvalid: problem != nil))\(row(main: "Save"))
        """)
  }

  mutating func handleNewPassword(_ form: Parameters) throws(Interruption) {
    let account =
      (flow.accountID.flatMap { self.account($0) })
      ?? flow.username.flatMap { name in platform.withState { $0.account(named: name) } }
    guard let account else { throw .error(ErrorResponse(50089)) }
    let new = form["newpassword"] ?? ""
    func again(_ message: String) -> Interruption {
      .page(changePasswordPage(for: account.user, problem: ErrorResponse(50126, message)))
    }
    guard new == form["confirmpassword"] else { throw again("The passwords don’t match.") }
    guard (8...256).contains(new.count) else { throw again("The password must have 8 to 256 characters.") }
    guard new != account.user.password else { throw again("The new password must be different from the old password.") }
    let policies = platform.policies(
      for: AccessAttempt(
        user: account.user, clientID: request.client.appId, resources: request.scopes.resources,
        tenantID: tenantID(for: account))
    ).filter { $0.require == .passwordChange }
    platform.withState { state in
      state.changeAccount(account.user.id) { user in
        user.password = new
        user.passwordExpired = nil
      }
      state.changeHistory(of: account.user.id) { history in
        for policy in policies where !history.passwordChangedFor.contains(policy.id) {
          history.passwordChangedFor.append(policy.id)
        }
      }
    }
    flow.accountID = account.user.id.lowercased()
    flow.authenticatedAt = exchange.now
    flow.isFresh = true
    flow.isPasswordChanged = true
  }
}

extension Platform {
  private static let failuresBeforeLock = 10
  private static let lockTime = Duration.seconds(60)

  /// Checks a password and updates the account lockout.
  /// - Returns: The error, or nil if the password is correct.
  func checkPassword(_ password: String, of account: GraphState.Account, now: Instant) -> ErrorResponse? {
    withState { state in
      let key = account.user.id.lowercased()
      var lockout = state.lockouts[key] ?? PasswordLockout()
      if let until = lockout.until, now < until { return ErrorResponse(50053) }
      if let expected = account.user.password, ConstantTime.equal(expected, password) {
        state.lockouts[key] = nil
        return nil
      }
      lockout.failures += 1
      lockout.until = nil
      if lockout.failures >= Self.failuresBeforeLock {
        lockout = PasswordLockout(failures: 0, until: now + Self.lockTime)
      }
      state.lockouts[key] = lockout
      return lockout.until == nil ? ErrorResponse(50126) : ErrorResponse(50053)
    }
  }
}
