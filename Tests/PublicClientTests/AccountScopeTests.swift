import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import PublicClient
import SimulatedWorld
import Synchronization
import Testing
import TokenCache

@Suite("Accounts in other clouds, and accounts without an identifier")
struct AccountScopeTests {
  static let governmentURL = "https://login.microsoftonline.us/\(FakeServer.utid)"

  /// Signs in to the US government cloud with an application that is configured for the public cloud.
  func signedInToGovernmentCloud() async throws -> TestClient {
    let client = try TestClient()
    let government = try Authority(parsing: Self.governmentURL)
    client.server.state.withLock { state in
      state.metadata = { $0["issuer"] = .string("\(Self.governmentURL)/v2.0") }
      state.claims = { $0["iss"] = .string("\(Self.governmentURL)/v2.0") }
    }
    let result = try await client.signIn { $0.token.authority = government }
    #expect(result.account.environment == "login.microsoftonline.us")
    return client
  }

  @Test("lists and removes an account in a cloud other than the application's cloud")
  func otherCloud() async throws {
    let client = try await signedInToGovernmentCloud()
    let account = try #require(try client.application.accounts().first)
    #expect(account.environment == "login.microsoftonline.us")
    #expect(try client.application.currentAccount().account == account)
    let restarted = try TestClient(store: client.store, server: client.server)
    #expect(try restarted.application.account(username: "megan@contoso.com") == account)
    try restarted.application.remove(account)
    #expect(try restarted.application.accounts() == [])
    let contents = try UnifiedTokenCache(store: client.store).contents()
    #expect([CacheSectionName.accessToken, .refreshToken, .idToken].map { contents.count($0) } == [0, 0, 0])
  }

  @Test("finds and removes tokens that are cached under an alias of the cloud")
  func aliases() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    // Simulates another library's cache, which does not store sign-in states.
    let text = String(decoding: try #require(try client.store.load()), as: UTF8.self)
    var cache = try JSON(parsing: text)
    cache["AccountMetadata"] = nil
    cache["RefreshToken"] = try JSON(
      parsing: try #require(cache["RefreshToken"]).text().replacing("login.windows.net", with: "login.microsoft.com"))
    let restarted = try TestClient(store: MemoryBlobStore(Array(cache.text().utf8)), server: client.server)
    let account = try #require(try restarted.application.accounts().first)
    try restarted.application.remove(account)
    #expect(try UnifiedTokenCache(store: restarted.store).contents().count(.refreshToken) == 0)
    #expect(try restarted.application.accounts() == [])
  }

  @Test("ignores blank filters, but does not find an account by a blank identifier")
  func blank() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    for text in ["", " \t\n"] {
      for parameters in [
        AccountEnumerationParameters(identifier: text), AccountEnumerationParameters(username: text),
        AccountEnumerationParameters(tenantProfileIdentifier: text),
        AccountEnumerationParameters(identifier: text, tenantProfileIdentifier: text, username: "MEGAN@contoso.com"),
      ] {
        #expect(try client.application.accounts(parameters) == [TestClient.megan])
      }
      #expect(try client.application.accounts(AccountEnumerationParameters(identifier: text, username: "x")) == [])
      #expect(try client.application.account(identifier: text) == nil)
    }
  }

  // MARK: Accounts without an identifier

  static func account(username: String) -> Account {
    Account(identifier: "", username: username, environment: "")
  }

  @Test("signs out an account with only a username", arguments: [true, false])
  func byName(isRemoved: Bool) async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    let account = Self.account(username: "Megan@Contoso.com")
    if isRemoved {
      try client.application.remove(account)
    } else {
      _ = try await client.application.signOut(SignOutParameters(account: account))
    }
    #expect(try client.application.accounts() == [])
    let contents = try UnifiedTokenCache(store: client.store).contents()
    #expect(contents.count(.refreshToken) == 0)
    let metadata = try #require(contents.accountMetadata(clientID: FakeServer.clientID))
    #expect(metadata.signInState(of: FakeServer.homeAccountID) == .signedOut)
    #expect(metadata.signInState(of: "") == .unknown)
    #expect(client.events.decisions.contains("account signed out"))
  }

  @Test("does not sign out or remove an account with an unknown username")
  func unknownUsername() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    let before = try client.store.load()
    for account in [
      Self.account(username: "nobody@contoso.com"), Self.account(username: ""), Self.account(username: " "),
    ] {
      try client.application.remove(account)
      var parameters = SignOutParameters(account: account)
      parameters.wipeAccount = true
      _ = try await client.application.signOut(parameters)
    }
    #expect(try client.store.load() == before)
    #expect(!client.events.decisions.contains("account signed out"))
    #expect(client.events.decisions.contains("account not found"))
  }

  @Test("wipes a signed-out account, or all accounts if the username is unknown")
  func wiped() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    try client.application.remove(TestClient.megan)
    var parameters = SignOutParameters(account: Self.account(username: "megan@contoso.com"))
    parameters.wipeAccount = true
    _ = try await client.application.signOut(parameters)
    #expect(try UnifiedTokenCache(store: client.store).contents().count(.account) == 0)
    _ = try await client.signIn()
    parameters = SignOutParameters(account: Self.account(username: "nobody@contoso.com"))
    parameters.wipeCacheForAllAccounts = true
    _ = try await client.application.signOut(parameters)
    #expect(try UnifiedTokenCache(store: client.store).contents().count(.account) == 0)
  }
}
