import Documents
import RunTrace

/// Which access token is wanted.
package struct AccessTokenQuery: Sendable {
  package var homeAccountID: String
  /// The hosts of one cloud, the cache's own first.
  package var environments: [String]
  package var clientID: String
  package var realm: String
  /// The wanted scopes without those of OpenID Connect.
  package var scopes: [String]

  package init(homeAccountID: String, environments: [String], clientID: String, realm: String, scopes: [String]) {
    self.homeAccountID = homeAccountID
    self.environments = environments
    self.clientID = clientID
    self.realm = realm
    self.scopes = scopes
  }

  /// The key that the token would have if it were granted just these scopes; what a trace names as tried.
  package var exactKey: String {
    CacheKey.accessToken(
      homeAccountID: homeAccountID, environment: environments.first ?? "", clientID: clientID, realm: realm,
      target: scopes)
  }
}

/// What a look-up found.
package enum AccessTokenLookup: Sendable {
  case found(key: String, AccessTokenRecord)
  /// There are tokens for this account and tenant, but each lacks some of the scopes; the lists say which, by key.
  case scopesMissing([(key: String, missing: [String])])
  case none
}

extension CacheContents {
  /// The first token whose account, cloud, client and tenant are the wanted ones and whose scopes include the wanted ones,
  /// all compared in lower case. Freshness plays no part.
  package func accessToken(_ query: AccessTokenQuery) -> AccessTokenLookup {
    let client = CacheKey.normal(query.clientID)
    let realms = RealmMatch(query.realm, ofAccount: query.homeAccountID)
    let usable = records(.accessToken, ofAccount: query.homeAccountID, as: AccessTokenRecord.self).filter { entry in
      CacheKey.normal(entry.record.clientID) == client && !entry.record.secret.isEmpty && entry.record.isPlainBearer
    }
    let candidates = realms.best(of: usable) { $0.record.realm }
    var missing: [(key: String, missing: [String])] = []
    for environment in query.environments {
      let environment = CacheKey.normal(environment)
      for (key, record) in candidates where CacheKey.normal(record.environment) == environment {
        let granted = record.scopes
        // Mostly they are written alike, and a handful.
        let lacking = query.scopes.filter { wanted in
          !granted.contains(wanted) && !granted.contains { $0.lowercased() == wanted.lowercased() }
        }
        if lacking.isEmpty { return .found(key: key, record) }
        missing.append((key, lacking))
      }
    }
    return missing.isEmpty ? .none : .scopesMissing(missing)
  }

  /// Deletes an access token that cannot be used, unless another process has put a newer one in its place.
  /// - Returns: whether it was deleted.
  @discardableResult
  package mutating func removeAccessToken(_ key: String, ifSecretIs secret: Secret) -> Bool {
    guard entry(.accessToken, key)?["secret"]?.string == secret.reveal() else { return false }
    remove(key, from: .accessToken)
    return true
  }
}

extension AccessTokenRecord {
  /// Neither proof-of-possession, nor kept apart for an app extension, for certain claims or for other parameters of the
  /// request (MSAL for Python's `ext_cache_key`).
  var isPlainBearer: Bool {
    tokenType.lowercased() == "bearer" && nonBlank("ext_cache_key") == nil
      && nonBlank("application_cache_identifier") == nil && nonBlank("requested_claims") == nil
      && (text("credential_type") ?? "AccessToken").lowercased() == "accesstoken"
  }
}
