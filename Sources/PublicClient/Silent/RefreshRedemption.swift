import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// Exchanges a refresh token for new tokens: which one, where, what its refusal means.
struct RefreshRedemption: Sendable {
  let parts: ClientParts
  let account: Account
  let context: RequestContext
  let requestAuthority: Authority
  let cloud: CloudRecord
  let reason: Telemetry.RefreshReason

  private struct Candidate: Sendable {
    var key: String
    var record: RefreshTokenRecord
    var isFamilys: Bool
  }

  func run() async throws(MSALError) -> TokenResult {
    guard let candidate = try choose() else {
      parts.trace.decide("refreshToken", "none", why: "neither the app nor a family of apps has one for this account")
      throw MSALError(.interactionRequired, "no refresh token is cached for \(account.username): sign in")
    }
    let key = SharedRedemptions.Key(
      account: account.identifier, authority: context.authority.url,
      scopes: context.scopes.scopes.map { $0.lowercased() }.sorted(), claims: context.claims,
      extra: context.extraQueryParameters)
    let (outcome, isShared) = await parts.redemptions.run(key) { () async -> Result<TokenResult, MSALError> in
      do throws(MSALError) {
        return .success(try await redeem(candidate))
      } catch {
        return .failure(error)
      }
    }
    var result = try outcome.get()
    if isShared {
      parts.trace.decide(
        "refreshToken", "shared", why: "the same request is under way; its answer serves this one as well")
      result.correlationID = context.correlationID
      parts.trace.record(.tokenAcquired, result.traceMembers)
    }
    return result
  }

  /// The app's own refresh token first, then its family's.
  private func choose() throws(MSALError) -> Candidate? {
    let contents = try parts.contents()
    let client = parts.configuration.clientID
    if let own = contents.refreshToken(
      homeAccountID: account.identifier, environments: cloud.aliases, clientID: client)
    {
      parts.trace.record(.cacheRead, ["section": "RefreshToken", "key": TraceValue(own.key), "found": true])
      parts.trace.decide("refreshToken", "own", why: "the app has a refresh token of its own")
      return Candidate(key: own.key, record: own.record, isFamilys: false)
    }
    return try family(contents)
  }

  private func family(_ contents: CacheContents) throws(MSALError) -> Candidate? {
    guard let family = contents.familyIDToTry(clientID: parts.configuration.clientID, environments: cloud.aliases)
    else {
      parts.trace.decide("refreshToken", "no family", why: "the app is known to belong to no family of apps")
      return nil
    }
    guard
      let shared = contents.familyRefreshToken(
        homeAccountID: account.identifier, environments: cloud.aliases, familyID: family)
    else { return nil }
    parts.trace.record(.cacheRead, ["section": "RefreshToken", "key": TraceValue(shared.key), "found": true])
    parts.trace.decide("refreshToken", "family \(family)", why: "an app of the same family left one")
    return Candidate(key: shared.key, record: shared.record, isFamilys: true)
  }

  /// Redeems, and where the app's own token is refused tries the family's, if it is another one.
  private func redeem(_ candidate: Candidate) async throws(MSALError) -> TokenResult {
    let headers = parts.headers(correlationID: context.correlationID, account: account)
    let metadata = try await parts.providers.metadata(of: context.authority, headers: headers)
    try guardCloud(metadata)
    let refused: MSALError
    do {
      return try await send(candidate, metadata)
    } catch {
      guard error.oauthError != nil, error.code != .serverDeclinedScopes else { throw error }
      refused = error
    }
    try clean(up: candidate, after: refused)
    if ErrorMapping.surfacesFromRefresh(refused) { throw refused }
    if !candidate.isFamilys, let other = try family(parts.contents()),
      other.record.secret != candidate.record.secret
    {
      parts.trace.decide("refreshToken", "try the family's", why: "the app's own was refused: \(refused.message)")
      do {
        return try await send(other, metadata)
      } catch {
        guard error.oauthError != nil, error.code != .serverDeclinedScopes else { throw error }
        try clean(up: other, after: error)
        throw ErrorMapping.surfacesFromRefresh(error) ? error : ErrorMapping.interactionRequired(because: error)
      }
    }
    throw ErrorMapping.interactionRequired(because: refused)
  }

