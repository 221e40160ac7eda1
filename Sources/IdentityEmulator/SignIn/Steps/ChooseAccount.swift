import Directory
import Documents
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

// Who is it? By the browser's session, the hint, the picker, or by typing.

extension SignIn {
  mutating func chooseAccount() throws(Interruption) {
    guard flow.accountID == nil else { return }
    var entries = sessionEntries()
    // The session that an ID token named narrows the choice down to it.
    if let named = entries.first(where: { $0.sessionID == request.sessionID }) { entries = [named] }
    let asksAnew = request.prompt == "login" || request.prompt == "no_session"
    if let username = flow.username ?? request.loginHint {
      let entry = entries.first { account($0.accountID)?.user.username.lowercased() == username.lowercased() }
      if request.prompt == "select_account", !flow.isChosen, !entries.isEmpty { try showPicker(entries) }
      if let entry, !asksAnew, isRecent(entry) {
        use(entry)
        return
      }
      let known = platform.withState { $0.account(named: username) }
      guard let known, admits(known) else {
        try show(usernamePage(prefilled: username), orSilently: ErrorResponse(50058))
        return
      }
      flow.username = known.user.username
      try show(passwordPage(for: known.user), orSilently: ErrorResponse(50058))
    }
    if isSilent {
      let fitting = entries.filter(isRecent)
      guard let entry = fitting.first else { throw .refusal(ErrorResponse(50058)) }
      guard fitting.count == 1 else { throw .refusal(ErrorResponse(16000)) }
      use(entry)
      return
    }
    if asksAnew || entries.isEmpty { throw .page(usernamePage(prefilled: nil)) }
    // Nobody lets a device in without having said so, in a browser that is signed in, too.
    let isForDevice = flow.userCode != nil
    if request.prompt == "select_account" || entries.count > 1 || isForDevice { try showPicker(entries) }
    guard let entry = entries.first, isRecent(entry) else {
      flow.username = entries.first.flatMap { account($0.accountID)?.user.username }
      guard let user = flow.username.flatMap({ name in platform.withState { $0.account(named: name) } })?.user else {
        throw .page(usernamePage(prefilled: nil))
      }
      throw .page(passwordPage(for: user))
    }
    use(entry)
  }

  private mutating func use(_ entry: BrowserSession.Entry) {
    flow.accountID = entry.accountID
    flow.authenticatedAt = entry.authenticatedAt
    flow.factorAt = entry.factorAt
    flow.sessionID = entry.sessionID
  }

  /// Whether the session's sign-in is young enough for `max_age`.
  private func isRecent(_ entry: BrowserSession.Entry) -> Bool {
    guard let maxAge = request.maxAge else { return true }
    return maxAge > .zero && exchange.now - entry.authenticatedAt <= maxAge
  }

  private func showPicker(_ entries: [BrowserSession.Entry]) throws(Interruption) {
    let users = entries.compactMap { account($0.accountID)?.user }
    try show(pickerPage(users), orSilently: ErrorResponse(16000))
  }

  // MARK: Pages

  func pickerPage(_ users: [User]) -> PageFrame {
    let rows: [HTML] = users.map { user in
      """
      <li><button class="account" type="submit" name="account" value="\(user.username)">\(user.shownName)<small>\(user.username)</small></button><button class="forget" type="submit" name="forget" value="\(user.username)" aria-label="Sign out \(user.username)">Sign out</button></li>

      """
    }
    return PageFrame(
      screen: .pickAccount, title: "Pick an account",
      content: """
        \(purpose)<ul class="accounts">
        \(rows)<li><button class="account" type="submit" name="account" value="another">Use another account</button></li>
        </ul>
        \(cancelRow)
        """)
  }

  func usernamePage(prefilled: String?, complaint: ErrorResponse? = nil) -> PageFrame {
    let signUp: HTML? =
      canSignUp
      ? "<p>No account? <button class=\"link\" type=\"submit\" name=\"signup\" value=\"true\" formnovalidate>Create one</button></p>\n"
      : nil
    // A customer's page asks for name and password at once, as the user flows of B2C do.
    let password: HTML? =
      isB2C
      ? """
      \(PageField(label: "Password", name: "passwd", kind: .password, autocomplete: "current-password", limit: 256, isRequired: false, isWrong: complaint != nil).html)<p><button class="link" type="submit" name="forgot" value="true" formnovalidate>Forgot your password?</button></p>

      """ : nil
    return PageFrame(
      screen: .username, title: "Sign in", code: complaint?.label, complaint: complaint?.message,
      content: """
        \(purpose)\(PageField.username(prefilled ?? "", isWrong: complaint != nil).html)\(password)\(row(main: isB2C ? "Sign in" : "Next"))\(signUp)
        """)
  }

