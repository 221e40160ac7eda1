import Directory
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

// The password, the lock after too many wrong ones, and the new one when it has expired.

extension SignIn {
  func passwordPage(for user: User, complaint: ErrorResponse? = nil) -> PageFrame {
    let forgot: HTML? =
      isB2C || canSignUp
      ? "<p><button class=\"link\" type=\"submit\" name=\"forgot\" value=\"true\" formnovalidate>Forgot your password?</button></p>\n"
      : nil
    return PageFrame(
      screen: .password, title: "Enter password", code: complaint?.label, complaint: complaint?.message,
      content: """
        <p class="who">\(user.username)</p>
        <input type="hidden" name="loginfmt" value="\(user.username)" autocomplete="username">
        \(PageField.password(isFirst: true, isWrong: complaint != nil).html)\(row(main: "Sign in"))\(forgot)
        """)
  }

  mutating func takePasswordPage(_ form: Parameters) throws(Interruption) {
    if form["forgot"] != nil {
      if isB2C { throw .refusal(forgotten) }
      if canSignUp, let account = flow.username.flatMap({ name in platform.withState { $0.account(named: name) } }) {
        throw .page(changePasswordPage(for: account.user))
      }
    }
    guard let account = flow.username.flatMap({ name in platform.withState { $0.account(named: name) } }) else {
      throw .page(usernamePage(prefilled: flow.username, complaint: ErrorResponse(50034)))
    }
    try takePassword(form["passwd"] ?? "", of: account)
  }

  /// Notes the sign-in, or shows the page again with what was wrong.
  mutating func takePassword(_ password: String, of account: GraphState.Account) throws(Interruption) {
    if let refusal = platform.checkPassword(password, of: account, now: exchange.now) {
      throw .page(
        isB2C
          ? usernamePage(prefilled: account.user.username, complaint: refusal)
          : passwordPage(for: account.user, complaint: refusal))
    }
    flow.accountID = account.user.id.lowercased()
    flow.authenticatedAt = exchange.now
    flow.isFresh = true
  }

  // MARK: Expired, or to be changed by policy

  func demandValidPassword(_ member: GraphState.Member) throws(Interruption) {
    guard member.account.user.passwordExpired == true, !flow.isPasswordChanged else { return }
    // A session outlives the expiry; whoever types the old password has to set a new one.
    guard flow.isFresh else { return }
    try show(
      changePasswordPage(
        for: member.account.user, complaint: ErrorResponse(50055, "Your password has expired. Set a new one.")),
      orSilently: ErrorResponse(50125))
  }

  func changePasswordPage(for user: User, complaint: ErrorResponse? = nil) -> PageFrame {
    PageFrame(
      screen: .changePassword, title: "Update your password", code: complaint?.label, complaint: complaint?.message,
      content: """
        <p class="who">\(user.username)</p>
        \(PageField.newPassword(isFirst: true, isWrong: complaint != nil))\(row(main: "Save"))
        """)
  }

  mutating func takeNewPassword(_ form: Parameters) throws(Interruption) {
    let account =
      (flow.accountID.flatMap { self.account($0) })
      ?? flow.username.flatMap { name in platform.withState { $0.account(named: name) } }
    guard let account else { throw .refusal(ErrorResponse(50089)) }
    let new = form["newpassword"] ?? ""
    func again(_ message: String) -> Interruption {
      .page(changePasswordPage(for: account.user, complaint: ErrorResponse(50126, message)))
    }
    guard new == form["confirmpassword"] else { throw again("The two passwords differ.") }
    guard (8...256).contains(new.count) else { throw again("A password has 8 to 256 characters.") }
    guard new != account.user.password else { throw again("The new password must differ from the old one.") }
    let demands = platform.policies(
      for: account.user, clientID: request.client.appId, resources: request.scopes.resources,
      tenantID: tenantID(for: account)
    ).filter { $0.require == .passwordChange }
    platform.withState { state in
      state.changeAccount(account.user.id) { user in
        user.password = new
        user.passwordExpired = nil
      }
      state.changeHistory(of: account.user.id) { history in
        for policy in demands where !history.passwordChangedFor.contains(policy.id) {
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

  /// - Returns: why the password does not let the user in; nil where it does.
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
