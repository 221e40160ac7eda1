import AuthflowTesting
import Foundation
import Testing

/// The emulated client behaves like MSAL.
@Suite struct ClientTests {
  let platform: EmulatedPlatform
  let client: EmulatedPublicClient

  init() throws {
    platform = try EmulatedPlatform()
    client = try EmulatedPublicClient(on: platform)
  }

  @Test func returnsCachedTokensAndRefreshesExpiredTokens() async throws {
    let first = try await client.acquireToken(scopes: ["User.Read"])
    #expect(first.source == .authorizationCode && first.scopes.contains("User.Read"))
    #expect(first.account.username == "megan@contoso.com" && first.idToken != nil)
    let account = first.account
    #expect(try await client.acquireTokenSilent(scopes: ["user.read"], account: account).source == .cache)
    #expect(
      try await client.acquireTokenSilent(scopes: ["User.Read"], account: account, forceRefresh: true).source
        == .refreshToken)
    await platform.advance(by: .seconds(7200))
    let later = try await client.acquireTokenSilent(scopes: ["User.Read"], account: account)
    #expect(later.source == .refreshToken && later.expiresOn > platform.now)
    #expect(try client.accounts() == [account])
    #expect(try client.account(forIdentifier: account.identifier) == account)
    #expect(client.interactions == 1)
  }

  @Test func errorsBridgeToMSALErrors() async throws {
    let account = try await client.acquireToken(scopes: ["User.Read"]).account
    try await platform.simulate(.sessionsRevoked())
    await platform.advance(by: .seconds(7200))
    do {
      _ = try await client.acquireTokenSilent(scopes: ["User.Read"], account: account)
      Issue.record("the refresh token was revoked")
    } catch let error as EmulatedMSALError {
      #expect(error.code == .interactionRequired && error.oauthError == "invalid_grant")
      #expect(error.serverCode?.hasPrefix("AADSTS") == true && error.name == "interactionRequired")
      #expect(error.description.hasPrefix("interactionRequired (-50002), AADSTS"))
      let bridged = error as NSError
      #expect(bridged.domain == "MSALErrorDomain" && bridged.code == -50_002)
      #expect(bridged.userInfo["MSALOAuthErrorKey"] as? String == "invalid_grant")
    }
  }

  @Test func reportsDeclinedScopes() async throws {
    client.user.consent = .only(["User.Read"])
    let error = await #expect(throws: EmulatedMSALError.self) {
      try await client.acquireToken(scopes: ["User.Read", "Mail.Read"])
    }
    #expect(error?.code == .serverDeclinedScopes && error?.declinedScopes == ["Mail.Read"])
  }

  @Test(
    arguments: [
      (EmulatedUser(cancels: .at("password")), EmulatedMSALError.Code.userCanceled),
      (EmulatedUser("mona@contoso.com", mfa: .ignore), .userCanceled),
      (EmulatedUser(consent: .decline), .userCanceled),
      (EmulatedUser("dora@contoso.com"), .userCanceled),
    ])
  func userBehaviorDeterminesTheError(user: EmulatedUser, code: EmulatedMSALError.Code) async {
    client.user = user
    let error = await #expect(throws: EmulatedMSALError.self) { try await client.acquireToken(scopes: ["User.Read"]) }
    #expect(error?.code == code)
  }

  @Test func aSignInFrequencyPolicyRequiresInteraction() async throws {
    client.user = EmulatedUser("mona@contoso.com")
    let account = try await client.acquireToken(scopes: ["User.Read"]).account
    try await platform.simulate("policyAdded: {name: fresh, require: mfa, signInFrequency: 1h}", "wait: 2h")
    let error = await #expect(throws: EmulatedMSALError.self) {
      try await client.acquireTokenSilent(scopes: ["User.Read"], account: account)
    }
    #expect(error?.code == .interactionRequired)
    _ = try await client.acquireToken(scopes: ["User.Read"], account: account, claims: error?.claims)
    #expect(client.screens == ["password"] && client.interactions == 2)
  }

  @Test func networkErrorsAreURLErrors() async throws {
    try await platform.simulate(.offline)
    let error = await #expect(throws: URLError.self) { try await client.acquireToken(scopes: ["User.Read"]) }
    #expect(error?.code == .notConnectedToInternet)
  }

  @Test func throttlesUntilTheAppRelaunches() async throws {
    let account = try await client.acquireToken(scopes: ["User.Read"]).account
    await platform.advance(by: .seconds(7200))
    try await platform.simulate(.fault(Fault(at: .token, .status(429, retryAfter: .seconds(60)))))
    let scopes = ["User.Read"]
    await #expect(throws: EmulatedMSALError.self) {
      try await client.acquireTokenSilent(scopes: scopes, account: account)
    }
    let count = try await platform.requests.token
    await #expect(throws: EmulatedMSALError.self) {
      try await client.acquireTokenSilent(scopes: scopes, account: account)
    }
    #expect(try await platform.requests.token == count, "MSAL does not send the request")
    let relaunched = try client.relaunched()
    #expect(try await relaunched.acquireTokenSilent(scopes: scopes, account: account).source == .refreshToken)
  }

  @Test func signOutRemovesTheAccountAndTheBrowserSession() async throws {
    let account = try await client.acquireToken(scopes: ["User.Read"]).account
    #expect(try client.currentAccount() == account)
    try await client.signOut(account, fromBrowser: true)
    #expect(try client.currentAccount() == nil)
    _ = try await client.acquireToken(scopes: ["User.Read"])
    #expect(client.screens.contains("password"), "the sign-out ended the browser session")
  }

  @Test func readsTheSettingsOfAnApp() throws {
    _ = try EmulatedPublicClient(on: platform, settings: "Workflows/AuthSettings.plist")
    let error = try #require(throws: AuthflowError.self) {
      try EmulatedPublicClient(
        on: platform, clientID: "not a GUID", authority: "http://login.microsoftonline.com/common")
    }
    #expect(error.diagnostics.contains { $0.severity == .error })
  }

  @Test("fails with -42000 if the claims or the authority are malformed, or the authority is unknown")
  func malformedParameters() async throws {
    let account = try await client.acquireToken(scopes: ["User.Read"]).account
    for claims in ["{", "[]", #"{"userinfo":{}}"#, #"{"id_token":{"acrs":{"essential":"yes"}}}"#] {
      let error = await #expect(throws: EmulatedMSALError.self) {
        try await client.acquireTokenSilent(scopes: ["User.Read"], account: account, claims: claims)
      }
      #expect(error?.code == .internal && error?.internalCode == -42_000, "\(claims)")
    }
    for authority in ["http://login.microsoftonline.com/common", "https://login.microsoftonline.com", ""] {
      let error = await #expect(throws: EmulatedMSALError.self) {
        try await client.acquireToken(scopes: ["User.Read"], authority: authority)
      }
      #expect(error?.internalCode == -42_000, "\(authority)")
    }
  }

  @Test("treats a request's authority as B2C if the app uses B2C")
  func requestAuthority() async throws {
    let base = "https://fabrikamb2c.b2clogin.com"
    let b2c = try EmulatedPublicClient(
      on: platform, authority: "\(base)/tfp/fabrikamb2c.onmicrosoft.com/B2C_1_signupsignin")
    let error = await #expect(throws: EmulatedMSALError.self) {
      try await b2c.acquireToken(
        scopes: ["https://fabrikamb2c.onmicrosoft.com/helloapi/demo.read"],
        authority: "\(base)/fabrikamb2c.onmicrosoft.com/B2C_1_passwordreset")
    }
    // MSAL accepts the type of the authority, but rejects the authority because it is not a known authority.
    #expect(error?.internalCode == -42_008)
  }
}
