import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// The redemption of a refresh token, including its selection, the request, and error handling.
struct RefreshTokenRedemption: Sendable {
  let parts: RequestDependencies
  let account: Account
  let context: RequestContext
  let requestAuthority: Authority
  let cloud: CloudRecord
  let reason: Telemetry.RefreshReason
  /// The start of the silent call, before it searched the cache.
  let ticket: RequestCoalescer<RedemptionKey, TokenResult>.Ticket

  func run() async throws(MSALError) -> TokenResult {
    let key = RedemptionKey(
      store: parts.storeIdentity, clientID: parts.configuration.clientID, account: account.identifier,
      authority: context.authority.url, scopes: context.scopes.scopes.map { $0.lowercased() }.sorted(),
      claims: context.claims, extra: context.extraQueryParameters, checksUserInfo: context.checksUserInfo)
    let (outcome, source) = await parts.process.redemptions.run(key, since: ticket) {
      () async throws(MSALError) -> TokenResult in
      try await selectAndRedeem()
    }
    guard source == .shared else { return try outcome.get() }
    parts.trace.recordDecision(
      "refreshToken", "shared", reason: "an identical request was already running, so both use its result")
    do {
      var result = try outcome.get()
      result.correlationID = context.correlationID
      parts.trace.record(.tokenAcquired, result.traceMembers)
      return result
    } catch {
      var error = error
      error.correlationID = context.correlationID
      throw error
    }
  }

  private func selectAndRedeem() async throws(MSALError) -> TokenResult {
    guard let candidate = try RefreshTokenSelection(parts: parts, account: account, cloud: cloud).first() else {
      parts.trace.recordDecision(
        "refreshToken", "none", reason: "neither the app nor its family has a refresh token for the account")
      throw MSALError(.interactionRequired, "no refresh token is cached for \(account.username); sign in")
    }
    return try await redeem(candidate)
  }

  /// Redeems the app's refresh token. If the service rejects it, redeems the family refresh token, unless that is the
  /// same token.
  private func redeem(_ candidate: RefreshTokenSelection.Candidate) async throws(MSALError) -> TokenResult {
    let headers = parts.headers(correlationID: context.correlationID, account: account)
    let metadata = try await parts.providers.metadata(of: context.authority, headers: headers)
    try checkCloud(metadata)
    let refreshError: MSALError
    do {
      return try await send(candidate, metadata)
    } catch {
      refreshError = try handleRejection(of: candidate, error)
    }
    guard !candidate.isFamilyToken,
      let familyToken = try RefreshTokenSelection(parts: parts, account: account, cloud: cloud).family(),
      familyToken.record.secret != candidate.record.secret
    else { throw ErrorMapping.interactionRequired(after: refreshError) }
    parts.trace.recordDecision(
      "refreshToken", "family", reason: "the service rejected the app's refresh token: \(refreshError.message)")
    do {
      return try await send(familyToken, metadata)
    } catch {
      throw ErrorMapping.interactionRequired(after: try handleRejection(of: familyToken, error))
    }
  }

  /// Updates the cache after the service rejected a refresh token.
  /// - Returns: The error if the user must sign in interactively.
  /// - Throws: The error if a silent call returns it directly.
  private func handleRejection(
    of candidate: RefreshTokenSelection.Candidate, _ error: MSALError
  ) throws(MSALError) -> MSALError {
    guard error.oauthError != nil, error.code != .serverDeclinedScopes else { throw error }
    parts.trace.recordDecision(
      "refreshToken", "rejected", reason: error.message, ["suberror": TraceValue(error.suberror)])
    RefreshErrorCleanup(parts: parts, account: account, cloud: cloud).clean(up: candidate, after: error)
    guard ErrorMapping.isReturnedFromRefresh(error) else { return error }
    var error = error
    if error.code == .serverProtectionPoliciesRequired, error.homeAccountID == nil {
      error.homeAccountID = account.identifier
    }
    throw error
  }

  /// Throws an error if the refresh token would be sent outside its cloud. Other OpenID Connect providers do not have
  /// clouds.
  private func checkCloud(_ metadata: ProviderMetadata) throws(MSALError) {
    guard context.authority.kind != .oidc else { return }
    let host = URLReference(metadata.tokenEndpoint).host ?? ""
    guard !cloud.contains(host), host != context.authority.host else { return }
    parts.trace.recordDecision(
      "refreshToken", "not sent", reason: "the token endpoint \(host) does not belong to the cloud")
    throw MSALError(
      .interactionRequired,
      "the token endpoint is on \(host), which does not belong to the cloud of \(context.authority.environment)")
  }