  /// A refresh token never goes to a host outside its cloud.
  private func guardCloud(_ metadata: ProviderMetadata) throws(MSALError) {
    guard context.authority.kind == .aad else { return }
    let host = URLReference(metadata.tokenEndpoint).host ?? ""
    guard !cloud.contains(host), host != context.authority.host else { return }
    parts.trace.decide("refreshToken", "withheld", why: "the token endpoint \(host) is not of this cloud")
    throw MSALError(
      .interactionRequired, "the token endpoint is on \(host), outside the cloud of \(context.authority.environment)")
  }

  private func send(_ candidate: Candidate, _ metadata: ProviderMetadata) async throws(MSALError) -> TokenResult {
    var form = parts.grantForm("refresh_token", context, scope: context.tokenScope)
    form.append("refresh_token", candidate.record.secret.reveal())
    form.append("redirect_uri", ifPresent: parts.redirectURI)
    let headers = parts.headers(
      correlationID: context.correlationID, account: account, telemetry: parts.telemetry.headers(.silent, reason))
    let request = TokenEndpoint.Request(
      endpoint: metadata.tokenEndpoint, query: parts.endpointQuery(context), form: form, headers: headers)
    if let throttled = parts.throttling.answer(for: request, now: parts.world.clock.now) {
      parts.trace.decide(
        "throttling", "answered", why: "the same request failed a moment ago; it is not sent again yet")
      throw throttled.attempted(request.sent, correlationID: context.correlationID)
    }
    do {
      let tokens = try await parts.tokenEndpoint.redeem(request)
      let checked = try await check(tokens, metadata, headers)
      parts.telemetry.recordSuccess()
      var result = try parts.intake.take(
        TokenIntake.Answer(
          tokens: tokens, idToken: checked, cloud: cloud, requestAuthority: requestAuthority,
          authority: context.authority,
          source: .refreshToken, account: account, refreshToken: candidate.record.secret),
        for: context)
      result.sent = request.sent
      return result
    } catch {
      parts.telemetry.recordFailure(.silent, correlationID: context.correlationID, error)
      parts.throttling.record(error, of: request, now: parts.world.clock.now)
      throw error.attempted(request.sent, correlationID: context.correlationID)
    }
  }

  /// A new ID token must be of the same person and provider (OpenID Connect Core §12.2).
  private func check(
    _ tokens: TokenResponse, _ metadata: ProviderMetadata, _ headers: HTTPFields
  ) async throws(MSALError) -> CheckedIDToken? {
    guard let idToken = tokens.idToken else { return nil }
    let before = try parts.contents().idToken(
      homeAccountID: account.identifier, environments: cloud.aliases, clientID: parts.configuration.clientID,
      realm: context.authority.realm)
    let subject = before.flatMap { UncheckedJWT.looseClaims(of: $0.record.secret.reveal())?["sub"]?.string }
    return try await parts.verification.check(
      idToken, of: metadata, headers: headers,
      expecting: IDTokenExpectation(
        issuer: metadata.issuer, clientID: parts.configuration.clientID, nonce: .noneWasSent,
        accessToken: tokens.accessToken, subject: subject, now: parts.world.clock.now))
  }

  /// What a refusal says about the token, the family, or the account itself.
  private func clean(up candidate: Candidate, after error: MSALError) throws(MSALError) {
    let suberror = error.suberror.flatMap { Suberror(rawValue: $0.lowercased()) }
    parts.trace.decide("refreshToken", "refused", why: error.message, ["suberror": TraceValue(error.suberror)])
    let client = parts.configuration.clientID
    if candidate.isFamilys, suberror == .clientMismatch {
      try parts.updateCache(why: "the app does not belong to the family") {
        $0.leaveFamily(clientID: client, environments: cloud.aliases)
      }
    }
    guard error.oauthError?.lowercased() == "invalid_grant" else { return }
    if suberror == .badToken {
      try parts.updateCache(why: "the server calls the refresh token bad") {
        $0.removeRefreshToken(candidate.key, ifSecretIs: candidate.record.secret)
      }
    } else if suberror == .userAccountDeleted {
      try parts.updateCache(why: "the account was deleted at the server") {
        $0.removeCredentials(ofAccount: account.identifier, clientID: client)
        $0.forgetAccountMetadata(account.identifier)
      }
    }
  }
}
