import AppRegistration
import Documents
import Effects
import IdentityPlatform
import OAuth
import OrderedCollections
import PublicClient
import RunTrace
import WorkflowModel

extension StepPerformer {
  func silent(
    _ step: Silent, _ performance: StepInvocation, _ app: AppClient
  ) async throws(UnresolvedValue) -> StepReport {
    let account: PublicClient.Account?
    switch try self.account(step.token, performance, app) {
    case .success(let found): account = found
    case .failure(let error): return report(error)
    }
    var parameters = SilentParameters(try token(step.token, performance, app, account, mayLackAccount: true))
    parameters.forceRefresh = try step.forceRefresh?.resolved(in: performance.scope) ?? false
    parameters.allowUsingLocalCachedRtWhenSsoExtFailed =
      try step.allowUsingLocalCachedRtWhenSsoExtFailed?.resolved(in: performance.scope) ?? true
    if !parameters.allowUsingLocalCachedRtWhenSsoExtFailed {
      trace.recordDecision(
        "ssoExtension", "none",
        reason: "no SSO extension is available, so the cached refresh token can be used")
    }
    do throws(MSALError) {
      return report(try await app.application.acquireTokenSilent(parameters), app)
    } catch {
      return report(error)
    }
  }

  func interactive(
    _ step: Interactive, _ performance: StepInvocation, _ app: AppClient
  ) async throws(UnresolvedValue) -> StepReport {
    let scope = performance.scope
    let account: PublicClient.Account?
    switch try self.account(step.token, performance, app) {
    case .success(let found): account = found
    case .failure(let error): return self.report(error)
    }
    var parameters = InteractiveParameters(try token(step.token, performance, app, account, isInteractive: true))
    parameters.promptType = Self.prompts[try step.prompt?.resolved(in: scope) ?? .ifNecessary] ?? .promptIfNecessary
    parameters.loginHint = try step.loginHint?.resolved(in: scope)
    parameters.domainHint = try step.domainHint?.resolved(in: scope)
    parameters.extraScopesToConsent = try step.extraScopesToConsent?.resolved(in: scope) ?? []
    parameters.preferredAuthMethod = try step.preferredAuthMethod?.resolved(in: scope) == .qrPIN ? .qrPIN : .none
    parameters.maxAge = try step.maxAge?.resolved(in: scope)
    let webview = try webview(step.webview, performance, app)
    let isEphemeral = try step.prefersEphemeralWebBrowserSession?.resolved(in: scope) ?? false
    if let shown = WebviewParameters(webview, prefersEphemeralWebBrowserSession: isEphemeral) {
      parameters.webview = shown
    } else {
      parameters.webview.hasParentViewController = false
    }
    if try step.parentViewController?.resolved(in: scope) == false {
      parameters.webview.hasParentViewController = false
    }
    var report: StepReport
    do throws(MSALError) {
      report = self.report(try await app.application.acquireToken(parameters), app)
    } catch {
      report = self.report(error)
    }
    report.facts["webview"] = .string((isEphemeral && webview == .standard ? .ephemeral : webview).rawValue)
    return report
  }

  /// Returns the web view parameters for a page, from the step or from the app's settings.
  func webview(
    _ step: Resolvable<WebviewType>?, _ performance: StepInvocation, _ app: AppClient
  ) throws(UnresolvedValue) -> WebviewType {
    try step?.resolved(in: performance.scope) ?? WebviewType(rawValue: app.settings.webviewType.rawValue) ?? .standard
  }

  private static let prompts: [Interactive.Prompt: PromptType] = [
    .ifNecessary: .promptIfNecessary, .selectAccount: .selectAccount, .login: .login, .consent: .consent,
    .create: .create, .never: .never,
  ]

  func deviceCode(
    _ step: DeviceCode, _ performance: StepInvocation, _ app: AppClient
  ) async throws(UnresolvedValue) -> StepReport {
    let trace = self.trace
    let clock = setup.world.clock
    let account: PublicClient.Account?
    switch try self.account(step.token, performance, app) {
    case .success(let found): account = found
    case .failure(let error): return report(error)
    }
    let parameters = DeviceCodeParameters(try token(step.token, performance, app, account)) { prompt in
      var facts: OrderedDictionary<String, TraceValue> = [
        "userCode": TraceValue(prompt.userCode), "verificationUri": TraceValue(prompt.verificationURI),
        "until": TraceValue((clock.now + prompt.expiresIn).rfc3339(fractionDigits: 3)),
      ]
      if let complete = prompt.verificationURIComplete { facts["verificationUriComplete"] = TraceValue(complete) }
      trace.recordDecision("deviceCode", "shown", reason: prompt.message, facts)
    }
    do throws(MSALError) {
      return report(try await app.application.acquireTokenByDeviceCode(parameters), app)
    } catch {
      return report(error)
    }
  }

