import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

/// One step of a sign-in: it looks at how far the flow has come and answers with the next page, or with its end.
///
/// Steps never call one another. Each either is content, and the next one looks, or shows its page, or refuses; what a
/// page sends back is taken by the same step, which notes what was proven in the flow.
struct SignIn {
  let platform: Platform
  let exchange: EmulatorRequest
  var flow: SignInFlow
  let request: AuthorizeRequest
  /// The session's cookie, once somebody is signed in here.
  private var sessionCookie: String?

  init(platform: Platform, exchange: EmulatorRequest, flow: SignInFlow, request: AuthorizeRequest) {
    self.platform = platform
    self.exchange = exchange
    self.flow = flow
    self.request = request
  }

  /// Why a step does not let the flow go on.
  enum Interruption: Error {
    /// Show this page.
    case page(PageFrame)
    /// End with this error: to the app, or as a page where it stays there.
    case refusal(ErrorResponse)
    /// The user went back.
    case cancelled
    /// Any other answer, already made.
    case answer(ResponseMessage)
  }

  var isSilent: Bool { request.prompt == "none" }
  var isB2C: Bool { request.realm.policy != nil }
  var policyName: String { request.realm.policy?.lowercased() ?? "" }

  /// Goes on until a page has to be shown, or the end is reached.
  mutating func advance() -> ResponseMessage {
    exchange.audit.note(client: request.client.appId, scopes: request.scopeText)
    var response: ResponseMessage
    do throws(Interruption) {
      try runSteps()
      response = finish()
    } catch {
      response = answer(error)
    }
    if let name = flow.accountID.flatMap({ account($0) })?.user.username ?? flow.username {
      exchange.audit.note(user: name)
    }
    if let sessionCookie {
      SessionCookies.set(
        SessionCookies.sessionName(for: request.realm), sessionCookie,
        maxAge: isKept ? platform.lifetimes.session : nil, on: exchange, in: &response)
    }
    return response
  }

  private mutating func runSteps() throws(Interruption) {
    if try startsUserFlow() {
      sessionCookie = remember()
      return
    }
    try chooseAccount()
    let member = try admitAccount()
    try demandValidPassword(member)
    try satisfyPolicies(member)
    try askToStay(member)
    // Who the user is, is settled here; the browser knows it even if the app is refused next.
    sessionCookie = remember()
    try askConsent(member)
  }

  func answer(_ interruption: Interruption) -> ResponseMessage {
    switch interruption {
    case .page(let frame): return page(frame)
    case .answer(let response): return response
    case .cancelled:
      if flow.userCode != nil { return declineDevice() }
      if isB2C {
        return AuthorizeResponse.refuse(
          .b2c(90091, "The user has cancelled entering self-asserted information."), to: request.address,
          exchange: exchange)
      }
      return AuthorizeResponse.cancelled(request.address, exchange: exchange)
    case .refusal(let refusal):
      // Silent requests are never answered with a page once the redirect URI is known to be good.
      if refusal.staysOnPage && !isSilent || flow.userCode != nil { return ErrorPage.answer(refusal, to: exchange) }
      return AuthorizeResponse.refuse(refusal, to: request.address, exchange: exchange)
    }
  }

  /// The page with the flow in its form.
  private func page(_ frame: PageFrame) -> ResponseMessage {
    exchange.audit.note("showed the page \(frame.screen?.rawValue ?? "")", reason: frame.complaint)
    var frame = frame
    var flow = flow
    flow.screen = frame.screen
    frame.action = exchange.base + flow.prefix + "/login"
    frame.hidden.append(
      ("flow", OpaqueTokenCipher.seal(flow.json, for: .signInFlow, randomness: platform.randomness)))
    var response = ResponseBuilder.page(frame.text, to: exchange)
    SessionCookies.set(
      SessionCookies.binding, flow.binding, maxAge: nil, goesEverywhere: false, on: exchange, in: &response)
    return response
  }

  /// A silent request cannot show a page: it ends with this error instead.
  func show(_ frame: @autoclosure () -> PageFrame, orSilently refusal: @autoclosure () -> ErrorResponse)
    throws(Interruption)
  {
    if isSilent { throw .refusal(refusal()) }
    throw .page(frame())
  }

  // MARK: What the steps ask

  func account(_ id: String) -> GraphState.Account? { platform.withState { $0.graph.account(id) } }

  /// The entries of the browser's session that this request may use.
  func sessionEntries() -> [BrowserSession.Entry] {
    guard let id = SessionCookies.sessionID(exchange, realm: request.realm) else { return [] }
    let now = exchange.now
    let lifetime = platform.lifetimes.session
    return platform.withState { state in
      guard let session = state.sessions[id],
        session.startedAt + (session.isKept ? lifetime : min(lifetime, BrowserSession.unkeptLifetime)) > now
      else { return [] }
      return session.entries.filter { entry in
        guard let account = state.graph.account(entry.accountID) else { return false }
        return admits(account)
      }
    }
  }

  /// Whether accounts of that kind can be used with the authority at all.
  func admits(_ account: GraphState.Account) -> Bool {
    let isPersonal = account.homeTenantID == Tenant.personalID
    // Personal accounts live in the public cloud only.
    if isPersonal, !exchange.cloud.hasPersonalAccounts { return false }
    // `domain_hint` narrows it down; a domain's name only preselects on the real platform, so it narrows nothing here.
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

  /// The tenant that the account is signed in to.
  func tenantID(for account: GraphState.Account) -> String {
    request.realm.tenantID ?? account.homeTenantID
  }
}
