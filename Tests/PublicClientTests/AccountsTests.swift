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

@Suite("Accounts and signing out")
struct AccountsTests {
  /// Signs in a second user.
  func signInAlex(_ stage: Stage) async throws {
    stage.answer { form, platform in
      platform.state.withLock { state in
        state.claims = {
          $0["oid"] = "alex-oid"
          $0["sub"] = "subject-2"
          $0["preferred_username"] = "alex@contoso.com"
          $0["tid"] = "33333333-0000-4000-8000-000000000003"
          $0["iss"] = "https://login.microsoftonline.com/33333333-0000-4000-8000-000000000003/v2.0"
        }
      }
      return platform.tokens(for: form) {
        $0["client_info"] = .string(ClientInfo(uid: "Alex-OID", utid: "33333333-0000-4000-8000-000000000003").encoded)
      }
    }
    _ = try await stage.signIn()
    stage.platform.state.withLock { state in state.claims = { _ in } }
  }

  @Test("An enumerated account has its profile and claims")
  func enumerated() async throws {
    let stage = try Stage()
    #expect(try stage.application.accounts() == [])
    let result = try await stage.signIn()
    #expect(result.account.tenantProfiles == nil)
    let account = try #require(try stage.application.accounts().first)
    #expect(account.identifier == FakePlatform.home)
    #expect(account.objectID == FakePlatform.uid)
    #expect(account.homeTenantID == FakePlatform.utid)
    #expect(account.environment == "login.windows.net")
    #expect(account.accountClaims?["name"] == "Megan Bowen")
    #expect(account.tenantProfiles?.map(\.identifier) == [FakePlatform.uid])
    #expect(account.tenantProfiles?.first?.isHomeTenantProfile == true)
    #expect(account.json["homeAccountId"]?["tenantId"] == .string(FakePlatform.utid))
  }

