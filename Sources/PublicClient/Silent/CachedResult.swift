import Documents
import Effects
import IdentityPlatform
import OAuth
import RunTrace
import TokenCache

/// A token result from the cache.
enum CachedResult {
  /// Returns the result, or nil if the tenant's ID token or account record is missing. MSAL then refreshes the token.
  static func make(
    _ token: AccessTokenRecord, _ contents: CacheContents, _ account: Account, _ context: RequestContext,
    _ cloud: CloudRecord, _ parts: RequestDependencies
  ) -> TokenResult? {
    let home = account.identifier
    let realm = token.realm
    guard
      let idToken = contents.idToken(
        homeAccountID: home, environments: cloud.aliases, clientID: parts.configuration.clientID, realm: realm)?
        .record.secret, IDTokenClaims.isPlausible(idToken),
      let record = contents.account(homeAccountID: home, environments: cloud.aliases, realm: realm)?.record
    else { return nil }
    let claims = IDTokenClaims(of: idToken)
    let environment = token.environment
    let isHome = home.hasSuffix(".\(realm.lowercased())") || context.authority.kind == .oidc
    return TokenResult(
      accessToken: token.secret, expiresOn: token.expiresOn ?? parts.world.clock.now, extendedLifeTimeToken: false,
      scopes: token.scopes, idToken: idToken, claims: claims,
      account: Account(
        identifier: home, username: record.username, environment: environment, claims: isHome ? claims : nil),
      tenantProfile: TenantProfile(
        identifier: record.localAccountID, environment: environment, tenantID: realm, isHomeTenantProfile: isHome,
        tokenClaims: claims),
      authority: context.authority.url, correlationID: context.correlationID, tokenType: token.tokenType,
      source: .cache, userInfo: nil, resource: context.resource, sent: nil, screens: [])
  }
}