  // MARK: Parts of pages

  var appName: String { request.client.name ?? "App \(request.client.appId)" }

  /// What the sign-in is for. Who types a device's code is told that it is another device that gets in.
  var purpose: HTML {
    flow.userCode == nil
      ? "<p>to continue to <strong dir=\"auto\">\(appName)</strong></p>\n"
      : """
      <p>You’re signing in to <strong dir="auto">\(appName)</strong> on another device. If you did not start that yourself, close this page.</p>

      """
  }

  var canSignUp: Bool {
    guard case .tenant(let id) = request.realm.kind else { return false }
    let kind = platform.withState { $0.graph.tenants[id]?.effectiveKind }
    return kind == .b2c && !policyName.contains("passwordreset") || kind == .external
  }

  var cancelRow: HTML {
    """
    <div class="row"><button type="submit" name="cancel" value="true" formnovalidate>Cancel</button></div>

    """
  }

  /// The buttons at the foot. The main one stands first, so that the return key means it.
  func row(main: String, name: String? = nil, value: String? = nil) -> HTML {
    let naming: HTML? = name.map { " name=\"\($0)\" value=\"\(value ?? "true")\"" }
    return """
      <div class="row"><button class="main" type="submit"\(naming)>\(main)</button><button type="submit" name="cancel" value="true" formnovalidate>Cancel</button></div>

      """
  }

  // MARK: What comes back

  mutating func takePicker(_ form: Parameters) throws(Interruption) {
    if let name = form["forget"] {
      remove(name)
      let left = sessionEntries().compactMap { account($0.accountID)?.user }
      throw .page(left.isEmpty ? usernamePage(prefilled: nil) : pickerPage(left))
    }
    guard let choice = form["account"] else {
      throw .page(pickerPage(sessionEntries().compactMap { account($0.accountID)?.user }))
    }
    flow.isChosen = true
    if choice == "another" {
      flow.username = nil
      throw .page(usernamePage(prefilled: nil))
    }
    flow.username = choice
  }

  /// Signs one account out of this browser; the others stay.
  private func remove(_ username: String) {
    guard let id = SessionCookies.sessionID(exchange, realm: request.realm) else { return }
    platform.withState { state in
      guard let accountID = state.account(named: username)?.user.id.lowercased() else { return }
      state.sessions[id]?.entries.removeAll { $0.accountID == accountID }
    }
  }

  mutating func takeUsername(_ form: Parameters) throws(Interruption) {
    if form["signup"] != nil, canSignUp { throw .page(signUpPage()) }
    if isB2C, form["forgot"] != nil { throw .refusal(forgotten) }
    let typed = (form["loginfmt"] ?? "").trimmingSpaces()
    guard !typed.isEmpty else {
      throw .page(usernamePage(prefilled: nil, complaint: ErrorResponse(50034, "Enter a username.")))
    }
    let known = platform.withState { $0.account(named: typed) }
    guard let known, admits(known), !isB2C || isCustomer(known) else {
      let message =
        known == nil || isB2C
        ? "There is no account with the username \(typed.prefix(320))."
        : "You can’t sign in here with this kind of account. Use another one."
      throw .page(
        usernamePage(prefilled: typed, complaint: ErrorResponse(known == nil || isB2C ? 50034 : 50020, message)))
    }
    flow.username = known.user.username
    flow.isChosen = true
    if let password = form["passwd"] {
      try takePassword(password, of: known)
    } else {
      // A session of that account is used without the password, unless a fresh sign-in was asked for.
      if request.prompt != "login", sessionEntries().contains(where: { $0.accountID == known.user.id.lowercased() }) {
        return
      }
      throw .page(passwordPage(for: known.user))
    }
  }

  /// Whether the account belongs to the customer tenant of the request.
  func isCustomer(_ account: GraphState.Account) -> Bool {
    guard let tenantID = request.realm.tenantID else { return false }
    return platform.withState { $0.graph.member(account.user.id, of: tenantID) } != nil
  }

  var forgotten: ErrorResponse { .b2c(90118, "The user has forgotten their password.") }
}
