import Directory
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

// Sign-up and password reset in customer tenants.

extension SignIn {
  /// Shows the first page of a sign-up or password reset.
  /// - Returns: Whether the user has completed a password reset.
  mutating func runUserFlow() throws(Interruption) -> Bool {
    if request.prompt == "create", flow.accountID == nil {
      guard canSignUp else {
        throw .error(ErrorResponse(90010, "The authority does not support sign-up."))
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

  private func resetPage(prefilled: String?, problem: ErrorResponse? = nil) -> PageFrame {
    PageFrame(
      screen: .username, title: "Reset your password", code: problem?.label, problem: problem?.message,
      content: """
        <p>Enter the email address of your account. The emulator does not send a verification email.</p>
        \(PageField.username(prefilled ?? "", label: "Email address", isInvalid: problem != nil).html)\(row(main: "Continue"))
        """)
  }

  mutating func handleReset(_ form: Parameters) throws(Interruption) {
    let input = (form["loginfmt"] ?? "").trimmingSpaces()
    guard let account = platform.withState({ $0.account(named: input) }), isCustomer(account) else {
      throw .page(
        resetPage(
          prefilled: input, problem: ErrorResponse(50034, "We couldn’t find an account with that email address.")))
    }
    flow.username = account.user.username
  }

  // MARK: Sign-up

  func signUpPage(problem: ErrorResponse? = nil, username: String = "", name: String = "") -> PageFrame {
    PageFrame(
      screen: .signUp, title: "Create an account", code: problem?.label, problem: problem?.message,
      content: """
        \(purpose)\(PageField(label: "Email address", name: "loginfmt", kind: .email, autocomplete: "username", value: username, limit: 320, hasFocus: true, isInvalid: problem != nil).html)\(PageField(label: "Display name", name: "displayname", autocomplete: "name", value: name, limit: 256, isRequired: false).html)\(PageField.newPassword(hasFocus: false, isInvalid: problem != nil))\(row(main: "Create", name: "signup"))
        """)
  }

  mutating func handleSignUp(_ form: Parameters) throws(Interruption) {
    let username = (form["loginfmt"] ?? "").trimmingSpaces()
    let name = (form["displayname"] ?? "").trimmingSpaces()
    let password = form["newpassword"] ?? ""
    func again(_ message: String) -> Interruption {
      .page(signUpPage(problem: ErrorResponse(50126, message), username: username, name: name))
    }
    let parts = username.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), username.utf8.count <= 320 else {
      throw again("Enter an email address.")
    }
    guard password == form["confirmpassword"] else { throw again("The passwords don’t match.") }
    guard (8...256).contains(password.count) else { throw again("The password must have 8 to 256 characters.") }
    guard let tenantID = request.realm.tenantID else {
      throw .error(ErrorResponse(90010, "Sign-up requires a tenant-specific endpoint."))
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
    guard isNew else { throw again("An account with that email address already exists.") }
    flow.username = username
    flow.accountID = user.id
    flow.authenticatedAt = exchange.now
    flow.isFresh = true
  }
}
