import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// acquireTokenSilent, step by step in MSAL's order; each step says in the trace what it found.
struct SilentRequest: Sendable {
  let parts: ClientParts
  let parameters: SilentParameters

  /// A cached token that may still serve if the service is down.
  private struct Spare {
    var record: AccessTokenRecord
    /// Whether the token is past its end.
    var isExtended: Bool
  }

  func run() async throws(MSALError) -> TokenResult {
    let correlationID = parameters.token.correlationID ?? parts.world.randomness.uuid()
    do {
      let result = try await acquire(correlationID)
      return result
    } catch {
      throw error.attempted(nil, correlationID: correlationID)
    }
  }

  private func acquire(_ correlationID: String) async throws(MSALError) -> TokenResult {
    // Read once: on a hit, nothing else is needed from the store.
    let contents = try parts.contents()
    let (account, context, requestAuthority) = try prepare(correlationID, contents)
    let headers = parts.headers(correlationID: correlationID, account: account)
    let cloud = try await parts.resolver.resolve(context.authority, headers: headers)
    let finding = try lookUp(contents, account, context, cloud)
    if case .answer(let result) = finding.verdict {
      parts.telemetry.recordSilentSuccess()
      parts.trace.record(.tokenAcquired, result.traceMembers)
      return result
    }
    let redemption = RefreshRedemption(
      parts: parts, account: account, context: context, requestAuthority: requestAuthority, cloud: cloud,
      reason: finding.reason)
    do {
      return try await redemption.run()
    } catch {
      return try fallBack(on: finding.verdict, after: error, account, context, cloud)
    }
  }

  /// Steps 1 to 7 of the pre-flight, without the network.
  private func prepare(
    _ correlationID: String, _ contents: CacheContents
  ) throws(MSALError) -> (account: Account, context: RequestContext, requestAuthority: Authority) {
    guard let account = parameters.token.account else {
      parts.trace.decide("account", "none", why: "a silent call without an account needs the person")
      throw MSALError(.interactionRequired, "no account was given: sign in first")
    }
    let asked = try parts.requestAuthority(parameters.token.authority)
    let metadata = contents.accountMetadata(clientID: parts.configuration.clientID)
    let (authority, why) = IssuerAuthority.resolve(
      asked, for: account, metadata: metadata, instanceAware: parts.configuration.multipleCloudsSupported)
    parts.trace.decide("authority", "chosen", why: why, ["authority": TraceValue(authority.url)])
    if metadata?.signInState(of: account.identifier) == .signedOut {
      parts.trace.decide("account", "signed out", why: "\(account.username) signed out of this app")
      throw MSALError(.interactionRequired, "\(account.username) is signed out: sign in again")
    }
    let context = try RequestContext(
      parameters.token, authority: authority, configuration: parts.configuration, correlationID: correlationID)
    return (account, context, asked)
  }

  // MARK: The cache

  private enum Verdict {
    case answer(TokenResult)
    case refresh(Spare?)
  }

  private func lookUp(
    _ contents: CacheContents, _ account: Account, _ context: RequestContext, _ cloud: CloudRecord
  ) throws(MSALError) -> (verdict: Verdict, reason: Telemetry.RefreshReason) {
    if parameters.forceRefresh {
      parts.trace.decide("accessToken", "not looked for", why: "a refresh is forced")
      return (.refresh(nil), .forced)
    }
    if context.hasRequestedClaims {
      parts.trace.decide(
        "accessToken", "not looked for", why: "claims are asked for, which no cached token was made for")
      return (.refresh(nil), .noCachedToken)
    }
    let query = AccessTokenQuery(
      homeAccountID: account.identifier, environments: cloud.aliases, clientID: parts.configuration.clientID,
      realm: context.authority.realm, scopes: context.scopes.withoutOpenIDConnect.scopes)
    let lookup = contents.accessToken(query)
    guard case .found(let key, let record) = lookup else {
      tellMiss(lookup, query)
      return (.refresh(nil), .noCachedToken)
    }
    parts.trace.record(.cacheRead, ["section": "AccessToken", "key": TraceValue(key), "found": true])
    return try judge(record, key: key, contents, account, context, cloud)
  }

