import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// An `acquireTokenSilent` call, with its steps in MSAL's order. Each step records its decision in the trace.
struct SilentRequest: Sendable {
  let parts: RequestDependencies
  let parameters: SilentParameters

  func run() async throws(MSALError) -> TokenResult {
    let correlationID = parameters.token.correlationID ?? parts.world.randomness.uuid()
    let ticket = parts.process.redemptions.begin()
    defer { parts.process.redemptions.end() }
    do {
      return try await acquire(correlationID, ticket)
    } catch {
      throw error.withContext(nil, correlationID: correlationID)
    }
  }

  private func acquire(
    _ correlationID: String, _ ticket: RequestCoalescer<RedemptionKey, TokenResult>.Ticket
  ) async throws(MSALError) -> TokenResult {
    guard let account = parameters.token.account else {
      parts.trace.recordDecision("account", "none", reason: "a silent call requires an account")
      throw MSALError(.interactionRequired, "the request has no account; sign in first")
    }
    let requested = try parts.requestAuthority(parameters.token.authority)
    // Read once, because a cached token requires no other access to the store.
    let contents = try parts.contents()
    let call = try prepare(account, requested, correlationID, contents)
    let cloud = try await parts.resolver.resolve(
      call.context.authority, for: requested,
      headers: parts.headers(correlationID: correlationID, account: call.account))
    let finding = CachedTokenSearch(
      parts: parts, parameters: parameters, account: call.account, context: call.context, cloud: cloud
    ).search(contents)
    if case .cached(let result) = finding.result { return try await finish(result, call.context, cloud) }
    do {
      return try await RefreshTokenRedemption(
        parts: parts, account: call.account, context: call.context, requestAuthority: requested, cloud: cloud,
        reason: finding.reason, ticket: ticket
      ).run()
    } catch {
      parts.telemetry.recordFailure(.silent, correlationID: correlationID, error)
      return try fallBack(on: finding.result, after: error, call, cloud)
    }
  }

  /// Resolves the account and the authority without using the network.
  private func prepare(
    _ account: Account, _ requested: Authority, _ correlationID: String, _ contents: CacheContents
  ) throws(MSALError) -> (account: Account, context: RequestContext) {
    let metadata = contents.accountMetadata(clientID: parts.configuration.clientID)
    let account = try AccountDirectory(parts: parts).resolve(account)
    let issuer = IssuerAuthority(
      requested, for: account, metadata: metadata, instanceAware: parts.configuration.multipleCloudsSupported,
      authorities: parts.authorities)
    parts.trace.recordDecision(
      "authority", "selected", reason: issuer.reason(requested), ["authority": TraceValue(issuer.authority.url)])
    // Signing out removes the cached authorities.
    if issuer.reason != .cached, metadata?.signInState(of: account.identifier) == .signedOut {
      parts.trace.recordDecision("account", "signed out", reason: "\(account.username) signed out of the app")
      throw MSALError(.interactionRequired, "\(account.username) is signed out; sign in again")
    }
    let context = try RequestContext(
      parameters.token, authority: issuer.authority, configuration: parts.configuration, correlationID: correlationID)
    return (account, context)
  }

  private func finish(
    _ result: TokenResult, _ context: RequestContext, _ cloud: CloudRecord
  ) async throws(MSALError) -> TokenResult {
    var result = result
    if context.checksUserInfo {
      let headers = parts.headers(correlationID: context.correlationID, account: result.account)
      let metadata = try await parts.providers.metadata(of: context.authority, headers: headers)
      result.userInfo = try await parts.userInfo(
        context, metadata, subject: result.idTokenClaims["sub"]?.string, accessToken: result.accessToken)
    }
    parts.telemetry.recordSilentSuccess()
    parts.trace.record(.tokenAcquired, result.traceMembers)
    return result
  }

  // MARK: Outages

  /// Returns the cached token if this request received a 5xx response. Returns an expired token with an extended
  /// lifetime only if the app allows it. If throttling repeats a 5xx response from an earlier request, the error is
  /// returned instead.
  private func fallBack(
    on result: CachedTokenSearch.Result, after error: MSALError,
    _ call: (account: Account, context: RequestContext), _ cloud: CloudRecord
  ) throws(MSALError) -> TokenResult {
    guard case .refresh(let outageToken?) = result else { throw error }
    if error.isThrottlingCacheHit {
      parts.trace.recordDecision(
        "accessToken", "not returned",
        reason: "no request was sent, and MSAL returns the cached token only after a 5xx response")
    }
    guard error.isServerUnavailable else { throw error }
    guard !outageToken.isExtended || parts.configuration.extendedLifetimeEnabled else {
      parts.trace.recordDecision(
        "accessToken", "not extended",
        reason: "the service is unavailable, and extended lifetimes are not enabled in the app")
      throw error
    }
    guard
      var result = CachedResult.make(
        outageToken.record, try parts.contents(), call.account, call.context, cloud, parts)
    else { throw error }
    result.extendedLifeTimeToken = outageToken.isExtended
    parts.trace.recordDecision(
      "accessToken", outageToken.isExtended ? "extended" : "returned",
      reason: "the service is unavailable, so MSAL returns the cached token: \(error.message)")
    result.sent = error.sent
    parts.trace.record(.tokenAcquired, result.traceMembers)
    return result
  }
}
