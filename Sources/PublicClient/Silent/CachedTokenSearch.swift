import Documents
import Effects
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// Whether the cache has a token that serves, and if not, what is to be told to the service about that.
struct CachedTokenSearch: Sendable {
  let parts: RequestDependencies
  let parameters: SilentParameters
  let account: Account
  let context: RequestContext
  let cloud: CloudRecord

  /// A cached token that may still serve if the service is down.
  struct OutageToken {
    var record: AccessTokenRecord
    /// Whether the token is past its end.
    var isExtended: Bool
  }

  enum Result {
    case answer(TokenResult)
    case refresh(OutageToken?)
  }

  typealias Finding = (verdict: Result, reason: Telemetry.RefreshReason)

  func search(_ contents: CacheContents) -> Finding {
    if parameters.forceRefresh {
      parts.trace.recordDecision("accessToken", "not looked for", reason: "a refresh is forced")
      return (.refresh(nil), .forced)
    }
    if context.hasRequestedClaims {
      parts.trace.recordDecision(
        "accessToken", "not looked for", reason: "claims are asked for, which no cached token was made for")
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
    if let tie = tie(of: record) {
      delete(key, record, reason: tie)
      return (.refresh(nil), .expired)
    }
    return judge(record, key: key, contents)
  }

  /// What a token depends on that this device does not have; nil for a plain one.
  private func tie(of record: AccessTokenRecord) -> String? {
    if record.keyID != nil { return "the token is bound to a key that this client does not have" }
    let enrollment = record.fields["enrollment_id"]?.string ?? ""
    return enrollment.isEmpty ? nil : "the token is of an enrollment of the device that is no more"
  }

  /// Whether a found token can be used, is to be renewed ahead of time, may serve in need, or is to be deleted.
  private func judge(_ record: AccessTokenRecord, key: String, _ contents: CacheContents) -> Finding {
    let now = parts.world.clock.now
    let buffer = parts.configuration.tokenExpirationBuffer
    let end = record.expiresOn ?? now - .seconds(1)
    let isFromFuture = record.cachedAt.map { $0 > now } ?? false
    func facts() -> TraceFacts {
      var facts: TraceFacts = [
        "now": TraceValue(now.rfc3339()), "bufferSeconds": TraceValue(Int(buffer.components.seconds)),
      ]
      if let expiresOn = record.expiresOn { facts["expiresOn"] = TraceValue(expiresOn.rfc3339()) }
      return facts
    }
    guard !(end < now + buffer), !isFromFuture else {
      let reason = isFromFuture ? Self.futureReason : Self.expiryReason(record.expiresOn, now: now, buffer: buffer)
      if let extended = record.extendedExpiresOn, extended > now {
        parts.trace.recordDecision(
          "accessToken", "expired", reason: "\(reason); usable until \(extended.rfc3339()) if the service is down",
          facts()
        )
        return (.refresh(OutageToken(record: record, isExtended: true)), .expired)
      }
      parts.trace.recordDecision("accessToken", "expired", reason: reason, facts())
      delete(key, record, reason: "expired")
      return (.refresh(nil), .expired)
    }
    if let refreshOn = record.refreshOn, refreshOn < now {
      parts.trace.recordDecision(
        "accessToken", "aging", reason: "it is valid, and since \(refreshOn.rfc3339()) it is time for a new one",
        facts())
      return (.refresh(OutageToken(record: record, isExtended: false)), .proactive)
    }
    guard let result = CachedResult.make(record, contents, account, context, cloud, parts, isExtended: false) else {
      parts.trace.recordDecision(
        "accessToken", "incomplete", reason: "it is valid, but its ID token or account record is not cached", facts())
      return (.refresh(nil), .noCachedToken)
    }
    parts.trace.recordDecision("accessToken", "hit", reason: "valid until \(end.rfc3339())", facts())
    return (.answer(result), .notApplicable)
  }

  private static let futureReason = "cached at a time in the future: the clock was set back"

  /// Why the expiry rules a token out. A token is expired at the moment of its expiry, and not one second later.
  private static func expiryReason(_ expiresOn: Instant?, now: Instant, buffer: Duration) -> String {
    guard let expiresOn else { return "the record has no expiry" }
    guard expiresOn > now else { return "expired at \(expiresOn.rfc3339())" }
    return "expires at \(expiresOn.rfc3339()), within the buffer of \(buffer.components.seconds) seconds"
  }

  private func tellMiss(_ lookup: AccessTokenLookup, _ query: AccessTokenQuery) {
    parts.trace.record(.cacheRead, ["section": "AccessToken", "key": TraceValue(query.exactKey), "found": false])
    if case .scopesMissing(let candidates) = lookup {
      parts.trace.recordDecision(
        "accessToken", "scope missing",
        reason: candidates.map { "\($0.key) lacks \($0.missing.joined(separator: " "))" }.joined(separator: "; "))
    } else {
      parts.trace.recordDecision("accessToken", "none", reason: "no token of this account, tenant and app is cached")
    }
  }

  /// Another process may have put a fresh token in the place of the one that was read; that one stays.
  private func delete(_ key: String, _ record: AccessTokenRecord, reason: String) {
    parts.tidyCache(reason: "access token deleted: \(reason)") { $0.removeAccessToken(key, ifSecretIs: record.secret) }
  }
}
