import Directory
import Documents
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

// Account selection from the browser's session, the login hint, the account picker, or the username page.

extension SignIn {
  mutating func chooseAccount() throws(Interruption) {
    guard flow.accountID == nil else { return }
    var entries = sessionEntries()
    // The `sid` parameter selects a session.
    if let match = entries.first(where: { $0.sessionID == request.sessionID }) { entries = [match] }
    let requiresNewSignIn = request.prompt == "login" || request.prompt == "no_session"
    if let username = flow.username ?? request.loginHint {
      let entry = entries.first { self.account($0.accountID)?.user.username.lowercased() == username.lowercased() }
      if request.prompt == "select_account", !flow.isChosen, !entries.isEmpty { try showPicker(entries) }
      if let entry, !requiresNewSignIn, isRecent(entry) {
        use(entry)
        return
      }
      let account = platform.withState { $0.account(named: username) }
      guard let account, accepts(account) else {
        try show(usernamePage(prefilled: username), orSilentError: ErrorResponse(50058))
        return
      }
      flow.username = account.user.username
      try show(passwordPage(for: account.user), orSilentError: ErrorResponse(50058))
    }
    if isSilent {
      let fitting = entries.filter(isRecent)
      guard let entry = fitting.first else { throw .error(ErrorResponse(50058)) }
      guard fitting.count == 1 else { throw .error(ErrorResponse(16000)) }
      use(entry)
      return
    }
    if requiresNewSignIn || entries.isEmpty { throw .page(usernamePage(prefilled: nil)) }
    // A device sign-in always requires user interaction, even if the browser is signed in (RFC 8628 §5.4).
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

  /// Whether a session entry's sign-in is recent enough for `max_age` (OpenID Connect Core §3.1.2.1).
  private func isRecent(_ entry: BrowserSession.Entry) -> Bool {
    guard let maxAge = request.maxAge else { return true }
    return maxAge > .zero && exchange.now - entry.authenticatedAt <= maxAge
  }

  private func showPicker(_ entries: [BrowserSession.Entry]) throws(Interruption) {
    let users = entries.compactMap { account($0.accountID)?.user }
    try show(pickerPage(users), orSilentError: ErrorResponse(16000))
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

  func usernamePage(prefilled: String?, problem: ErrorResponse? = nil) -> PageFrame {
    let signUp: HTML? =
      canSignUp
      ? "<p>No account? <button class=\"link\" type=\"submit\" name=\"signup\" value=\"true\" formnovalidate>Create one</button></p>\n"
      : nil
    // B2C user flows request the username and password on the same page.
    let password: HTML? =
      isB2C
      ? """
      \(PageField(label: "Password", name: "passwd", kind: .password, autocomplete: "current-password", limit: 256, isRequired: false, isInvalid: problem != nil).html)<p><button class="link" type="submit" name="forgot" value="true" formnovalidate>Forgot your password?</button></p>

      """ : nil
    return PageFrame(
      screen: .username, title: "Sign in", code: problem?.label, problem: problem?.message,
      content: """
        \(purpose)\(PageField.username(prefilled ?? "", isInvalid: problem != nil).html)\(password)\(row(main: isB2C ? "Sign in" : "Next"))\(signUp)
        """)
  }

  // MARK: Parts of pages

  var appName: String { request.client.name ?? "App \(request.client.appId)" }

  /// Text that contains the app's name. For a device sign-in, the text warns that the sign-in is for another device.
  var purpose: HTML {
    flow.userCode == nil
      ? "<p>to continue to <strong dir=\"auto\">\(appName)</strong></p>\n"
      : """
      <p>You’re signing in to <strong dir="auto">\(appName)</strong> on another device. If you did not start this sign-in, close this page.</p>

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

  /// Returns the buttons at the bottom of the page. The main button is first, so that the Return key activates it.
  func row(main: String, name: String? = nil, value: String? = nil) -> HTML {
    let naming: HTML? = name.map { " name=\"\($0)\" value=\"\(value ?? "true")\"" }
    return """
      <div class="row"><button class="main" type="submit"\(naming)>\(main)</button><button type="submit" name="cancel" value="true" formnovalidate>Cancel</button></div>

      """
  }

  // MARK: Submitted forms

  mutating func handlePicker(_ form: Parameters) throws(Interruption) {
    if let name = form["forget"] {
      remove(name)
      let remaining = sessionEntries().compactMap { account($0.accountID)?.user }
      throw .page(remaining.isEmpty ? usernamePage(prefilled: nil) : pickerPage(remaining))
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

  /// Signs one account out of this browser.
  private func remove(_ username: String) {
    guard let id = SessionCookies.sessionID(exchange, realm: request.realm) else { return }
    platform.withState { state in
      guard let accountID = state.account(named: username)?.user.id.lowercased() else { return }
      state.sessions[id]?.entries.removeAll { $0.accountID == accountID }
    }
  }

  mutating func handleUsername(_ form: Parameters) throws(Interruption) {
    if form["signup"] != nil, canSignUp { throw .page(signUpPage()) }
    if isB2C, form["forgot"] != nil { throw .error(passwordForgotten) }
    let input = (form["loginfmt"] ?? "").trimmingSpaces()
    guard !input.isEmpty else {
      throw .page(usernamePage(prefilled: nil, problem: ErrorResponse(50034, "Enter a username.")))
    }
    let account = platform.withState { $0.account(named: input) }
    guard let account, accepts(account), !isB2C || isCustomer(account) else {
      let message =
        account == nil || isB2C
        ? "We couldn’t find an account with the username \(input.prefix(320))."
        : "You can’t sign in here with this type of account. Use another account."
      throw .page(
        usernamePage(prefilled: input, problem: ErrorResponse(account == nil || isB2C ? 50034 : 50020, message)))
    }
    flow.username = account.user.username
    flow.isChosen = true
    if let password = form["passwd"] {
      try handlePassword(password, of: account)
    } else {
      // If the account has a session, no password is required, unless the app requested a new sign-in.
      if request.prompt != "login", sessionEntries().contains(where: { $0.accountID == account.user.id.lowercased() }) {
        return
      }
      throw .page(passwordPage(for: account.user))
    }
  }

  /// Whether the account belongs to the request's customer tenant.
  func isCustomer(_ account: GraphState.Account) -> Bool {
    guard let tenantID = request.realm.tenantID else { return false }
    return platform.withState { $0.graph.member(account.user.id, of: tenantID) } != nil
  }

  var passwordForgotten: ErrorResponse { .b2c(90118, "The user forgot the password.") }
}
