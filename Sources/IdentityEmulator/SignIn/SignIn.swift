import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

/// A processor for one request in a sign-in flow. It returns the next page or the final response.
///
/// The steps in `Steps/` run in order and do not call each other. If a step's requirement is met, the next step runs.
/// Otherwise, the step throws an `Interruption` with a page or an error. When the user submits the page's form, the
/// same step processes the form and records the result in the flow.
struct SignIn {
  let platform: Platform
  let exchange: EmulatorRequest
  var flow: SignInFlow
  let request: AuthorizeRequest
  /// The session cookie to set after an account has signed in.
  private var sessionCookie: String?

  init(platform: Platform, exchange: EmulatorRequest, flow: SignInFlow, request: AuthorizeRequest) {
    self.platform = platform
    self.exchange = exchange
    self.flow = flow
    self.request = request
  }

  /// Whether a control request approved this sign-in, including consent.
  var isApprovedByControl = false

  /// The result of a step whose requirement is not met.
  enum Interruption: Error {
    /// A page to show.
    case page(PageFrame)
    /// An error that ends the flow, as a redirect to the app or as an error page.
    case error(ErrorResponse)
    /// The user canceled.
    case canceled
    /// Any other response.
    case response(ResponseMessage)
  }

  var isSilent: Bool { request.prompt == "none" }
  var isB2C: Bool { request.realm.policy != nil }
  var policyName: String { request.realm.policy?.lowercased() ?? "" }

  /// Runs the steps until a step shows a page or the sign-in is complete.
  mutating func advance() -> ResponseMessage {
    exchange.decisionLog.record(client: request.client.appId, scopes: request.scopeText)
    var response: ResponseMessage
    do throws(Interruption) {
      try runSteps()
      response = finish()
    } catch {
      response = self.response(to: error)
    }
    if let name = flow.accountID.flatMap({ account($0) })?.user.username ?? flow.username {
      exchange.decisionLog.record(user: name)
    }
    if let sessionCookie {
      SessionCookies.set(
        SessionCookies.sessionName(for: request.realm), sessionCookie,
        maxAge: isPersistent ? platform.lifetimes.session : nil, on: exchange, in: &response)
    }
    return response
  }

  private mutating func runSteps() throws(Interruption) {
    let log = exchange.decisionLog
    if try runUserFlow() {
      sessionCookie = updateSession()
      return
    }
    try chooseAccount()
    let member = try checkAccount()
    log.check("account", "\(member.account.user.username) can sign in to this tenant")
    try requireValidPassword(member)
    try satisfyPolicies(member)
    log.check("policies", "met")
    try promptToStaySignedIn(member)
    // The user is authenticated, so the emulator saves the session even if the user declines consent.
    sessionCookie = updateSession()
    try requestConsent(member)
    log.check("consent", isB2C ? "not required in a user flow" : "granted")
  }

  func response(to interruption: Interruption) -> ResponseMessage {
    switch interruption {
    case .page(let frame): return page(frame)
    case .response(let response):
      stopWaiting()
      return response
    case .canceled:
      stopWaiting()
      if flow.userCode != nil { return declineDevice() }
      if isB2C {
        return AuthorizeResponse.sendError(
          .b2c(90091, "The user canceled the user flow."), to: request.address,
          exchange: exchange)
      }
      return AuthorizeResponse.sendCancellation(request.address, exchange: exchange)
    case .error(let errorResponse):
      stopWaiting()
      // Errors in silent requests are always returned to the app, because the redirect URI has already been validated.
      if errorResponse.staysOnPage && !isSilent || flow.userCode != nil {
        return ErrorPage.response(for: errorResponse, to: exchange)
      }
      return AuthorizeResponse.sendError(errorResponse, to: request.address, exchange: exchange)
    }
  }

  /// Returns a page whose form contains the encrypted flow.
  private func page(_ frame: PageFrame) -> ResponseMessage {
    exchange.decisionLog.record(.showedPage(frame.screen), reason: frame.problem)
    var frame = frame
    var flow = flow
    flow.screen = frame.screen
    frame.action = exchange.base + flow.prefix + "/login"
    frame.hidden.append(
      ("flow", OpaqueTokenCipher.seal(flow.json, for: .signInFlow, randomness: platform.randomness)))
    wait(on: &frame)
    var response = ResponseBuilder.page(frame.text, to: exchange, script: frame.script == nil ? nil : .own)
    SessionCookies.set(
      SessionCookies.binding, flow.binding, maxAge: nil, goesEverywhere: false, on: exchange, in: &response)
    return response
  }

  /// Throws an interruption that shows a page or, in a silent request, returns an error.
  func show(_ frame: @autoclosure () -> PageFrame, orSilentError errorResponse: @autoclosure () -> ErrorResponse)
    throws(Interruption)
  {
    if isSilent { throw .error(errorResponse()) }
    throw .page(frame())
  }

  // MARK: Helpers

  func account(_ id: String) -> GraphState.Account? { platform.withState { $0.graph.account(id) } }

  /// Returns the accounts in the browser's session that are valid for this request.
  func sessionEntries() -> [BrowserSession.Entry] {
    guard let id = SessionCookies.sessionID(exchange, realm: request.realm) else { return [] }
    let now = exchange.now
    let lifetime = platform.lifetimes.session
    return platform.withState { state in
      guard let session = state.sessions[id],
        session.startedAt + (session.isPersistent ? lifetime : min(lifetime, BrowserSession.nonpersistentLifetime))
          > now
      else { return [] }
      return session.entries.filter { entry in
        guard let account = state.graph.account(entry.accountID) else { return false }
        return accepts(account)
      }
    }
  }

  /// Whether the authority supports this kind of account.
  func accepts(_ account: GraphState.Account) -> Bool {
    let isPersonal = account.homeTenantID == Tenant.personalID
    // Only the public cloud supports personal accounts.
    if isPersonal, !exchange.cloud.hasPersonalAccounts { return false }
    // In the live service, a domain name in `domain_hint` only preselects accounts, so the emulator ignores domain
    // names.
    if request.domainHint == "consumers", !isPersonal { return false }
    if request.domainHint == "organizations", isPersonal { return false }
    switch request.realm.kind {
    case .common:
      if request.client.effectiveAudience == .multipleOrgs { return !isPersonal }
      if request.client.effectiveAudience == .personal { return isPersonal }
      return true
    case .organizations: return !isPersonal
    case .consumers: return isPersonal
    case .tenant: return true
    }
  }

  /// Returns the ID of the tenant that the account signs in to.
  func tenantID(for account: GraphState.Account) -> String {
    request.realm.tenantID ?? account.homeTenantID
  }
}
