import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import PublicClient
import RunTrace
import SimulatedWorld
import Synchronization
import Testing
import TokenCache

@Suite("Accounts and sign-out")
struct AccountsTests {
  /// Signs in a second user.
  func signInAlex(_ client: TestClient) async throws {
    client.enqueue { form, server in
      server.state.withLock { state in
        state.claims = {
          $0["oid"] = "alex-oid"
          $0["sub"] = "subject-2"
          $0["preferred_username"] = "alex@contoso.com"
          $0["tid"] = "33333333-0000-4000-8000-000000000003"
          $0["iss"] = "https://login.microsoftonline.com/33333333-0000-4000-8000-000000000003/v2.0"
        }
      }
      return server.tokenResponse(for: form) {
        $0["client_info"] = .string(ClientInfo(uid: "Alex-OID", utid: "33333333-0000-4000-8000-000000000003").encoded)
      }
    }
    _ = try await client.signIn()
    client.server.state.withLock { state in state.claims = { _ in } }
  }

  @Test("enumerates accounts with tenant profiles and claims")
  func enumerated() async throws {
    let client = try TestClient()
    #expect(try client.application.accounts() == [])
    let result = try await client.signIn()
    #expect(result.account.tenantProfiles == nil)
    let account = try #require(try client.application.accounts().first)
    #expect(account.identifier == FakeServer.homeAccountID)
    #expect(account.objectID == FakeServer.uid)
    #expect(account.homeTenantID == FakeServer.utid)
    #expect(account.environment == "login.windows.net")
    #expect(account.accountClaims?["name"] == "Megan Bowen")
    #expect(account.tenantProfiles?.map(\.identifier) == [FakeServer.uid])
    #expect(account.tenantProfiles?.first?.isHomeTenantProfile == true)
    #expect(account.json["homeAccountId"]?["tenantId"] == .string(FakeServer.utid))
  }

