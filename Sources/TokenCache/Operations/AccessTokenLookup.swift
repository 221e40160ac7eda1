import Documents
import RunTrace

/// The criteria of an access token lookup.
package struct AccessTokenQuery: Sendable {
  package var homeAccountID: String
  /// All hosts of a cloud, starting with the cache host.
  package var environments: [String]
  package var clientID: String
  package var realm: String
  /// The required scopes, without the OpenID Connect scopes.
  package var scopes: [String]

  package init(homeAccountID: String, environments: [String], clientID: String, realm: String, scopes: [String]) {
    self.homeAccountID = homeAccountID
    self.environments = environments
    self.clientID = clientID
    self.realm = realm
    self.scopes = scopes
  }

  /// The cache key of a token with exactly these scopes, for the trace.
  package var exactKey: String {
    CacheKey.accessToken(
      homeAccountID: homeAccountID, environment: environments.first ?? "", clientID: clientID, realm: realm,
      target: scopes)
  }
}

/// The result of an access token lookup.
package enum AccessTokenLookup: Sendable {
  case found(key: String, AccessTokenRecord)
  /// The cache contains tokens for the account and tenant, but each token lacks some of the required scopes. The
  /// value lists the missing scopes for each cache key.
  case scopesMissing([(key: String, missing: [String])])
  case none
}

extension CacheContents {
  /// Returns the first token that matches the account, cloud, client, and tenant and includes all required scopes. The
  /// comparison ignores case and does not check the expiration.
  package func accessToken(_ query: AccessTokenQuery) -> AccessTokenLookup {
    let client = CacheKey.normalized(query.clientID)
    let realms = RealmMatch(query.realm, ofAccount: query.homeAccountID)
    let usable = records(.accessToken, ofAccount: query.homeAccountID, as: AccessTokenRecord.self).filter { entry in
      CacheKey.normalized(entry.record.clientID) == client && !entry.record.secret.isEmpty && entry.record.isPlainBearer
    }
    let candidates = realms.best(of: usable) { $0.record.realm }
    var missing: [(key: String, missing: [String])] = []
    for environment in query.environments {
      let environment = CacheKey.normalized(environment)
      for (key, record) in candidates where CacheKey.normalized(record.environment) == environment {
        let granted = record.scopes
        // The exact comparison is faster, so it comes first.
        let missingScopes = query.scopes.filter { scope in
          !granted.contains(scope) && !granted.contains { $0.lowercased() == scope.lowercased() }
        }
        if missingScopes.isEmpty { return .found(key: key, record) }
        missing.append((key, missingScopes))
      }
    }
    return missing.isEmpty ? .none : .scopesMissing(missing)
  }

  /// Deletes an access token unless another process has replaced it.
  /// - Returns: Whether the token was deleted.
  @discardableResult
  package mutating func removeAccessToken(_ key: String, ifSecretIs secret: Secret) -> Bool {
    guard entry(.accessToken, key)?["secret"]?.string == secret.reveal() else { return false }
    remove(key, from: .accessToken)
    return true
  }
}

extension AccessTokenRecord {
  /// Whether the token is an ordinary bearer token. It must not be specific to an app extension, to requested claims,
  /// or to other request parameters (`ext_cache_key` in MSAL for Python).
  var isPlainBearer: Bool {
    tokenType.lowercased() == "bearer" && nonBlank("ext_cache_key") == nil
      && nonBlank("application_cache_identifier") == nil && nonBlank("requested_claims") == nil
      && (text("credential_type") ?? "AccessToken").lowercased() == "accesstoken"
  }
}
