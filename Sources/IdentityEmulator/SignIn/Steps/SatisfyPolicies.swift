import Directory
import Effects
import GraphEmulator
import OAuth

// Conditional Access policies and multifactor authentication.

extension SignIn {
  mutating func satisfyPolicies(_ member: GraphState.Member) throws(Interruption) {
    guard let authenticatedAt = flow.authenticatedAt else {
      throw .error(ErrorResponse(50089))
    }
    let user = member.account.user
    let tenantID = tenantID(for: member.account)
    let unmet = platform.unmetRequirement(
      AuthenticationEvidence(
        authenticatedAt: authenticatedAt, factorAt: flow.factorAt, isPasswordChanged: flow.isPasswordChanged),
      for: AccessAttempt(
        user: user, clientID: request.client.appId, resources: request.scopes.resources, tenantID: tenantID,
        contexts: request.claims.contexts, isNewSignIn: flow.isFresh))
    guard let unmet else { return }
    exchange.decisionLog.recordPolicy(of: unmet)
    switch unmet {
    case .factor, .externalCheck: try show(factorPage(for: user), orSilentError: silentError(unmet, user))
    case .freshSignIn:
      flow.username = user.username
      flow.accountID = nil
      try show(passwordPage(for: user), orSilentError: silentError(unmet, user))
    case .newPassword:
      try show(changePasswordPage(for: user, problem: ErrorResponse(50125)), orSilentError: silentError(unmet, user))
    case .device, .tooRisky, .blocked: throw .error(isSilent ? silentError(unmet, user) : errorResponse(unmet, user))
    // The token endpoint returns the error instead, so that the app can handle it.
    case .approvedApp: return
    }
  }

  private func silentError(_ unmet: UnmetPolicyRequirement, _ user: User) -> ErrorResponse {
    errorResponse(unmet, user).forSilentRequest
  }

  private func errorResponse(_ unmet: UnmetPolicyRequirement, _ user: User) -> ErrorResponse {
    unmet.errorResponse(for: user, resources: request.scopes.resources)
  }

  // MARK: Multifactor authentication

  func factorPage(for user: User, problem: ErrorResponse? = nil) -> PageFrame {
    let isEnrolled = user.mfa != nil
    let isTyped = if case .totp = user.mfa { true } else { false }
    let content: HTML =
      if case .totp = user.mfa {
        """
        <p class="who">\(user.username)</p>
        <p>Enter the code from your authenticator app.</p>
        \(PageField(label: "Code", name: "otc", autocomplete: "one-time-code", limit: 6, hasFocus: true, isInvalid: problem != nil, keyboard: "numeric").html)\(row(main: "Verify"))
        """
      } else {
        """
        <p class="who">\(user.username)</p>
        <p>\(isEnrolled ? "Open your authenticator app and enter this number." : "Your organization requires more information to keep your account secure. Set up an authenticator app with this number.")</p>
        <p class="number">\(matchingNumber)</p>
        <p class="hint">These buttons simulate the authenticator app.</p>
        <div class="row"><button class="main" type="submit" name="mfa" value="approve" autofocus>Approve</button><button type="submit" name="mfa" value="deny">Deny</button><button type="submit" name="cancel" value="true" formnovalidate>Cancel</button></div>
        """
      }
    return PageFrame(
      screen: .mfa,
      title: !isEnrolled ? "More information required" : isTyped ? "Enter code" : "Approve sign-in request",
      code: problem?.label,
      problem: problem?.message, content: content)
  }

  /// The number for number matching. The number stays the same during a sign-in, but differs between sign-ins.
  private var matchingNumber: String {
    let digits = OpaqueTokenCipher.pseudonym("number", flow.binding, String(flow.startedAt.secondsSince1970)).utf8
    return String(10 + digits.reduce(0) { ($0 &* 31 &+ Int($1)) % 90 })
  }

  mutating func handleFactor(_ form: Parameters) throws(Interruption) {
    guard let account = flow.accountID.flatMap({ account($0) }) else { throw .error(ErrorResponse(50089)) }
    switch account.user.mfa {
    case .totp(let seed):
      guard OneTimeCode.verifies(form["otc"]?.trimmingSpaces() ?? "", seed: seed, at: exchange.now) else {
        throw .page(
          factorPage(
            for: account.user, problem: ErrorResponse(500121, "The code is incorrect. Enter the current code.")))
      }
    default:
      guard form["mfa"] == "approve" else {
        throw .error(ErrorResponse(500121, "The sign-in request was denied."))
      }
      if account.user.mfa == nil {
        platform.withState { $0.changeAccount(account.user.id) { $0.mfa = .push } }
      }
    }
    flow.factorAt = exchange.now
  }
}