  /// Returns the parameters that all token requests have in common. An interactive request has an account only if the
  /// step specifies one, because any user can sign in after "no account found". A silent request has no account if the
  /// account was removed. In an app, MSAL then returns nil for the account without an error, and `acquireTokenSilent`
  /// fails with `interactionRequired`.
  private func token(
    _ step: WorkflowModel.TokenParameters, _ performance: StepInvocation, _ app: AppClient,
    _ account: PublicClient.Account?, isInteractive: Bool = false, mayLackAccount: Bool = false
  ) throws(UnresolvedValue) -> PublicClient.TokenParameters {
    let scope = performance.scope
    var parameters = PublicClient.TokenParameters(scopes: try step.scopes?.resolved(in: scope) ?? app.settings.scopes)
    if let name = try step.account?.resolved(in: scope) {
      parameters.account = account
      guard parameters.account != nil || mayLackAccount else {
        throw UnresolvedValue(
          "no account `\(name)` in this app", help: "sign in this account first, or check the name",
          at: step.account?.place)
      }
    } else if !isInteractive || performance.step.isFallback {
      parameters.account = app.account
    }
    parameters.authority = try authority(step.authority, performance, app)
    // Static checks report unsupported schemes, but a value that is resolved only at run time can still contain an
    // unsupported scheme.
    _ = try step.authenticationScheme?.resolved(in: scope)
    parameters.checksUserInfo = try step.userinfo?.resolved(in: scope) ?? false
    let written = try step.claims?.resolved(in: scope)
    do throws(ClaimsRequestFailure) {
      var claims = try written.map { json throws(ClaimsRequestFailure) in try ClaimsRequest(json) } ?? ClaimsRequest()
      if let challenge = performance.challengeClaims { claims = claims.adding(try ClaimsRequest(challenge)) }
      if claims.hasClaims { parameters.claimsRequest = claims }
    } catch {
      throw UnresolvedValue("cannot send the claims: \(error.reason)", at: step.claims?.place)
    }
    for (name, value) in try step.extraQueryParameters?.resolved(in: scope) ?? [:] {
      parameters.extraQueryParameters.append(name, value)
    }
    parameters.correlationID = try step.correlationId?.resolved(in: scope)
    return parameters
  }

  /// Returns the authority of a request, or nil to use the application's authority.
  func authority(
    _ written: Resolvable<String>?, _ performance: StepInvocation, _ app: AppClient
  ) throws(UnresolvedValue) -> Authority? {
    guard let text = try written?.resolved(in: performance.scope) else { return nil }
    do {
      return try Authority(parsing: text, forAppOf: app.settings.authority.kind)
    } catch {
      throw UnresolvedValue("\"\(text)\": \(error.message)", at: written?.place)
    }
  }

  /// Returns the account of a request. If the cache cannot be read, returns the same error as MSAL.
  private func account(
    _ step: WorkflowModel.TokenParameters, _ performance: StepInvocation, _ app: AppClient
  ) throws(UnresolvedValue) -> Result<PublicClient.Account?, MSALError> {
    guard let name = try step.account?.resolved(in: performance.scope) else { return .success(nil) }
    do throws(MSALError) {
      return .success(try account(named: name, app))
    } catch {
      return .failure(error)
    }
  }

  /// Finds an account by identifier or username.
  /// - Throws: An error if the cache cannot be read.
  func account(named name: String, _ app: AppClient) throws(MSALError) -> Account? {
    if let account = app.account, account.identifier == name || account.username.lowercased() == name.lowercased() {
      return account
    }
    // A blank name does not match any account.
    guard !name.allSatisfy(\.isWhitespace) else { return nil }
    if let account = try app.application.account(identifier: name) { return account }
    return try app.application.account(username: name)
  }

  private func report(_ result: TokenResult, _ app: AppClient) -> StepReport {
    app.remember(result)
    setup.takeToken?(result)
    var facts: OrderedDictionary<String, JSON> = [
      "$": result.json, "tokenSource": .string(result.source.rawValue),
      "scopes": .array(result.scopes.map { .string($0) }), "idToken": result.idTokenClaims,
      "account": result.account.json, "screens": .array(result.screens.map { .string($0) }),
    ]
    if let sent = result.sent { facts["sent"] = sent.json }
    return StepReport(.success, facts: facts)
  }

  func report(_ error: MSALError) -> StepReport {
    var facts: OrderedDictionary<String, JSON> = ["error": error.facts]
    if let sent = error.sent { facts["sent"] = sent.json }
    facts["screens"] = .array(error.screens.map { .string($0) })
    if let result = error.invalidResult {
      facts["$"] = result.json
      facts["scopes"] = .array(result.scopes.map { .string($0) })
      facts["account"] = result.account.json
    }
    if let claims = error.claims ?? error.underlying?.claims, let json = try? JSON(parsing: Array(claims.utf8)) {
      facts["challenge"] = json
    }
    return StepReport(OutcomeName(error), facts: facts)
  }
}

extension WebviewParameters {
  /// Creates the parameters for a web view type. Returns nil for the type that has no parameters.
  init?(_ type: WorkflowModel.WebviewType, prefersEphemeralWebBrowserSession: Bool) {
    guard type != .none else { return nil }
    self.init(
      type: WebviewType(rawValue: type.rawValue) ?? .default,
      prefersEphemeralWebBrowserSession: prefersEphemeralWebBrowserSession || type == .ephemeral)
  }
}

extension MSALError {
  /// The value of the result field `error` in the workflow language.
  var facts: JSON {
    var facts: JSON = ["msal": .string(internalSymbol ?? symbol), "description": .string(message)]
    // A system error, such as a network error, has a code in its own domain.
    if let number = code?.rawValue ?? system?.code { facts["msalCode"] = .integer(Int64(number)) }
    if let internalCode { facts["internalCode"] = .integer(Int64(internalCode)) }
    if let oauthError { facts["oauth"] = .string(oauthError) }
    if let suberror { facts["suberror"] = .string(suberror) }
    if let serverCode { facts["code"] = .string(serverCode) }
    if let declinedScopes { facts["declinedScopes"] = .array(declinedScopes.map { .string($0) }) }
    if let grantedScopes { facts["grantedScopes"] = .array(grantedScopes.map { .string($0) }) }
    if let httpStatus { facts["httpStatus"] = .integer(Int64(httpStatus)) }
    if isThrottlingCacheHit { facts["throttled"] = true }
    if let correlationID { facts["correlationId"] = .string(correlationID) }
    facts["userInfo"] = userInfo
    return facts
  }
}
