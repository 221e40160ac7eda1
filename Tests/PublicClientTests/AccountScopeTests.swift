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

@Suite("Which accounts are meant")
struct AccountScopeTests {
  static let governmentURL = "https://login.microsoftonline.us/\(FakePlatform.utid)"

  /// Megan signed in to the government's cloud, with an application of the public one.
  func signedInElsewhere() async throws -> Stage {
    let stage = try Stage()
    let government = try Authority(parsing: Self.governmentURL)
    stage.platform.state.withLock { state in
      state.metadata = { $0["issuer"] = .string("\(Self.governmentURL)/v2.0") }
      state.claims = { $0["iss"] = .string("\(Self.governmentURL)/v2.0") }
    }
    let result = try await stage.signIn { $0.token.authority = government }
    #expect(result.account.environment == "login.microsoftonline.us")
    return stage
  }

  @Test("An account of another cloud than the application's is listed, and removed")
  func otherCloud() async throws {
    let stage = try await signedInElsewhere()
    let account = try #require(try stage.application.accounts().first)
    #expect(account.environment == "login.microsoftonline.us")
    #expect(try stage.application.currentAccount().account == account)
    let later = try Stage(store: stage.store, platform: stage.platform)
    #expect(try later.application.account(username: "megan@contoso.com") == account)
    try later.application.remove(account)
    #expect(try later.application.accounts() == [])
    let contents = try UnifiedTokenCache(store: stage.store).contents()
    #expect([CacheSectionName.accessToken, .refreshToken, .idToken].map { contents.count($0) } == [0, 0, 0])
  }

  @Test("Tokens under another host of the cloud show that the account is signed in, and go with it")
  func aliases() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    // As another program files them, which knows nothing of sign-in states.
    let text = String(decoding: try #require(try stage.store.load()), as: UTF8.self)
    var cache = try JSON(parsing: text)
    cache["AccountMetadata"] = nil
    cache["RefreshToken"] = try JSON(
      parsing: try #require(cache["RefreshToken"]).text().replacing("login.windows.net", with: "login.microsoft.com"))
    let later = try Stage(store: MemoryBlobStore(Array(cache.text().utf8)), platform: stage.platform)
    let account = try #require(try later.application.accounts().first)
    try later.application.remove(account)
    #expect(try UnifiedTokenCache(store: later.store).contents().count(.refreshToken) == 0)
    #expect(try later.application.accounts() == [])
  }

  @Test("Blank filters ask for nothing; a blank identifier alone is nobody's")
  func blank() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    for text in ["", " \t\n"] {
      for parameters in [
        AccountEnumerationParameters(identifier: text), AccountEnumerationParameters(username: text),
        AccountEnumerationParameters(tenantProfileIdentifier: text),
        AccountEnumerationParameters(identifier: text, tenantProfileIdentifier: text, username: "MEGAN@contoso.com"),
      ] {
        #expect(try stage.application.accounts(parameters) == [Stage.megan])
      }
      #expect(try stage.application.accounts(AccountEnumerationParameters(identifier: text, username: "x")) == [])
      #expect(try stage.application.account(identifier: text) == nil)
    }
  }

  // MARK: Known by name only

  static func named(_ name: String) -> Account { Account(identifier: "", username: name, environment: "") }

  @Test("Signing out an account of which only the name is known", arguments: [true, false])
  func byName(isRemoved: Bool) async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    let account = Self.named("Megan@Contoso.com")
    if isRemoved {
      try stage.application.remove(account)
    } else {
      _ = try await stage.application.signOut(SignOutParameters(account: account))
    }
    #expect(try stage.application.accounts() == [])
    let contents = try UnifiedTokenCache(store: stage.store).contents()
    #expect(contents.count(.refreshToken) == 0)
    let metadata = try #require(contents.accountMetadata(clientID: FakePlatform.clientID))
    #expect(metadata.signInState(of: FakePlatform.home) == .signedOut)
    #expect(metadata.signInState(of: "") == .unknown)
    #expect(stage.events.decisions.contains("account signed out"))
  }

  @Test("A name that nobody has changes nothing, and is not said to be signed out")
  func nobody() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    let before = try stage.store.load()
    for account in [Self.named("nobody@contoso.com"), Self.named(""), Self.named(" ")] {
      try stage.application.remove(account)
      var parameters = SignOutParameters(account: account)
      parameters.wipeAccount = true
      _ = try await stage.application.signOut(parameters)
    }
    #expect(try stage.store.load() == before)
    #expect(!stage.events.decisions.contains("account signed out"))
    #expect(stage.events.decisions.contains("account not found"))
  }

  @Test("Wiping finds the name also where the account is signed out of this app, or nobody has it")
  func wiped() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    try stage.application.remove(Stage.megan)
    var parameters = SignOutParameters(account: Self.named("megan@contoso.com"))
    parameters.wipeAccount = true
    _ = try await stage.application.signOut(parameters)
    #expect(try UnifiedTokenCache(store: stage.store).contents().count(.account) == 0)
    _ = try await stage.signIn()
    parameters = SignOutParameters(account: Self.named("nobody@contoso.com"))
    parameters.wipeCacheForAllAccounts = true
    _ = try await stage.application.signOut(parameters)
    #expect(try UnifiedTokenCache(store: stage.store).contents().count(.account) == 0)
  }
}
