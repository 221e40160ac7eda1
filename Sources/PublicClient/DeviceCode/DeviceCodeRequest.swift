import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace

/// The device authorization grant (RFC 8628) as in MSAL Python, with the errors of MSAL for Apple platforms.
struct DeviceCodeRequest: Sendable {
  let parts: RequestDependencies
  let parameters: DeviceCodeParameters

  func run() async throws(MSALError) -> TokenResult {
    let correlationID = parameters.token.correlationID ?? parts.world.randomness.uuid()
    do {
      return try await acquire(correlationID)
    } catch {
      parts.telemetry.recordFailure(.deviceCode, correlationID: correlationID, error)
      throw error.withContext(nil, correlationID: correlationID)
    }
  }

  private func acquire(_ correlationID: String) async throws(MSALError) -> TokenResult {
    let authority = try parts.requestAuthority(parameters.token.authority)
    let context = try RequestContext(
      parameters.token, authority: authority, configuration: parts.configuration, correlationID: correlationID)
    let plain = parts.headers(correlationID: correlationID)
    let cloud = try await parts.resolver.resolve(authority, headers: plain)
    let metadata = try await parts.providers.metadata(of: authority, headers: plain)
    let headers = parts.headers(correlationID: correlationID, telemetry: (.deviceCode, .notApplicable))
    guard let endpoint = metadata.deviceAuthorizationEndpoint else {
      throw MSALError(.unsupportedFunctionality, "\(authority.url) does not support the device code flow")
    }
    let (authorization, sent) = try await start(endpoint, metadata, context, headers)
    let polling = DeviceCodePolling(
      parts: parts, context: context, metadata: metadata, headers: headers, authorization: authorization,
      end: parts.world.clock.now + authorization.prompt.expiresIn)
    await parameters.prompt(authorization.prompt)
    let (outcome, screens) = await withBrowser(authorization.prompt) { () async -> Result<TokenResponse, MSALError> in
      do throws(MSALError) {
        return .success(try await polling.run())
      } catch {
        return .failure(error)
      }
    }
    do {
      let tokens = try outcome.get()
      let idToken = try await validateIDToken(tokens, metadata, plain)
      let userInfo = try await parts.userInfo(
        context, metadata, subject: idToken.claims["sub"]?.string, accessToken: tokens.accessToken)
      var result = try parts.responseProcessor.process(
        ValidatedTokenResponse(
          tokens: tokens, idToken: idToken, cloud: cloud, requestAuthority: authority, authority: authority,
          source: .deviceCode, userInfo: userInfo),
        for: context)
      parts.telemetry.recordSuccess()
      parts.throttling.recordSignIn(now: parts.world.clock.now)
      result.sent = sent
      result.screens = screens
      return result
    } catch {
      var error = error
      error.screens = screens
      error.sent = sent
      throw error
    }
  }

  /// Sends the device authorization request (RFC 8628 §3.1).
  private func start(
    _ endpoint: String, _ metadata: ProviderMetadata, _ context: RequestContext, _ headers: HTTPFields
  ) async throws(MSALError) -> (DeviceAuthorization, SentRequest) {
    // MSAL Python sends the scopes in sorted order.
    let scope = context.scopes.union(.openIDConnect).scopes.sorted().joined(separator: " ")
    var form: Parameters = ["client_id": parts.configuration.clientID, "scope": scope]
    form.append("claims", ifPresent: context.claims)
    let request = parts.tokenRequest(metadata, context, form: form, headers: headers, endpoint: endpoint)
    do throws(MSALError) {
      let response = try await parts.client.send(try parts.tokenEndpoint.message(request))
      let status = response.head.status.code
      guard [200, 400, 401].contains(status), let json = try? JSON(parsing: response.body), json.object != nil else {
        throw EndpointClient.unhandled(response)
      }
      if let oauth = OAuthError(json) {
        var error = ErrorMapping.error(oauth, at: .tokenEndpoint)
        error.httpStatus = status
        throw error
      }
      guard status == 200 else { throw EndpointClient.unhandled(response) }
      return (try DeviceAuthorization(json), request.sent)
    } catch {
      throw error.withContext(request.sent, correlationID: context.correlationID)
    }
  }

  /// Polls while the browser shows the verification page. Without a browser, the user opens the page on another device.
  private func withBrowser(
    _ prompt: DeviceCodePrompt, _ poll: @Sendable () async -> Result<TokenResponse, MSALError>
  ) async -> (Result<TokenResponse, MSALError>, [String]) {
    await withTaskGroup(of: BrowserOutcome.self) { group in
      group.addTask { await visit(prompt) }
      let outcome = await poll()
      group.cancelAll()
      let browserOutcome = await group.next()
      return (outcome, browserOutcome?.screens ?? [])
    }
  }

  private func visit(_ prompt: DeviceCodePrompt) async -> BrowserOutcome {
    let url =
      prompt.verificationURIComplete
      ?? URLReference(prompt.verificationURI).appending(["otc": prompt.userCode]).text
    parts.trace.record(
      .interaction,
      [
        "phase": "opened", "purpose": "deviceCode", "url": TraceValue(prompt.verificationURI),
        "userCode": TraceValue(prompt.userCode), "message": TraceValue(prompt.message),
      ])
    let outcome = await parts.browser.visit(BrowserVisit(url: url, redirectURI: nil, purpose: .deviceCode))
    parts.trace.record(.interaction, outcome.traceMembers(purpose: .deviceCode))
    return outcome
  }

  private func validateIDToken(
    _ tokens: TokenResponse, _ metadata: ProviderMetadata, _ headers: HTTPFields
  ) async throws(MSALError) -> ValidatedIDToken {
    try await parts.verification.checkRequired(
      in: tokens, of: metadata, headers: headers,
      expecting: IDTokenValidationParameters(
        issuer: metadata.issuer, clientID: parts.configuration.clientID, nonce: .notSent,
        accessToken: tokens.accessToken, now: parts.world.clock.now))
  }
}