  @Test("By identifier, name, and profile; no match is no error, a blank name is one")
  func found() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    try await signInAlex(stage)
    #expect(try stage.application.accounts().count == 2)
    #expect(try stage.application.account(identifier: FakePlatform.home.uppercased())?.username == "megan@contoso.com")
    #expect(try stage.application.account(username: "ALEX@contoso.com")?.objectID == "alex-oid")
    #expect(try stage.application.account(username: "nobody@contoso.com") == nil)
    let byProfile = AccountEnumerationParameters(tenantProfileIdentifier: "ALEX-oid")
    #expect(try stage.application.accounts(byProfile).map(\.username) == ["alex@contoso.com"])
    #expect(throws: MSALError.self) { try stage.application.account(username: " ") }
  }

  @Test("finds an account by the username of any of its tenant profiles")
  func foundByGuestName() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    let tenant = "33333333-0000-4000-8000-000000000003"
    let guest = "megan_contoso.com#EXT#@fabrikam.com"
    stage.platform.state.withLock { state in
      state.claims = {
        $0["tid"] = .string(tenant)
        $0["iss"] = .string("https://login.microsoftonline.com/\(tenant)/v2.0")
        $0["preferred_username"] = .string(guest)
      }
    }
    _ = try await stage.signIn()
    let found = try #require(try stage.application.account(username: guest.uppercased()))
    #expect(found.identifier == FakePlatform.home)
    #expect(found.username == "megan@contoso.com")
    #expect(found.tenantProfiles?.count == 2)
  }

  @Test("The current account, and the one before when it changes")
  func current() async throws {
    let stage = try Stage()
    #expect(try stage.application.currentAccount().account == nil)
    _ = try await stage.signIn()
    let first = try stage.application.currentAccount()
    #expect(first.account?.username == "megan@contoso.com")
    #expect(first.previous == nil)
    #expect(try stage.application.currentAccount().previous == nil)
    _ = try await stage.application.signOut(SignOutParameters(account: Stage.megan))
    try await signInAlex(stage)
    let second = try stage.application.currentAccount()
    #expect(second.account?.username == "alex@contoso.com")
    #expect(second.previous?.username == "megan@contoso.com")
    #expect(try stage.application.currentAccount().previous == nil)
    _ = try await stage.signIn()
    let error = #expect(throws: MSALError.self) { try stage.application.currentAccount() }
    #expect(error?.outcomeName == "ambiguousAccount")
  }

  @Test("One account in two tenants is one, with two profiles; the home tenant's name counts")
  func guest() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    let guestTenant = "44444444-0000-4000-8000-000000000004"
    stage.platform.state.withLock { state in
      state.claims = {
        $0["tid"] = .string(guestTenant)
        $0["iss"] = .string("https://login.microsoftonline.com/\(guestTenant)/v2.0")
        $0["oid"] = "guest-oid"
        $0["preferred_username"] = "megan_guest"
      }
      state.metadata = { $0["issuer"] = "https://login.microsoftonline.com/{tenantid}/v2.0" }
    }
    let guest = try Authority(parsing: "https://login.microsoftonline.com/\(guestTenant)")
    let result = try await stage.silent {
      $0.token.authority = guest
      $0.forceRefresh = true
    }
    #expect(result.tenantProfile.tenantID == guestTenant)
    #expect(!result.tenantProfile.isHomeTenantProfile)
    let account = try #require(try stage.application.accounts().first)
    #expect(try stage.application.accounts().count == 1)
    #expect(account.username == "megan@contoso.com")
    #expect(account.tenantProfiles?.map(\.tenantID) == [FakePlatform.utid, guestTenant])
    #expect(try await stage.silent { $0.token.authority = guest }.source == .cache)
    #expect(try await stage.silent().tenantProfile.tenantID == FakePlatform.utid)
  }

  @Test("Accounts are equal by identifier, or else by name")
  func equality() {
    let one = Account(identifier: "A.B", username: "x", environment: "e")
    #expect(one == Account(identifier: "a.b", username: "y", environment: "f"))
    #expect(one != Account(identifier: "a.c", username: "x", environment: "e"))
    #expect(one == Account(identifier: "", username: "X", environment: "e"))
  }

  // MARK: Signing out

  @Test(
    "What a sign-out leaves",
    arguments: [(false, false, 1, 2, 2), (true, false, 0, 1, 1), (false, true, 0, 0, 0)])
  func leaves(wipeAccount: Bool, wipeAll: Bool, others: Int, records: Int, tokens: Int) async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    try await signInAlex(stage)
    let client2 = try Stage(store: stage.store) { $0.clientID = "client-2" }
    client2.platform.state.withLock { state in state.claims = { $0["aud"] = "client-2" } }
    _ = try await client2.signIn()
    var parameters = SignOutParameters(account: Stage.megan)
    parameters.wipeAccount = wipeAccount
    parameters.wipeCacheForAllAccounts = wipeAll
    _ = try await stage.application.signOut(parameters)
    let contents = try UnifiedTokenCache(store: stage.store).contents()
    #expect(contents.count(.account) == records)
    #expect(contents.count(.refreshToken) == tokens)
    #expect(try stage.application.accounts().map(\.username) == (wipeAll ? [] : ["alex@contoso.com"]))
    let ofOther = try client2.application.accounts().filter { $0 == Stage.megan }
    #expect(ofOther.count == others)
    #expect(stage.platform.state.withLock { $0.visits.count } == 2)
  }

  @Test("An account is needed, and a web view for the browser's part; then nothing is removed")
  func parameters() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    var parameters = SignOutParameters(account: nil)
    await #expect(throws: MSALError.self) { try await stage.application.signOut(parameters) }
    parameters.account = Stage.megan
    parameters.signoutFromBrowser = true
    parameters.webview = nil
    let prepared = parameters
    let error = await #expect(throws: MSALError.self) { try await stage.application.signOut(prepared) }
    #expect(error?.outcomeName == "invalidParameter")
    #expect(try stage.application.accounts().count == 1)
    try stage.application.remove(nil)
    try stage.application.remove(Account(identifier: "no.body", username: "", environment: ""))
    #expect(try stage.application.accounts().count == 1)
  }

  @Test("The browser's part: address, state, and ways to end")
  func browser() async throws {
    let stage = try Stage {
      $0.extraQueryParameters = ["a": "1"]
      $0.sliceConfig = SliceConfiguration(slice: "testslice", dataCenter: "prod-wst")
    }
    _ = try await stage.signIn()
    var parameters = SignOutParameters(account: Stage.megan)
    parameters.signoutFromBrowser = true
    parameters.extraQueryParameters = ["logout_hint": "megan bowen"]
    let prepared = parameters
    let outcome = try await stage.simulation.run { try await stage.application.signOut(prepared) }
    #expect(outcome.sent?.path == "/common/oauth2/v2.0/logout")
    #expect(outcome.sent?.parameters["post_logout_redirect_uri"] == FakePlatform.redirectURI)
    #expect(outcome.sent?.parameters["logout_hint"] == "megan bowen")
    #expect(stage.platform.with { $0.visits.last?.url.contains("logout_hint=megan%20bowen&") } == true)
    for name in ["a", "slice", "dc"] { #expect(outcome.sent?.parameters[name] == nil, "\(name)") }
    #expect(outcome.screens == ["signedOut"])
    stage.platform.state.withLock { $0.ending = .closed(reason: "enough") }
    _ = try await stage.simulation.run { try await stage.application.signOut(prepared) }
    stage.platform.state.withLock { $0.ending = .redirected(url: "msauth.com.contoso.mail://auth?state=other") }
    let error = await #expect(throws: MSALError.self) {
      try await stage.simulation.run { try await stage.application.signOut(prepared) }
    }
    #expect(error?.outcomeName == "invalidState")
  }
}
