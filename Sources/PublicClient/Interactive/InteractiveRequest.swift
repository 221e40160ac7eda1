import Documents
import Effects
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// `acquireToken`: an interactive request with a sign-in page.
struct InteractiveRequest: Sendable {
  let parts: RequestDependencies
  let parameters: InteractiveParameters

  func run() async throws(MSALError) -> TokenResult {
    let correlationID = parameters.token.correlationID ?? parts.world.randomness.uuid()
    do {
      try checkWebview()
      return try await parts.process.session.only { () async throws(MSALError) -> TokenResult in
        do throws(MSALError) {
          return try await acquire(correlationID)
        } catch {
          parts.telemetry.recordFailure(.interactive, correlationID: correlationID, error)
          throw error
        }
      }
    } catch {
      throw error.withContext(nil, correlationID: correlationID)
    }
  }

  private func checkWebview() throws(MSALError) {
    guard parameters.webview.hasParentViewController else {
      throw MSALError(.invalidDeveloperParameter, "the sign-in page requires a view controller in a window")
    }
  }

  private func acquire(_ correlationID: String) async throws(MSALError) -> TokenResult {
    let authority = try parts.requestAuthority(parameters.token.authority)
    let context = try RequestContext(
      parameters.token, authority: authority, configuration: parts.configuration, correlationID: correlationID)
    guard let registeredURI = parts.redirectURI else {
      throw MSALError(.invalidDeveloperParameter, "an interactive request requires a redirect URI")
    }
    let headers = parts.headers(
      correlationID: correlationID, account: parameters.token.account, loginHint: parameters.loginHint)
    let cloud = try await parts.resolver.resolve(authority, headers: headers)
    let metadata = try await parts.providers.metadata(of: authority, headers: headers)
    let redirectURI = await parts.browser.redirectURI(for: registeredURI)
    let prompt = try prompt()
    func authorizeRequest() -> AuthorizeRequest {
      AuthorizeRequest(
        endpoint: cloud.networkURL(metadata.authorizationEndpoint).text, redirectURI: redirectURI,
        parameters: parameters, prompt: prompt, context: context, parts: parts)
    }
    var request = authorizeRequest()
    traceUnsupportedPKCE(metadata)
    var visit = await visit(request)
    if case .redirected(let url) = visit.result, DeviceRedirect.completesEnrollment(url) {
      parts.trace.recordDecision(
        "redirect", "enrolled", reason: "the device is enrolled; MSAL restarts the sign-in without a broker")
      let screens = visit.screens
      request = authorizeRequest()
      visit = await self.visit(request)
      visit.screens = screens + visit.screens
    }
    let sent = SentRequest(url: request.url)
    do {
      let redirect = try RedirectResponse(
        outcome: visit, request: request, metadata: metadata, trace: parts.trace
      ).validated()
      var result = try await AuthorizationCodeRedemption(
        parts: parts, context: context, cloud: cloud, metadata: metadata, request: request, maxAge: parameters.maxAge
      ).run(redirect)
      parts.telemetry.recordSuccess()
      parts.throttling.recordSignIn(now: parts.world.clock.now)
      result.sent = sent.withHeaders(of: result.sent)
      result.screens = visit.screens
      return result
    } catch {
      var error = error
      error.sent = sent.withHeaders(of: error.sent)
      error.screens = visit.screens
      error.pageError = visit.pageError
      throw error
    }
  }

  /// Returns the type of prompt. After a sign-out, MSAL forces a new sign-in, unless the app requests a consent page or
  /// no page.
  private func prompt() throws(MSALError) -> PromptType {
    guard let account = parameters.token.account, parameters.promptType != .consent, parameters.promptType != .never
    else {
      return parameters.promptType
    }
    let metadata = try parts.contents().accountMetadata(clientID: parts.configuration.clientID)
    guard metadata?.signInState(of: account.identifier) == .signedOut else { return parameters.promptType }
    parts.trace.recordDecision(
      "prompt", "login", reason: "\(account.username) signed out of this app and must sign in again")
    return .login
  }

  /// Records that the request uses S256 even though the provider does not declare support for S256. A weaker method
  /// would let an attacker use stolen codes (RFC 7636 §7.2).
  private func traceUnsupportedPKCE(_ metadata: ProviderMetadata) {
    guard let methods = metadata.json["code_challenge_methods_supported"]?.array?.compactMap(\.string),
      !methods.contains(PKCE.Method.s256.rawValue)
    else { return }
    parts.trace.recordDecision("pkce", "S256", reason: "the provider declares only \(methods), which is weaker")
  }

  private func visit(_ request: AuthorizeRequest) async -> BrowserOutcome {
    // Mask the state first, so that the recorder also masks it in URLs.
    let state = parts.trace.mask(request.state)
    parts.trace.record(
      .interaction,
      [
        "phase": "opened", "purpose": "signIn", "url": TraceValue(request.url), "state": TraceValue(state),
        "webview": TraceValue(parameters.webview.resolvedType), "redirectUri": TraceValue(request.redirectURI),
      ])
    let outcome = await parts.browser.visit(
      BrowserVisit(
        url: request.url, redirectURI: request.redirectURI, purpose: .signIn,
        ephemeral: parameters.webview.prefersEphemeralWebBrowserSession,
        isEmbedded: parameters.webview.type == .wkWebView))
    parts.trace.record(.interaction, outcome.traceMembers(purpose: .signIn))
    return outcome
  }
}

extension WebviewParameters {
  /// The type of web view. The default is the system's authentication session.
  var resolvedType: String {
    let type = type == .default ? WebviewType.authenticationSession : type
    return prefersEphemeralWebBrowserSession ? "\(type.rawValue), ephemeral" : type.rawValue
  }
}

extension SentRequest {
  /// Returns the authorization request with the headers of the token request. Returns it unchanged if no token request
  /// was sent.
  func withHeaders(of tokenRequest: SentRequest?) -> SentRequest {
    var copy = self
    if let tokenRequest { copy.headers = tokenRequest.headers }
    return copy
  }
}
