import Documents
import Effects
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// What happens with the tokens of every flow: who they belong to, what is kept, and whether they are what was asked for.
struct TokenResponseProcessor: Sendable {
  let configuration: PublicClientConfiguration
  let cache: UnifiedTokenCache
  let clock: any WorldClock
  let trace: TraceRecorder

  /// An answer that was received and checked.
  struct Answer: Sendable {
    var tokens: TokenResponse
    /// The checked ID token of this answer; nil where it had none.
    var idToken: ValidatedIDToken?
    var cloud: CloudRecord
    /// The authority that the app asked for, and the one that answered.
    var requestAuthority: Authority
    var authority: Authority
    var source: TokenResult.Source
    /// The account of a silent call; an answer that does not say otherwise belongs to it.
    var account: Account?
    /// What was used, to be kept where the answer brings no other.
    var refreshToken: Secret?
    /// What the userinfo endpoint said, where it was asked.
    var userInfo: JSON?
  }

  /// Saves and judges.
  /// - Throws: `serverDeclinedScopes` where less was granted than asked; the tokens are kept all the same.
  func take(_ answer: Answer, for context: RequestContext) throws(MSALError) -> TokenResult {
    let claims = answer.idToken?.claims ?? cachedClaims(answer)
    let user = try User(answer, claims: claims, configuration: configuration)
    try checkUser(user, answer, context)
    let granted = answer.tokens.scope?.scopes ?? context.scopes.scopes
    guard save(answer, user, granted: granted) else {
      trace.recordDecision(
        "account", "signed out", reason: "\(user.username) signed out while the answer was on its way")
      throw MSALError(.interactionRequired, "\(user.username) signed out meanwhile: sign in again")
    }
    let result = self.result(answer, user, claims: claims, granted: granted, context)
    try checkScopes(result, asked: context.scopes)
    trace.record(.tokenAcquired, result.traceMembers)
    return result
  }

  /// A refreshed token must be of the account that was asked for. Signing in as somebody else is the user's choice; MSAL
  /// gives the other account, and so is it here, with a word in the trace.
  private func checkUser(_ user: User, _ answer: Answer, _ context: RequestContext) throws(MSALError) {
    guard let asked = (answer.account ?? context.account)?.identifier, !asked.isEmpty, asked != user.homeAccountID
    else { return }
    guard answer.source == .refreshToken else {
      return trace.recordDecision(
        "account", "another", reason: "\(user.username) signed in, which is not the account that was asked for")
    }
    trace.recordDecision(
      "account", "refused", reason: "the refreshed token is of another account than the one asked for")
    throw MSALError(.mismatchedAccount, "the server answered with tokens of another account")
  }

  /// The account and tenant that an answer belongs to.
  private struct User {
    var homeAccountID: String
    var realm: String
    var username: String
    var localAccountID: String
    var clientInfo: String?

    init(_ answer: Answer, claims: JSON, configuration: PublicClientConfiguration) throws(MSALError) {
      let kind = answer.authority.kind
      let info = answer.tokens.clientInfo
      // Other issuers know people by their subject alone, and only a new ID token says whose the answer is.
      let subject = kind == .oidc && answer.idToken != nil ? claims["sub"]?.string : nil
      guard
        let home = info?.homeAccountID ?? subject ?? answer.account?.identifier ?? claims["sub"]?.string
      else {
        throw MSALError(.internal, "the answer does not say whose tokens these are")
      }
      homeAccountID = home.trimmingSpaces().lowercased()
      let tenant = answer.authority.realm
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
        default: name ?? answer.account?.username ?? ""
        }
      localAccountID = claims["oid"]?.string ?? claims["sub"]?.string ?? ""
      clientInfo = answer.tokens.json["client_info"]?.string
    }

