import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// Exchanges a refresh token for new tokens: which one, where, what its refusal means.
struct RefreshTokenRedemption: Sendable {
  let parts: RequestDependencies
  let account: Account
  let context: RequestContext
  let requestAuthority: Authority
  let cloud: CloudRecord
  let reason: Telemetry.RefreshReason
  /// Of the silent call, from before it looked into the cache.
  let ticket: RequestCoalescer<RedemptionKey, TokenResult>.Ticket

  func run() async throws(MSALError) -> TokenResult {
    let key = RedemptionKey(
      store: parts.storeIdentity, clientID: parts.configuration.clientID, account: account.identifier,
      authority: context.authority.url, scopes: context.scopes.scopes.map { $0.lowercased() }.sorted(),
      claims: context.claims, extra: context.extraQueryParameters, checksUserInfo: context.checksUserInfo)
    let (outcome, source) = await parts.process.redemptions.run(key, since: ticket) {
      () async throws(MSALError) -> TokenResult in
      try await chooseAndRedeem()
    }
    guard source == .shared else { return try outcome.get() }
    parts.trace.recordDecision(
      "refreshToken", "shared", reason: "the same request was under way; its answer serves this one as well")
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

  private func chooseAndRedeem() async throws(MSALError) -> TokenResult {
    guard let choice = try RefreshTokenSelection(parts: parts, account: account, cloud: cloud).first() else {
      parts.trace.recordDecision(
        "refreshToken", "none", reason: "neither the app nor a family of apps has one for this account")
      throw MSALError(.interactionRequired, "no refresh token is cached for \(account.username): sign in")
    }
    return try await redeem(choice)
  }

  /// Redeems, and where the app's own token is refused tries the family's, if it is another one.
  private func redeem(_ candidate: RefreshTokenSelection.Candidate) async throws(MSALError) -> TokenResult {
    let headers = parts.headers(correlationID: context.correlationID, account: account)
    let metadata = try await parts.providers.metadata(of: context.authority, headers: headers)
    try guardCloud(metadata)
    let refused: MSALError
    do {
      return try await send(candidate, metadata)
    } catch {
      refused = try afterRefusal(of: candidate, error)
    }
    guard !candidate.isFamilys,
      let other = try RefreshTokenSelection(parts: parts, account: account, cloud: cloud).family(),
      other.record.secret != candidate.record.secret
    else { throw ErrorMapping.interactionRequired(because: refused) }
    parts.trace.recordDecision(
      "refreshToken", "try the family's", reason: "the app's own was refused: \(refused.message)")
    do {
      return try await send(other, metadata)
    } catch {
      throw ErrorMapping.interactionRequired(because: try afterRefusal(of: other, error))
    }
  }

  /// Does what a refusal demands of the cache.
  /// - Returns: the refusal, where the user must be asked.
  /// - Throws: what surfaces as it is.
  private func afterRefusal(
    of candidate: RefreshTokenSelection.Candidate, _ error: MSALError
  ) throws(MSALError) -> MSALError {
    guard error.oauthError != nil, error.code != .serverDeclinedScopes else { throw error }
    parts.trace.recordDecision(
      "refreshToken", "refused", reason: error.message, ["suberror": TraceValue(error.suberror)])
    RefreshErrorCleanup(parts: parts, account: account, cloud: cloud).clean(up: candidate, after: error)
    guard ErrorMapping.surfacesFromRefresh(error) else { return error }
    var error = error
    if error.code == .serverProtectionPoliciesRequired, error.homeAccountID == nil {
      error.homeAccountID = account.identifier
    }
    throw error
  }

  /// A refresh token never goes to a host outside its cloud. Other issuers have no cloud: their metadata decides.
  private func guardCloud(_ metadata: ProviderMetadata) throws(MSALError) {
    guard context.authority.kind != .oidc else { return }
    let host = URLReference(metadata.tokenEndpoint).host ?? ""
    guard !cloud.contains(host), host != context.authority.host else { return }
    parts.trace.recordDecision("refreshToken", "withheld", reason: "the token endpoint \(host) is not of this cloud")
    throw MSALError(
      .interactionRequired, "the token endpoint is on \(host), outside the cloud of \(context.authority.environment)")
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
    if let throttled = parts.throttling.answer(for: request, now: parts.world.clock.now) {
      parts.trace.recordDecision(
        "throttling", "answered", reason: "the same request failed a moment ago; it is not sent again yet")
      throw throttled.attempted(request.sent, correlationID: context.correlationID)
    }
    let tokens: TokenResponse
    do {
      tokens = try await parts.tokenEndpoint.redeem(request)
    } catch {
      throttle(error, request)
      throw error.attempted(request.sent, correlationID: context.correlationID)
    }
    do {
      let checked = try await check(tokens, metadata)
      let subject = if let checked { checked.claims["sub"]?.string } else { try cachedSubject() }
      let userInfo = try await parts.userInfo(context, metadata, subject: subject, accessToken: tokens.accessToken)
      parts.telemetry.recordSuccess()
      var result = try parts.intake.take(
        TokenResponseProcessor.Answer(
          tokens: tokens, idToken: checked, cloud: cloud, requestAuthority: requestAuthority,
          authority: context.authority, source: .refreshToken, account: account,
          refreshToken: candidate.record.secret, userInfo: userInfo),
        for: context)
      result.sent = request.sent
      return result
    } catch {
      // What the keys' or the userinfo endpoint did says nothing about the redemption.
      if error.code == .serverDeclinedScopes { throttle(error, request) }
      throw error.attempted(request.sent, correlationID: context.correlationID)
    }
  }

  /// Other issuers refuse what was not granted with the refresh token (RFC 6749 §6), also of OpenID Connect's own scopes.
  /// A record that names none of those was made of an answer without a scope, which granted all (§5.1).
  private func scope(for record: RefreshTokenRecord) -> String {
    let granted = ScopeSet(record.target)
    guard context.authority.kind == .oidc, granted.contains("openid") else { return context.tokenScope }
    return context.scopes.union(ScopeSet(ScopeSet.openIDConnect.scopes.filter(granted.contains))).text
  }

  private func throttle(_ error: MSALError, _ request: TokenEndpoint.Request) {
    guard let rest = parts.throttling.record(error, of: request, now: parts.world.clock.now) else { return }
    parts.trace.recordDecision(
      "throttling", "remembered",
      reason: "the same request is not sent again before \(rest.until.rfc3339())"
        + (rest.endsWithSignIn ? ", or until the user signs in" : ""))
  }

  private func cachedSubject() throws(MSALError) -> String? {
    let before = try parts.contents().idToken(
      homeAccountID: account.identifier, environments: cloud.aliases, clientID: parts.configuration.clientID,
      realm: context.authority.realm)
    return before.flatMap { UnverifiedJWT.looseClaims(of: $0.record.secret.reveal())?["sub"]?.string }
  }

  /// A new ID token must be of the same user and provider (OpenID Connect Core §12.2).
  private func check(
    _ tokens: TokenResponse, _ metadata: ProviderMetadata
  ) async throws(MSALError) -> ValidatedIDToken? {
    guard let idToken = tokens.idToken else { return nil }
    return try await parts.verification.check(
      idToken, of: metadata, headers: parts.headers(correlationID: context.correlationID, account: account),
      expecting: IDTokenValidationParameters(
        issuer: metadata.issuer, clientID: parts.configuration.clientID, nonce: .noneWasSent,
        accessToken: tokens.accessToken, subject: try cachedSubject(), now: parts.world.clock.now))
  }
}