  /// Whether a found token can be used, is to be renewed ahead of time, may serve in need, or is to be deleted.
  private func judge(
    _ record: AccessTokenRecord, key: String, _ contents: CacheContents, _ account: Account, _ context: RequestContext,
    _ cloud: CloudRecord
  ) throws(MSALError) -> (verdict: Verdict, reason: Telemetry.RefreshReason) {
    let now = parts.world.clock.now
    let buffer = parts.configuration.tokenExpirationBuffer
    let end = record.expiresOn ?? now - .seconds(1)
    let isFromFuture = record.cachedAt.map { $0 > now } ?? false
    let facts: TraceFacts = [
      "expiresOn": TraceValue(end.rfc3339()), "now": TraceValue(now.rfc3339()),
      "bufferSeconds": TraceValue(Int(buffer.components.seconds)),
    ]
    if record.keyID != nil {
      try delete(key, why: "the token is bound to a key that this client does not have")
      return (.refresh(nil), .expired)
    }
    guard !(end < now + buffer), !isFromFuture else {
      if let extended = record.extendedExpiresOn, extended > now {
        parts.trace.decide(
          "accessToken", "expired", why: "it may still serve if the service is down, until \(extended.rfc3339())", facts
        )
        return (.refresh(Spare(record: record, isExtended: true)), .expired)
      }
      parts.trace.decide(
        "accessToken", "expired",
        why: isFromFuture ? "it was kept in the future: the clock was set back" : "it ends within the buffer", facts)
      try delete(key, why: "expired")
      return (.refresh(nil), .expired)
    }
    if let refreshOn = record.refreshOn, refreshOn < now {
      parts.trace.decide(
        "accessToken", "aging", why: "it is valid, and since \(refreshOn.rfc3339()) it is time for a new one", facts)
      return (.refresh(Spare(record: record, isExtended: false)), .proactive)
    }
    guard let result = CachedResult.make(record, contents, account, context, cloud, parts, isExtended: false) else {
      parts.trace.decide(
        "accessToken", "incomplete", why: "it is valid, but its ID token or account record is not cached", facts)
      return (.refresh(nil), .noCachedToken)
    }
    parts.trace.decide("accessToken", "hit", why: "valid until \(end.rfc3339())", facts)
    return (.answer(result), .notApplicable)
  }

  private func tellMiss(_ lookup: AccessTokenLookup, _ query: AccessTokenQuery) {
    parts.trace.record(.cacheRead, ["section": "AccessToken", "key": TraceValue(query.exactKey), "found": false])
    if case .scopesMissing(let candidates) = lookup {
      let lists = candidates.map { "\($0.key) lacks \($0.missing.joined(separator: " "))" }
      parts.trace.decide("accessToken", "scope missing", why: lists.joined(separator: "; "))
    } else {
      parts.trace.decide("accessToken", "none", why: "no token of this account, tenant and app is cached")
    }
  }

  private func delete(_ key: String, why: String) throws(MSALError) {
    try parts.updateCache(why: "access token deleted: \(why)") { $0.removeAccessToken(key) }
  }

  // MARK: When the service is down

  /// A token kept in reserve answers only for a server's fault; an extended one only where the app allows it.
  private func fallBack(
    on verdict: Verdict, after error: MSALError, _ account: Account, _ context: RequestContext, _ cloud: CloudRecord
  ) throws(MSALError) -> TokenResult {
    guard case .refresh(let spare?) = verdict, error.isServerUnavailable,
      !spare.isExtended || parts.configuration.extendedLifetimeEnabled,
      var result = CachedResult.make(
        spare.record, try parts.contents(), account, context, cloud, parts, isExtended: spare.isExtended)
    else { throw error }
    parts.trace.decide(
      "accessToken", spare.isExtended ? "extended" : "kept",
      why: "the service is down (\(error.message)); the cached token is returned")
    result.sent = error.sent
    parts.trace.record(.tokenAcquired, result.traceMembers)
    return result
  }
}
