import Documents
import Effects
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// A token response. If it contains an ID token, the token has been validated.
struct ValidatedTokenResponse: Sendable {
  var tokens: TokenResponse
  var idToken: ValidatedIDToken?
  var cloud: CloudRecord
  /// The authority that the app requested.
  var requestAuthority: Authority
  /// The authority that issued the tokens.
  var authority: Authority
  var source: TokenResult.Source
  /// The account of a silent call. The response belongs to this account unless it identifies another account.
  var account: Account?
  /// The redeemed refresh token. It remains valid if the response does not contain a new one (RFC 6749 §6).
  var refreshToken: Secret?
  /// The response from the userinfo endpoint, if the request called that endpoint.
  var userInfo: JSON?
}

/// A processor for token responses in all flows. It identifies the account, saves the tokens, and checks the granted
/// scopes.
struct TokenResponseProcessor: Sendable {
  let configuration: PublicClientConfiguration
  let cache: UnifiedTokenCache
  let clock: any WorldClock
  let trace: TraceRecorder

  /// Saves the tokens and returns the result.
  /// - Throws: `serverDeclinedScopes` if the server did not grant a requested scope. The tokens are saved anyway.
  func process(
    _ response: ValidatedTokenResponse, for context: RequestContext
  ) throws(MSALError) -> TokenResult {
    let claims = response.idToken?.claims ?? cachedClaims(response)
    let user = try User(response, claims: claims, configuration: configuration)
    try checkUser(user, response, context)
    let granted = response.tokens.scope?.scopes ?? context.scopes.scopes
    guard save(response, user, granted: granted) else {
      trace.recordDecision("account", "signed out", reason: "\(user.username) signed out during the request")
      throw MSALError(.interactionRequired, "\(user.username) signed out during the request; sign in again")
    }
    let result = self.result(response, user, claims: claims, granted: granted, context)
    try checkScopes(result, requested: context.scopes)
    trace.record(.tokenAcquired, result.traceMembers)
    return result
  }

  /// Rejects refreshed tokens that belong to another account. In an interactive request, the user can sign in with
  /// another account, and MSAL then returns that account.
  private func checkUser(
    _ user: User, _ response: ValidatedTokenResponse, _ context: RequestContext
  ) throws(MSALError) {
    guard let requested = (response.account ?? context.account)?.identifier, !requested.isEmpty,
      requested != user.homeAccountID
    else { return }
    guard response.source == .refreshToken else {
      return trace.recordDecision(
        "account", "different", reason: "\(user.username) signed in instead of the requested account")
    }
    trace.recordDecision("account", "rejected", reason: "the refreshed tokens are for another account")
    throw MSALError(.mismatchedAccount, "the service returned tokens for another account")
  }

  /// The account and tenant that a response belongs to.
  private struct User {
    var homeAccountID: String
    var realm: String
    var username: String
    var localAccountID: String
    var clientInfo: String?

    init(
      _ response: ValidatedTokenResponse, claims: JSON, configuration: PublicClientConfiguration
    ) throws(MSALError) {
      let kind = response.authority.kind
      let info = response.tokens.clientInfo
      // Other issuers identify users only by the subject, so only a new ID token identifies the user.
      let subject = kind == .oidc && response.idToken != nil ? claims["sub"]?.string : nil
      guard
        let home = info?.homeAccountID ?? subject ?? response.account?.identifier ?? claims["sub"]?.string
      else {
        throw MSALError(.internal, "the token response does not identify the user")
      }
      homeAccountID = home.trimmingSpaces().lowercased()
      let tenant = response.authority.realm
      realm =
        switch kind {
        case .aad: claims["tid"]?.string ?? tenant
        case .b2c, .ciam: info?.utid ?? claims["tid"]?.string ?? tenant
        case .adfs, .oidc: tenant
        }
      let name = claims["preferred_username"]?.string
      username =
        switch kind {
        case .b2c: name ?? Self.missingUsername
        case .oidc: name ?? claims["email"]?.string ?? claims["sub"]?.string ?? ""
        default: name ?? response.account?.username ?? ""
        }
      localAccountID = claims["oid"]?.string ?? claims["sub"]?.string ?? ""
      clientInfo = response.tokens.json["client_info"]?.string
    }

    /// The username that MSAL uses if a B2C token does not contain one.
    static let missingUsername = "Missing from the token response"
  }

  private func cachedClaims(_ response: ValidatedTokenResponse) -> JSON {
    guard let account = response.account, let contents = try? cache.contents() else { return [:] }
    return contents.idToken(
      homeAccountID: account.identifier, environments: response.cloud.aliases, clientID: configuration.clientID,
      realm: response.authority.realm
    ).flatMap { UnverifiedJWT.looseClaims(of: $0.record.secret.reveal()) } ?? [:]
  }

