import Documents
import Effects
import IdentityPlatform
import OAuth
import RunTrace
import TokenCache

/// A result made of what is cached.
enum CachedResult {
  /// Nil where the ID token or the account record of the same tenant is missing: then MSAL refreshes.
  static func make(
    _ token: AccessTokenRecord, _ contents: CacheContents, _ account: Account, _ context: RequestContext,
    _ cloud: CloudRecord, _ parts: ClientParts,
    isExtended: Bool
  ) -> TokenResult? {
    let home = account.identifier
    guard
      let idToken = contents.idToken(
        homeAccountID: home, environments: cloud.aliases, clientID: parts.configuration.clientID, realm: token.realm)?
        .record,
      let record = contents.account(homeAccountID: home, environments: cloud.aliases, realm: token.realm)?.record,
      let claims = UncheckedJWT.looseClaims(of: idToken.secret.reveal())
    else { return nil }
    let isHome = home.hasSuffix(".\(token.realm.lowercased())") || context.authority.kind == .oidc
    return TokenResult(
      accessToken: token.secret, expiresOn: token.expiresOn ?? parts.world.clock.now, extendedLifeTimeToken: isExtended,
      scopes: token.scopes, idToken: idToken.secret, idTokenClaims: claims,
      account: Account(
        identifier: home, username: record.username, environment: token.environment,
        accountClaims: isHome ? claims : nil),
      tenantProfile: TenantProfile(
        identifier: record.localAccountID, environment: token.environment, tenantID: token.realm,
        isHomeTenantProfile: isHome, claims: claims),
      authority: context.authority.url, correlationID: context.correlationID, tokenType: token.tokenType,
      source: .cache, resource: context.scopes.resources.compactMap { $0 }.first, sent: nil, screens: [])
  }
}
