import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// acquireTokenSilent, step by step in MSAL's order; each step says in the trace what it found.
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
      throw error.attempted(nil, correlationID: correlationID)
    }
  }

  private func acquire(
    _ correlationID: String, _ ticket: RequestCoalescer<RedemptionKey, TokenResult>.Ticket
  ) async throws(MSALError) -> TokenResult {
    guard let account = parameters.token.account else {
      parts.trace.recordDecision("account", "none", reason: "a silent call without an account needs the user")
      throw MSALError(.interactionRequired, "no account was given: sign in first")
    }
    let asked = try parts.requestAuthority(parameters.token.authority)
    // Read once: on a hit, nothing else is needed from the store.
    let contents = try parts.contents()
    let call = try prepare(account, asked, correlationID, contents)
    let cloud = try await parts.resolver.resolve(
      call.context.authority, for: asked, headers: parts.headers(correlationID: correlationID, account: call.account))
    let finding = CachedTokenSearch(
      parts: parts, parameters: parameters, account: call.account, context: call.context, cloud: cloud
    ).search(contents)
    if case .answer(let result) = finding.verdict { return try await answer(result, call.context, cloud) }
    do {
      return try await RefreshTokenRedemption(
        parts: parts, account: call.account, context: call.context, requestAuthority: asked, cloud: cloud,
        reason: finding.reason, ticket: ticket
      ).run()
    } catch {
      parts.telemetry.recordFailure(.silent, correlationID: correlationID, error)
      return try fallBack(on: finding.verdict, after: error, call, cloud)
    }
  }

  /// Steps 3 to 7 of the pre-flight, without the network.
  private func prepare(
    _ given: Account, _ asked: Authority, _ correlationID: String, _ contents: CacheContents
  ) throws(MSALError) -> (account: Account, context: RequestContext) {
    let metadata = contents.accountMetadata(clientID: parts.configuration.clientID)
    let account = try AccountDirectory(parts: parts).known(given)
    let issuer = IssuerAuthority(
      asked, for: account, metadata: metadata, instanceAware: parts.configuration.multipleCloudsSupported,
      memo: parts.authorityMemo)
    parts.trace.recordDecision(
      "authority", "chosen", reason: issuer.reason(asked), ["authority": TraceValue(issuer.authority.url)])
    // While signed out, no authority is known to have answered.
    if issuer.reason != .answeredBefore, metadata?.signInState(of: account.identifier) == .signedOut {
      parts.trace.recordDecision("account", "signed out", reason: "\(account.username) signed out of this app")
      throw MSALError(.interactionRequired, "\(account.username) is signed out: sign in again")
    }
    let context = try RequestContext(
      parameters.token, authority: issuer.authority, configuration: parts.configuration, correlationID: correlationID)
    return (account, context)
  }

  private func answer(
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

  // MARK: When the service is down

  /// MSAL returns an aging or extended token only if this request received a 5xx, and an extended one only if the app
  /// allows it. A 5xx that throttling remembers from an earlier request stays an error.
  private func fallBack(
    on verdict: CachedTokenSearch.Result, after error: MSALError,
    _ call: (account: Account, context: RequestContext), _ cloud: CloudRecord
  ) throws(MSALError) -> TokenResult {
    guard case .refresh(let spare?) = verdict else { throw error }
    if error.isThrottlingCacheHit {
      parts.trace.recordDecision(
        "accessToken", "not returned",
        reason: "no request was sent; MSAL returns the cached token only when the service itself answers 5xx")
    }
    guard error.isServerUnavailable else { throw error }
    guard !spare.isExtended || parts.configuration.extendedLifetimeEnabled else {
      parts.trace.recordDecision(
        "accessToken", "not extended", reason: "the service is down, and the app does not allow extended lifetimes")
      throw error
    }
    guard
      var result = CachedResult.make(
        spare.record, try parts.contents(), call.account, call.context, cloud, parts, isExtended: spare.isExtended)
    else { throw error }
    parts.trace.recordDecision(
      "accessToken", spare.isExtended ? "extended" : "kept",
      reason: "the service is down (\(error.message)); the cached token is returned")
    result.sent = error.sent
    parts.trace.record(.tokenAcquired, result.traceMembers)
    return result
  }
}
