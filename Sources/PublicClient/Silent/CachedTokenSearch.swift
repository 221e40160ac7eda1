import Documents
import Effects
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// A search for a usable access token in the cache. If there is none, the search determines the reason for the refresh,
/// which telemetry reports.
struct CachedTokenSearch: Sendable {
  let parts: RequestDependencies
  let parameters: SilentParameters
  let account: Account
  let context: RequestContext
  let cloud: CloudRecord

  /// A cached token that MSAL can return while the service is unavailable.
  struct OutageToken {
    var record: AccessTokenRecord
    /// Whether the token itself has expired but its extended lifetime has not.
    var isExtended: Bool
  }

  enum Result {
    case cached(TokenResult)
    case refresh(OutageToken?)
  }

  typealias Finding = (result: Result, reason: Telemetry.RefreshReason)

  func search(_ contents: CacheContents) -> Finding {
    if parameters.forceRefresh {
      parts.trace.recordDecision("accessToken", "skipped", reason: "the app forced a refresh")
      return (.refresh(nil), .forced)
    }
    if context.hasRequestedClaims {
      parts.trace.recordDecision(
        "accessToken", "skipped", reason: "the request contains claims, so a cached token cannot be used")
      return (.refresh(nil), .noCachedToken)
    }
    let query = AccessTokenQuery(
      homeAccountID: account.identifier, environments: cloud.aliases, clientID: parts.configuration.clientID,
      realm: context.authority.realm, scopes: context.scopes.withoutOpenIDConnect.scopes)
    let lookup = contents.accessToken(query)
    guard case .found(let key, let record) = lookup else {
      recordMiss(lookup, query)
      return (.refresh(nil), .noCachedToken)
    }
    parts.trace.record(.cacheRead, ["section": "AccessToken", "key": TraceValue(key), "found": true])
    if let reason = unusableReason(of: record) {
      delete(key, record, reason: reason)
      return (.refresh(nil), .expired)
    }
    return evaluate(record, key: key, contents)
  }

  /// Returns the reason that this device cannot use a token, or nil for an ordinary token.
  private func unusableReason(of record: AccessTokenRecord) -> String? {
    if record.keyID != nil { return "the token is bound to a key that the client does not have" }
    let enrollment = record.fields["enrollment_id"]?.string ?? ""
    return enrollment.isEmpty ? nil : "the token belongs to a device enrollment that no longer exists"
  }

  /// Decides whether to return a token, refresh it early, keep it in case of an outage, or delete it.
  private func evaluate(_ record: AccessTokenRecord, key: String, _ contents: CacheContents) -> Finding {
    let now = parts.world.clock.now
    let buffer = parts.configuration.tokenExpirationBuffer
    let expiresOn = record.expiresOn ?? now - .seconds(1)
    let isFromFuture = record.cachedAt.map { $0 > now } ?? false
    func facts() -> TraceFacts {
      var facts: TraceFacts = [
        "now": TraceValue(now.rfc3339()), "bufferSeconds": TraceValue(Int(buffer.components.seconds)),
      ]
      if let expiresOn = record.expiresOn { facts["expiresOn"] = TraceValue(expiresOn.rfc3339()) }
      return facts
    }
    guard !(expiresOn < now + buffer), !isFromFuture else {
      let reason =
        isFromFuture
        ? "the token was cached in the future, so the clock was set back"
        : Self.expiryReason(record.expiresOn, now: now, buffer: buffer)
      if let extended = record.extendedExpiresOn, extended > now {
        parts.trace.recordDecision(
          "accessToken", "expired",
          reason: "\(reason); usable until \(extended.rfc3339()) if the service is unavailable",
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
        "accessToken", "refresh due", reason: "the token is valid, but a refresh was due at \(refreshOn.rfc3339())",
        facts())
      return (.refresh(OutageToken(record: record, isExtended: false)), .proactive)
    }
    guard let result = CachedResult.make(record, contents, account, context, cloud, parts) else {
      parts.trace.recordDecision(
        "accessToken", "incomplete", reason: "the token is valid, but its ID token or account record is not cached",
        facts())
      return (.refresh(nil), .noCachedToken)
    }
    parts.trace.recordDecision("accessToken", "hit", reason: "valid until \(expiresOn.rfc3339())", facts())
    return (.cached(result), .notApplicable)
  }

  /// Returns the reason that a token counts as expired. A token expires exactly at `expiresOn`, not one second later.
  private static func expiryReason(_ expiresOn: Instant?, now: Instant, buffer: Duration) -> String {
    guard let expiresOn else { return "the cache entry has no expiration time" }
    guard expiresOn > now else { return "expired at \(expiresOn.rfc3339())" }
    return "expires at \(expiresOn.rfc3339()), which is within the buffer of \(buffer.components.seconds) s"
  }

  private func recordMiss(_ lookup: AccessTokenLookup, _ query: AccessTokenQuery) {
    parts.trace.record(.cacheRead, ["section": "AccessToken", "key": TraceValue(query.exactKey), "found": false])
    if case .scopesMissing(let candidates) = lookup {
      parts.trace.recordDecision(
        "accessToken", "missing scopes",
        reason: candidates.map { "\($0.key) does not include \($0.missing.joined(separator: " "))" }.joined(
          separator: "; "))
    } else {
      parts.trace.recordDecision(
        "accessToken", "none", reason: "no access token is cached for the account, tenant, and app")
    }
  }

  /// Deletes the token, unless another process has replaced it since it was read.
  private func delete(_ key: String, _ record: AccessTokenRecord, reason: String) {
    parts.tidyCache(reason: "deleted access token: \(reason)") { $0.removeAccessToken(key, ifSecretIs: record.secret) }
  }
}