  /// Saves the tokens. A write error does not fail the request.
  /// - Returns: False if the account signed out of the app during a refresh. In that case, nothing is saved.
  private func save(_ response: ValidatedTokenResponse, _ user: User, granted: [String]) -> Bool {
    let tokens = response.tokens
    let claims = response.idToken?.claims
    var account = AccountRecord(
      homeAccountID: user.homeAccountID, environment: response.cloud.preferredCache, realm: user.realm,
      localAccountID: user.localAccountID, username: user.username)
    account.setDetails(source: response.source.grantName, claims: claims, clientInfo: user.clientInfo)
    var entry = TokensToSave(
      homeAccountID: user.homeAccountID, environment: response.cloud.preferredCache, clientID: configuration.clientID,
      realm: user.realm, target: granted, expiresOn: tokens.expiresOn)
    entry.environments = response.cloud.aliases
    entry.accessToken = tokens.accessToken
    entry.tokenType = tokens.tokenType ?? "Bearer"
    entry.extendedExpiresOn = tokens.extendedExpiresOn
    entry.refreshOn = tokens.refreshOn
    entry.refreshToken = tokens.refreshToken ?? response.refreshToken
    entry.familyID = tokens.familyID
    entry.idToken = response.idToken?.raw
    entry.account = claims == nil ? nil : account
    let authority = resultAuthority(response, user)
    do {
      let (isSaved, changes) = try cache.update { contents in
        let metadata = contents.accountMetadata(clientID: configuration.clientID)
        if response.source == .refreshToken, metadata?.signInState(of: user.homeAccountID) == .signedOut {
          return false
        }
        contents.save(entry, now: clock.now)
        contents.changeAccountMetadata(clientID: configuration.clientID) { metadata in
          metadata.recordAuthority(
            authority, for: response.requestAuthority.url, instanceAware: configuration.multipleCloudsSupported,
            account: user.homeAccountID)
        }
        return true
      }
      trace.recordCacheWritten(changes, reason: "tokens received")
      return isSaved
    } catch {
      let reason = (error as? TokenCacheFailure)?.explanation ?? "\(error)"
      trace.recordDecision("cache", "not written", reason: "\(reason); the tokens are available in this run only")
      return true
    }
  }

  /// Returns the authority of the user's tenant in the cloud that issued the tokens.
  private func resultAuthority(_ response: ValidatedTokenResponse, _ user: User) -> String {
    response.authority.kind == .oidc
      ? response.authority.url : response.authority.replacingTenant(with: user.realm).url
  }

  private func result(
    _ response: ValidatedTokenResponse, _ user: User, claims: JSON, granted: [String], _ context: RequestContext
  ) -> TokenResult {
    let isHome = user.homeAccountID.hasSuffix(".\(user.realm.lowercased())") || response.authority.kind == .oidc
    let claims = IDTokenClaims(claims)
    let account = Account(
      identifier: user.homeAccountID, username: user.username, environment: response.cloud.preferredCache,
      claims: isHome ? claims : nil)
    let profile = TenantProfile(
      identifier: user.localAccountID, environment: response.cloud.preferredCache, tenantID: user.realm,
      isHomeTenantProfile: isHome, tokenClaims: claims)
    return TokenResult(
      accessToken: response.tokens.accessToken ?? Secret("", kind: .accessToken), expiresOn: response.tokens.expiresOn,
      extendedLifeTimeToken: false, scopes: granted, idToken: response.idToken?.raw, claims: claims,
      account: account, tenantProfile: profile, authority: resultAuthority(response, user),
      correlationID: context.correlationID, tokenType: response.tokens.tokenType ?? "Bearer", source: response.source,
      userInfo: response.userInfo, resource: context.resource, sent: nil, screens: [])
  }

  /// Validates that the server granted all scopes. A missing `email` alone does not fail the check, but it appears
  /// among the declined scopes if another scope is also missing.
  private func checkScopes(_ result: TokenResult, requested: ScopeSet) throws(MSALError) {
    guard !result.accessToken.isEmpty else { return }
    let declined = requested.subtracting(ScopeSet(result.scopes))
    guard declined.scopes.contains(where: { $0.lowercased() != "email" }) else { return }
    let granted = ScopeSet(result.scopes).withoutOpenIDConnect.scopes
    var error = MSALError(
      .serverDeclinedScopes, "the service did not grant all requested scopes; declined: \(declined.text)")
    error.grantedScopes = granted
    error.declinedScopes = declined.scopes
    error.invalidResult = result
    trace.recordDecision(
      "scopes", "declined", reason: "not granted: \(declined.text)",
      ["granted": TraceValue(granted), "declined": TraceValue(declined.scopes)])
    throw error
  }
}

extension TokenResult.Source {
  /// The name of the grant type, as stored in the `account_source` cache field.
  fileprivate var grantName: String {
    switch self {
    case .cache, .refreshToken: "refresh_token"
    case .authorizationCode: "authorization_code"
    case .deviceCode: "urn:ietf:params:oauth:grant-type:device_code"
    }
  }
}