  private func send(
    _ candidate: RefreshTokenSelection.Candidate, _ metadata: ProviderMetadata
  ) async throws(MSALError) -> TokenResult {
    var form = parts.grantForm("refresh_token", context, scope: scope(for: candidate.record))
    form.append("refresh_token", candidate.record.secret.reveal())
    form.append("redirect_uri", ifPresent: parts.redirectURI)
    let headers = parts.headers(
      correlationID: context.correlationID, account: account, telemetry: (.silent, reason))
    let request = parts.tokenRequest(metadata, context, form: form, headers: headers)
    if let throttled = parts.throttling.error(for: request, now: parts.world.clock.now) {
      parts.trace.recordDecision(
        "throttling", "not sent", reason: "an identical request just failed")
      throw throttled.withContext(request.sent, correlationID: context.correlationID)
    }
    let tokens: TokenResponse
    do {
      tokens = try await parts.tokenEndpoint.redeem(request)
    } catch {
      throttle(error, request)
      throw error.withContext(request.sent, correlationID: context.correlationID)
    }
    do {
      let idToken = try await validateIDToken(tokens, metadata)
      let subject = if let idToken { idToken.claims["sub"]?.string } else { try cachedSubject() }
      let userInfo = try await parts.userInfo(context, metadata, subject: subject, accessToken: tokens.accessToken)
      parts.telemetry.recordSuccess()
      var result = try parts.responseProcessor.process(
        ValidatedTokenResponse(
          tokens: tokens, idToken: idToken, cloud: cloud, requestAuthority: requestAuthority,
          authority: context.authority, source: .refreshToken, account: account,
          refreshToken: candidate.record.secret, userInfo: userInfo),
        for: context)
      result.sent = request.sent
      return result
    } catch {
      // Errors from the keys and userinfo endpoints do not cause throttling.
      if error.code == .serverDeclinedScopes { throttle(error, request) }
      throw error.withContext(request.sent, correlationID: context.correlationID)
    }
  }

  /// Returns the scope of the request. Other providers reject scopes that were not granted with the refresh token (RFC
  /// 6749 §6), including OpenID Connect scopes. If a record has no OpenID Connect scopes, the token response did not
  /// contain `scope`. In that case, the server granted all requested scopes (§5.1).
  private func scope(for record: RefreshTokenRecord) -> String {
    let granted = ScopeSet(record.target)
    guard context.authority.kind == .oidc, granted.contains("openid") else { return context.tokenScope }
    return context.scopes.union(ScopeSet(ScopeSet.openIDConnect.scopes.filter(granted.contains))).text
  }

  private func throttle(_ error: MSALError, _ request: TokenEndpoint.Request) {
    guard let throttled = parts.throttling.record(error, of: request, now: parts.world.clock.now) else { return }
    parts.trace.recordDecision(
      "throttling", "started",
      reason: "identical requests are not sent before \(throttled.until.rfc3339())"
        + (throttled.endsWithSignIn ? ", or until the user signs in" : ""))
  }

  private func cachedSubject() throws(MSALError) -> String? {
    let idToken = try parts.contents().idToken(
      homeAccountID: account.identifier, environments: cloud.aliases, clientID: parts.configuration.clientID,
      realm: context.authority.realm)
    return idToken.flatMap { UnverifiedJWT.looseClaims(of: $0.record.secret.reveal())?["sub"]?.string }
  }

  /// Validates a new ID token, which must have the same subject and issuer (OpenID Connect Core §12.2).
  private func validateIDToken(
    _ tokens: TokenResponse, _ metadata: ProviderMetadata
  ) async throws(MSALError) -> ValidatedIDToken? {
    guard let idToken = tokens.idToken else { return nil }
    var expected = IDTokenValidationParameters(
      issuer: metadata.issuer, clientID: parts.configuration.clientID, nonce: .notSent,
      accessToken: tokens.accessToken, now: parts.world.clock.now)
    expected.subject = try cachedSubject()
    return try await parts.verification.check(
      idToken, of: metadata, headers: parts.headers(correlationID: context.correlationID, account: account),
      expecting: expected)
  }
}
