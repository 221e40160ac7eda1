import Directory
import Effects
import GraphEmulator
import OAuth

// Sign-ins that a control request completes, for example after a click on the start page.

extension SignInFlow {
  /// The ID of the sign-in, which is the same on all of its pages.
  var id: String {
    OpaqueTokenCipher.pseudonym("sign-in", binding, FormCoding.serialize(parameters), userCode ?? "")
  }
}

extension SignIn {
  /// Records that a page of this sign-in is open, and adds the script that waits for a decision to the page.
  func wait(on frame: inout PageFrame) {
    guard platform.options.hasStartPage else { return }
    frame.script = StartPage.signInScript
    frame.hidden.append(("signin", flow.id))
    let waiting = WaitingSignIn(
      id: flow.id, clientID: request.client.appId, appName: appName, scope: request.scopeText, screen: frame.screen,
      username: flow.username ?? request.loginHint, startedAt: flow.startedAt)
    platform.withState { $0.waitingSignIns.add(waiting) }
  }

  /// Records that the sign-in has ended.
  func stopWaiting() {
    guard platform.options.hasStartPage else { return }
    platform.withState { $0.waitingSignIns.remove(flow.id) }
  }

  /// Continues after a control request's decision, as if the user had completed the page.
  mutating func resume() throws(Interruption) {
    switch platform.withState({ $0.waitingSignIns[flow.id] })?.outcome {
    case .declined: throw .canceled
    case .approved(let accountID):
      guard let account = account(accountID), accepts(account), !isB2C || isCustomer(account) else {
        throw .page(
          usernamePage(
            prefilled: nil,
            problem: ErrorResponse(50020, "You can’t sign in here with this type of account. Use another account.")))
      }
      exchange.decisionLog.check("sign-in", "approved for \(account.user.username) by a control request")
      flow.username = account.user.username
      flow.accountID = accountID
      flow.authenticatedAt = exchange.now
      flow.factorAt = exchange.now
      flow.isFresh = true
      flow.isChosen = true
      flow.staySignedIn = false
      isApprovedByControl = true
    case .waiting, nil: throw .page(usernamePage(prefilled: flow.username))
    }
  }
}
