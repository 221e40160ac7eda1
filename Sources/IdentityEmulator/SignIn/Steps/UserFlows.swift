import Directory
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

// What customer tenants have beside signing in: signing up, and the user flow for a forgotten password.

extension SignIn {
  /// Shows the first page of a flow that does not begin with signing in.
  /// - Returns: whether the flow is at its end already.
  mutating func startsUserFlow() throws(Interruption) -> Bool {
    if request.prompt == "create", flow.accountID == nil {
      guard canSignUp else {
        throw .refusal(ErrorResponse(90010, "Nobody can sign up for an account of this authority."))
      }
      throw .page(signUpPage())
    }
    guard isB2C, policyName.contains("passwordreset") || policyName.contains("password_reset") else { return false }
    if flow.isPasswordChanged, flow.accountID != nil { return true }
    guard let username = flow.username, let account = platform.withState({ $0.account(named: username) }),
      isCustomer(account)
    else { throw .page(resetPage(prefilled: flow.username ?? request.loginHint)) }
    throw .page(changePasswordPage(for: account.user))
  }

  private func resetPage(prefilled: String?, complaint: ErrorResponse? = nil) -> PageFrame {
    PageFrame(
      screen: .username, title: "Reset your password", code: complaint?.label, complaint: complaint?.message,
      content: """
        <p>Which account is it? The emulator sends no mail and takes your word.</p>
        \(PageField.username(prefilled ?? "", label: "Email address", isWrong: complaint != nil).html)\(row(main: "Continue"))
        """)
  }

  mutating func takeReset(_ form: Parameters) throws(Interruption) {
    let typed = (form["loginfmt"] ?? "").trimmingSpaces()
    guard let account = platform.withState({ $0.account(named: typed) }), isCustomer(account) else {
      throw .page(
        resetPage(prefilled: typed, complaint: ErrorResponse(50034, "There is no account with that address.")))
    }
    flow.username = account.user.username
  }

  // MARK: Sign-up

  func signUpPage(complaint: ErrorResponse? = nil, username: String = "", name: String = "") -> PageFrame {
    PageFrame(
      screen: .signUp, title: "Create an account", code: complaint?.label, complaint: complaint?.message,
      content: """
        \(purpose)\(PageField(label: "Email address", name: "loginfmt", kind: .email, autocomplete: "username", value: username, limit: 320, isFirst: true, isWrong: complaint != nil).html)\(PageField(label: "Display name", name: "displayname", autocomplete: "name", value: name, limit: 256, isRequired: false).html)\(PageField.newPassword(isFirst: false, isWrong: complaint != nil))\(row(main: "Create", name: "signup"))
        """)
  }

  mutating func takeSignUp(_ form: Parameters) throws(Interruption) {
    let username = (form["loginfmt"] ?? "").trimmingSpaces()
    let name = (form["displayname"] ?? "").trimmingSpaces()
    let password = form["newpassword"] ?? ""
    func again(_ message: String) -> Interruption {
      .page(signUpPage(complaint: ErrorResponse(50126, message), username: username, name: name))
    }
    let parts = username.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), username.utf8.count <= 320 else {
      throw again("Enter an email address.")
    }
    guard password == form["confirmpassword"] else { throw again("The two passwords differ.") }
    guard (8...256).contains(password.count) else { throw again("A password has 8 to 256 characters.") }
    guard let tenantID = request.realm.tenantID else {
      throw .refusal(ErrorResponse(90010, "Sign-up needs a tenant of its own."))
    }
    var user = User()
    user.username = username
    user.mail = username
    user.password = password
    user.displayName = name.isEmpty ? String(parts[0]) : name
    user.id = DerivedID.uuid(of: "user", tenantID, username)
    let isNew = platform.withState { state -> Bool in
      guard state.account(named: username) == nil else { return false }
      state.graph.accounts[user.id] = GraphState.Account(user: user, homeTenantID: tenantID)
      state.addedAccounts.append(user.id)
      state.changedAccounts.append(user.id)
      return true
    }
    guard isNew else { throw again("There is an account with that address already.") }
    flow.username = username
    flow.accountID = user.id
    flow.authenticatedAt = exchange.now
    flow.isFresh = true
  }
}