  @Test("finds accounts by identifier, username, and tenant profile, and rejects a blank username")
  func found() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    try await signInAlex(client)
    #expect(try client.application.accounts().count == 2)
    #expect(
      try client.application.account(identifier: FakeServer.homeAccountID.uppercased())?.username == "megan@contoso.com"
    )
    #expect(try client.application.account(username: "ALEX@contoso.com")?.objectID == "alex-oid")
    #expect(try client.application.account(username: "nobody@contoso.com") == nil)
    let byProfile = AccountEnumerationParameters(tenantProfileIdentifier: "ALEX-oid")
    #expect(try client.application.accounts(byProfile).map(\.username) == ["alex@contoso.com"])
    #expect(throws: MSALError.self) { try client.application.account(username: " ") }
  }

  @Test("finds an account by the username of any of its tenant profiles")
  func guestUsername() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    let tenant = "33333333-0000-4000-8000-000000000003"
    let guest = "megan_contoso.com#EXT#@fabrikam.com"
    client.server.state.withLock { state in
      state.claims = {
        $0["tid"] = .string(tenant)
        $0["iss"] = .string("https://login.microsoftonline.com/\(tenant)/v2.0")
        $0["preferred_username"] = .string(guest)
      }
    }
    _ = try await client.signIn()
    let found = try #require(try client.application.account(username: guest.uppercased()))
    #expect(found.identifier == FakeServer.homeAccountID)
    #expect(found.username == "megan@contoso.com")
    #expect(found.tenantProfiles?.count == 2)
  }

  @Test("returns the current account and, only in the first call after a change, the previous account")
  func current() async throws {
    let client = try TestClient()
    #expect(try client.application.currentAccount().account == nil)
    _ = try await client.signIn()
    let first = try client.application.currentAccount()
    #expect(first.account?.username == "megan@contoso.com")
    #expect(first.previous == nil)
    #expect(try client.application.currentAccount().previous == nil)
    _ = try await client.application.signOut(SignOutParameters(account: TestClient.megan))
    try await signInAlex(client)
    let second = try client.application.currentAccount()
    #expect(second.account?.username == "alex@contoso.com")
    #expect(second.previous?.username == "megan@contoso.com")
    #expect(try client.application.currentAccount().previous == nil)
    _ = try await client.signIn()
    let error = #expect(throws: MSALError.self) { try client.application.currentAccount() }
    #expect(error?.outcomeName == "ambiguousAccount")
  }

  @Test("merges the profiles of two tenants into one account with the username of the home tenant")
  func guest() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    let guestTenant = "44444444-0000-4000-8000-000000000004"
    client.server.state.withLock { state in
      state.claims = {
        $0["tid"] = .string(guestTenant)
        $0["iss"] = .string("https://login.microsoftonline.com/\(guestTenant)/v2.0")
        $0["oid"] = "guest-oid"
        $0["preferred_username"] = "megan_guest"
      }
      state.metadata = { $0["issuer"] = "https://login.microsoftonline.com/{tenantid}/v2.0" }
    }
    let guest = try Authority(parsing: "https://login.microsoftonline.com/\(guestTenant)")
    let result = try await client.silent {
      $0.token.authority = guest
      $0.forceRefresh = true
    }
    #expect(result.tenantProfile.tenantID == guestTenant)
    #expect(!result.tenantProfile.isHomeTenantProfile)
    let account = try #require(try client.application.accounts().first)
    #expect(try client.application.accounts().count == 1)
    #expect(account.username == "megan@contoso.com")
    #expect(account.tenantProfiles?.map(\.tenantID) == [FakeServer.utid, guestTenant])
    #expect(try await client.silent { $0.token.authority = guest }.source == .cache)
    #expect(try await client.silent().tenantProfile.tenantID == FakeServer.utid)
  }

  @Test("compares accounts by identifier, or by username if an identifier is missing")
  func equality() {
    let one = Account(identifier: "A.B", username: "x", environment: "e")
    #expect(one == Account(identifier: "a.b", username: "y", environment: "f"))
    #expect(one != Account(identifier: "a.c", username: "x", environment: "e"))
    #expect(one == Account(identifier: "", username: "X", environment: "e"))
  }

  // MARK: Sign-out

  @Test(
    "signs out of one app, removes the account from all apps, or removes all accounts",
    arguments: [(false, false, 1, 2, 2), (true, false, 0, 1, 1), (false, true, 0, 0, 0)])
  func remaining(wipeAccount: Bool, wipeAll: Bool, others: Int, records: Int, tokens: Int) async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    try await signInAlex(client)
    let otherClient = try TestClient(store: client.store) { $0.clientID = "client-2" }
    otherClient.server.state.withLock { state in state.claims = { $0["aud"] = "client-2" } }
    _ = try await otherClient.signIn()
    var parameters = SignOutParameters(account: TestClient.megan)
    parameters.wipeAccount = wipeAccount
    parameters.wipeCacheForAllAccounts = wipeAll
    _ = try await client.application.signOut(parameters)
    let contents = try UnifiedTokenCache(store: client.store).contents()
    #expect(contents.count(.account) == records)
    #expect(contents.count(.refreshToken) == tokens)
    #expect(try client.application.accounts().map(\.username) == (wipeAll ? [] : ["alex@contoso.com"]))
    let otherAccounts = try otherClient.application.accounts().filter { $0 == TestClient.megan }
    #expect(otherAccounts.count == others)
    #expect(client.server.state.withLock { $0.visits.count } == 2)
  }

  @Test("rejects a sign-out without an account, or a browser sign-out without a web view")
  func parameters() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    var parameters = SignOutParameters(account: nil)
    await #expect(throws: MSALError.self) { try await client.application.signOut(parameters) }
    parameters.account = TestClient.megan
    parameters.signoutFromBrowser = true
    parameters.webview = nil
    let prepared = parameters
    let error = await #expect(throws: MSALError.self) { try await client.application.signOut(prepared) }
    #expect(error?.outcomeName == "invalidParameter")
    #expect(try client.application.accounts().count == 1)
    try client.application.remove(nil)
    try client.application.remove(Account(identifier: "no.body", username: "", environment: ""))
    #expect(try client.application.accounts().count == 1)
  }

  @Test("signs out of the browser, and validates the redirect's state")
  func browser() async throws {
    let client = try TestClient {
      $0.extraQueryParameters = ["a": "1"]
      $0.sliceConfig = SliceConfiguration(slice: "testslice", dataCenter: "prod-wst")
    }
    _ = try await client.signIn()
    var parameters = SignOutParameters(account: TestClient.megan)
    parameters.signoutFromBrowser = true
    parameters.extraQueryParameters = ["logout_hint": "megan bowen"]
    let prepared = parameters
    let outcome = try await client.simulation.run { try await client.application.signOut(prepared) }
    #expect(outcome.sent?.path == "/common/oauth2/v2.0/logout")
    #expect(outcome.sent?.parameters["post_logout_redirect_uri"] == FakeServer.redirectURI)
    #expect(outcome.sent?.parameters["logout_hint"] == "megan bowen")
    #expect(client.server.with { $0.visits.last?.url.contains("logout_hint=megan%20bowen&") } == true)
    for name in ["a", "slice", "dc"] { #expect(outcome.sent?.parameters[name] == nil, "\(name)") }
    #expect(outcome.screens == ["signedOut"])
    client.server.state.withLock { $0.browserResult = .closed(reason: "closed") }
    _ = try await client.simulation.run { try await client.application.signOut(prepared) }
    client.server.state.withLock { $0.browserResult = .redirected(url: "msauth.com.contoso.mail://auth?state=other") }
    let error = await #expect(throws: MSALError.self) {
      try await client.simulation.run { try await client.application.signOut(prepared) }
    }
    #expect(error?.outcomeName == "invalidState")
  }
}
