import Directory
import Effects
import GraphEmulator
import OAuth

// What conditional access and the user's own second factor ask for.

extension SignIn {
  mutating func satisfyPolicies(_ member: GraphState.Member) throws(Interruption) {
    guard let authenticatedAt = flow.authenticatedAt else {
      throw .refusal(ErrorResponse(50089))
    }
    let user = member.account.user
    let tenantID = tenantID(for: member.account)
    let unmet = platform.unmetCondition(
      AuthenticationEvidence(
        authenticatedAt: authenticatedAt, factorAt: flow.factorAt, isPasswordChanged: flow.isPasswordChanged),
      user: user, clientID: request.client.appId, resources: request.scopes.resources, tenantID: tenantID,
      contexts: request.claims.contexts, isNewSignIn: flow.isFresh)
    guard let unmet else { return }
    exchange.audit.apply(unmet)
    switch unmet {
    case .factor, .externalCheck: try show(factorPage(for: user), orSilently: silently(unmet, user))
    case .freshSignIn:
      flow.username = user.username
      flow.accountID = nil
      try show(passwordPage(for: user), orSilently: silently(unmet, user))
    case .newPassword:
      try show(changePasswordPage(for: user, complaint: ErrorResponse(50125)), orSilently: silently(unmet, user))
    case .device, .tooRisky, .blocked: throw .refusal(isSilent ? silently(unmet, user) : refusal(unmet, user))
    // The app learns it at the token endpoint, where it can act on it.
    case .approvedApp: return
    }
  }

  private func silently(_ unmet: UnmetPolicyRequirement, _ user: User) -> ErrorResponse {
    refusal(unmet, user).silently
  }

  private func refusal(_ unmet: UnmetPolicyRequirement, _ user: User) -> ErrorResponse {
    unmet.refusal(for: user, resources: request.scopes.resources)
  }

  // MARK: The second factor

  func factorPage(for user: User, complaint: ErrorResponse? = nil) -> PageFrame {
    let isEnrolled = user.mfa != nil
    let isTyped = if case .totp = user.mfa { true } else { false }
    let content: HTML =
      if case .totp = user.mfa {
        """
        <p class="who">\(user.username)</p>
        <p>Enter the code that your authenticator app shows.</p>
        \(PageField(label: "Code", name: "otc", autocomplete: "one-time-code", limit: 6, isFirst: true, isWrong: complaint != nil, keyboard: "numeric").html)\(row(main: "Verify"))
        """
      } else {
        """
        <p class="who">\(user.username)</p>
        <p>\(isEnrolled ? "Open your authenticator app, and enter the number shown to sign in." : "Your organization needs more information to keep your account secure: set up an authenticator app with this number.")</p>
        <p class="number">\(matchingNumber)</p>
        <p class="hint">No phone is emulated: Approve and Deny do what the phone would.</p>
        <div class="row"><button class="main" type="submit" name="mfa" value="approve" autofocus>Approve</button><button type="submit" name="mfa" value="deny">Deny</button><button type="submit" name="cancel" value="true" formnovalidate>Cancel</button></div>
        """
      }
    return PageFrame(
      screen: .mfa, title: !isEnrolled ? "More information required" : isTyped ? "Enter code" : "Approve the sign-in",
      code: complaint?.label,
      complaint: complaint?.message, content: content)
  }

  /// The number that the phone asks for: the same on this page however often it is shown, another in each sign-in.
  private var matchingNumber: String {
    let digits = OpaqueTokenCipher.pseudonym("number", flow.binding, String(flow.startedAt.secondsSince1970)).utf8
    return String(10 + digits.reduce(0) { ($0 &* 31 &+ Int($1)) % 90 })
  }

  mutating func takeFactor(_ form: Parameters) throws(Interruption) {
    guard let account = flow.accountID.flatMap({ account($0) }) else { throw .refusal(ErrorResponse(50089)) }
    switch account.user.mfa {
    case .totp(let seed):
      guard OneTimeCode.verifies(form["otc"]?.trimmingSpaces() ?? "", seed: seed, at: exchange.now) else {
        throw .page(
          factorPage(for: account.user, complaint: ErrorResponse(500121, "The code is wrong. Enter the current one.")))
      }
    default:
      guard form["mfa"] == "approve" else {
        throw .refusal(ErrorResponse(500121, "The request to sign in was denied."))
      }
      if account.user.mfa == nil {
        platform.withState { $0.changeAccount(account.user.id) { $0.mfa = .push } }
      }
    }
    flow.factorAt = exchange.now
  }
}