    /// What MSAL writes where a B2C token names nobody.
    static let missingUsername = "Missing from the token response"
  }

  private func cachedClaims(_ answer: Answer) -> JSON {
    guard let account = answer.account, let contents = try? cache.contents() else { return [:] }
    return contents.idToken(
      homeAccountID: account.identifier, environments: answer.cloud.aliases, clientID: configuration.clientID,
      realm: answer.authority.realm
    ).flatMap { UnverifiedJWT.looseClaims(of: $0.record.secret.reveal()) } ?? [:]
  }

  /// A failure to save does not fail the request.
  /// - Returns: false, with nothing saved, where the account signed out of the app while its token was being refreshed.
  private func save(_ answer: Answer, _ user: User, granted: [String]) -> Bool {
    let tokens = answer.tokens
    let claims = answer.idToken?.claims
    let account = AccountRecord(
      homeAccountID: user.homeAccountID, environment: answer.cloud.preferredCache, realm: user.realm,
      localAccountID: user.localAccountID, username: user.username, authorityType: "MSSTS",
      source: answer.source.grantName, name: claims?["name"]?.string, givenName: claims?["given_name"]?.string,
      middleName: claims?["middle_name"]?.string, familyName: claims?["family_name"]?.string,
      clientInfo: user.clientInfo)
    let entry = TokensToSave(
      homeAccountID: user.homeAccountID, environment: answer.cloud.preferredCache, environments: answer.cloud.aliases,
      clientID: configuration.clientID, realm: user.realm, target: granted, accessToken: tokens.accessToken,
      tokenType: tokens.tokenType ?? "Bearer", expiresOn: tokens.expiresOn, extendedExpiresOn: tokens.extendedExpiresOn,
      refreshOn: tokens.refreshOn, refreshToken: tokens.refreshToken ?? answer.refreshToken, familyID: tokens.familyID,
      idToken: answer.idToken?.raw, account: claims == nil ? nil : account)
    let authority = resultAuthority(answer, user)
    do {
      let (isSaved, changes) = try cache.update { contents in
        let metadata = contents.accountMetadata(clientID: configuration.clientID)
        if answer.source == .refreshToken, metadata?.signInState(of: user.homeAccountID) == .signedOut {
          return false
        }
        contents.save(entry, now: clock.now)
        contents.changeAccountMetadata(clientID: configuration.clientID) { metadata in
          metadata.recordAuthority(
            authority, for: answer.requestAuthority.url, instanceAware: configuration.multipleCloudsSupported,
            account: user.homeAccountID)
        }
        return true
      }
      trace.recordCacheWritten(changes, reason: "tokens received")
      return isSaved
    } catch {
      let reason = (error as? TokenCacheFailure)?.explanation ?? "\(error)"
      trace.recordDecision("cache", "not written", reason: "\(reason); the tokens are good for this run only")
      return true
    }
  }

  /// The tenant's own authority in the cloud that answered.
  private func resultAuthority(_ answer: Answer, _ user: User) -> String {
    answer.authority.kind == .oidc ? answer.authority.url : answer.authority.replacingTenant(with: user.realm).url
  }

  private func result(
    _ answer: Answer, _ user: User, claims: JSON, granted: [String], _ context: RequestContext
  ) -> TokenResult {
    let isHome = user.homeAccountID.hasSuffix(".\(user.realm.lowercased())") || answer.authority.kind == .oidc
    let claims = IDTokenClaims(claims)
    let account = Account(
      identifier: user.homeAccountID, username: user.username, environment: answer.cloud.preferredCache,
      claims: isHome ? claims : nil)
    let profile = TenantProfile(
      identifier: user.localAccountID, environment: answer.cloud.preferredCache, tenantID: user.realm,
      isHomeTenantProfile: isHome, tokenClaims: claims)
    return TokenResult(
      accessToken: answer.tokens.accessToken ?? Secret("", kind: .accessToken), expiresOn: answer.tokens.expiresOn,
      extendedLifeTimeToken: false, scopes: granted, idToken: answer.idToken?.raw, claims: claims,
      account: account, tenantProfile: profile, authority: resultAuthority(answer, user),
      correlationID: context.correlationID, tokenType: answer.tokens.tokenType ?? "Bearer", source: answer.source,
      userInfo: answer.userInfo, resource: context.resource, sent: nil, screens: [])
  }

  /// Whether everything was granted. `email` never fails the check, but is named among the declined ones where another does.
  private func checkScopes(_ result: TokenResult, asked: ScopeSet) throws(MSALError) {
    guard !result.accessToken.isEmpty else { return }
    let declined = asked.subtracting(ScopeSet(result.scopes))
    guard declined.scopes.contains(where: { $0.lowercased() != "email" }) else { return }
    let granted = ScopeSet(result.scopes).withoutOpenIDConnect.scopes
    var error = MSALError(
      .serverDeclinedScopes, "the server granted fewer scopes than were asked for; declined: \(declined.text)")
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
  /// The grant as the cache's `account_source` names it.
  fileprivate var grantName: String {
    switch self {
    case .cache, .refreshToken: "refresh_token"
    case .authorizationCode: "authorization_code"
    case .deviceCode: "urn:ietf:params:oauth:grant-type:device_code"
    }
  }
}
