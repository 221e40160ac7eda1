import Documents
import Effects
import SimulatedWorld
import TestSupport
import Testing
import TokenCache

@Suite("Cache files and stores")
struct FileTests {
  @Test("reads and writes other libraries' caches without data loss", arguments: SampleFile.files(in: "tokencache"))
  func otherLibraries(sample: SampleFile) throws {
    let bytes = try sample.bytes()
    var contents = try CacheContents(bytes: bytes)
    #expect(try JSON(parsing: contents.bytes) == JSON(parsing: bytes))
    contents.save(Sample.tokens(), now: Sample.now)
    var written = try JSON(parsing: contents.bytes)
    for change in contents.changes { written[change.section.rawValue]?[change.key] = nil }
    var expected = try JSON(parsing: bytes)
    for section in CacheSectionName.allCases where expected[section.rawValue] == nil {
      expected[section.rawValue] = written[section.rawValue]
    }
    #expect(written == expected)
  }

  /// An account in another library's cache, with one of its access tokens.
  struct Content: Sendable, CustomStringConvertible {
    var file: String
    var home: String
    var environment = "login.microsoftonline.com"
    var clientID: String
    var realm: String
    var scopes: [String]
    var secret = "fake access token"
    var username: String

    var description: String { file }
  }

  static let megan = "4f0c1d7e-83b2-4a95-b6e1-70d2c8f9a354.f1b6c8e2-93a4-4d57-a0be-6c4d18e7f295"
  static let alex = "b51e7a08-2c9d-46f3-8a70-e3d4f6c1b892.0d9e4b27-6f15-4c83-a2b8-517e3c8d60fa"
  static let contents = [
    Content(
      file: "dotnet-several-tenants.json", home: megan, environment: "login.windows.net",
      clientID: "5b0f2b34-6c1d-4c8e-9a57-3d1f0f6d2a11", realm: "f1b6c8e2-93a4-4d57-a0be-6c4d18e7f295",
      scopes: ["user.read"], username: "megan@contoso.com"),
    Content(
      file: "dotnet-several-tenants.json", home: alex, environment: "login.microsoftonline.de",
      clientID: "5b0f2b34-6c1d-4c8e-9a57-3d1f0f6d2a11", realm: "0d9e4b27-6f15-4c83-a2b8-517e3c8d60fa",
      scopes: ["Mail.Read"], username: "alex@fabrikam.com"),
    Content(
      file: "dotnet-one-account.json", home: alex, environment: "login.windows.net",
      clientID: "8e4a7c90-12d3-4f65-b0aa-7c2e9d4b6f13", realm: "0d9e4b27-6f15-4c83-a2b8-517e3c8d60fa",
      scopes: ["Mail.Send", "user.read"], username: "alex@fabrikam.com"),
    Content(
      file: "go-unknown-parts.json", home: megan, clientID: "c3d95e1a-7b42-4e08-8f6c-2a9b1d7e5c30",
      realm: "f1b6c8e2-93a4-4d57-a0be-6c4d18e7f295", scopes: ["calendars.read"], username: "megan@contoso.com"),
    Content(
      file: "python-family.json", home: megan, clientID: "e7c2a915-3d0b-4f68-b1a4-96d5f08c7e23",
      realm: "f1b6c8e2-93a4-4d57-a0be-6c4d18e7f295", scopes: ["https://graph.microsoft.com/.default"],
      username: "megan@contoso.com"),
    Content(
      file: "java.json", home: alex, clientID: "8e4a7c90-12d3-4f65-b0aa-7c2e9d4b6f13",
      realm: "0d9e4b27-6f15-4c83-a2b8-517e3c8d60fa", scopes: ["Mail.Read"], username: "alex@fabrikam.com"),
    Content(
      file: "AzureAD__microsoft-authentication-library-for-go__internal__storage__test_serialized_cache@f25d2deb.json",
      home: "uid.utid", environment: "login.windows.net", clientID: "my_client_id", realm: "contoso",
      scopes: ["S1", "s3"], secret: "an access token", username: "John Doe"),
  ].filter { OutsideCorpus.isPresent || !$0.file.hasPrefix("AzureAD__") }

  @Test("finds accounts and tokens in other libraries' caches", arguments: contents)
  func otherAccounts(content: Content) throws {
    let sample = try #require(SampleFile.all.first { $0.path == "tokencache/\(content.file)" })
    let contents = try CacheContents(bytes: sample.bytes())
    let query = AccessTokenQuery(
      homeAccountID: content.home, environments: [content.environment], clientID: content.clientID,
      realm: content.realm, scopes: content.scopes)
    #expect(contents.accessToken(query).secret == content.secret)
    let accounts = contents.accounts(
      clientID: content.clientID, environments: [content.environment], onlySignedIn: true)
    #expect(accounts.map(\.homeAccountID) == [content.home])
    #expect(accounts.first?.records.first?.username == content.username)
  }

  @Test(
    "preserves unknown sections and entries",
    arguments: [
      #"{"AccessToken":{"an-entry":{"foo":"bar"},"odd":7},"unknownEntity":{"field1":"1"},"another":["x",null]}"#,
      #"{"unknownEntity":{"field1":"1"}}"#, "{}",
    ])
  func unknownContents(text: String) throws {
    let contents = try CacheContents(bytes: Array(text.utf8))
    #expect(try JSON(parsing: contents.bytes) == JSON(parsing: Array(text.utf8)))
  }

  @Test(
    "rejects a corrupt cache and does not change it",
    arguments: [
      "{", "[]", "\"x\"", "\u{0}\u{1}", " ", "{}x", #"{"Account":"text"}"#, #"{"name":"x"}"#, #"{"Account":{"k":{]}"#,
    ])
  func corrupt(text: String) throws {
    let store = MemoryBlobStore(Array(text.utf8))
    let cache = UnifiedTokenCache(store: store)
    #expect(throws: TokenCacheFailure.self) { try cache.contents() }
    let save: (inout CacheContents) -> Void = { contents in contents.save(Sample.tokens(), now: Sample.now) }
    #expect(throws: TokenCacheFailure.self) { try cache.update(save) }
    #expect(try store.load() == Array(text.utf8))
  }

  @Test("reads an empty or missing file as an empty cache")
  func empty() throws {
    #expect(try UnifiedTokenCache(store: MemoryBlobStore([])).contents().count(.account) == 0)
    let store = MemoryBlobStore()
    let cache = UnifiedTokenCache(store: store)
    #expect(try cache.contents().count(.account) == 0)
    #expect(try cache.update({ _ in }).changes.isEmpty)
    #expect(try store.load() == nil)
  }

  @Test("merges the changes of two caches with the same store")
  func sharedStore() throws {
    let store = MemoryBlobStore()
    let one = UnifiedTokenCache(store: store)
    let two = UnifiedTokenCache(store: store)
    _ = try one.contents()
    try two.update { $0.save(Sample.tokens(home: "a.a"), now: Sample.now) }
    let changes = try one.update { $0.save(Sample.tokens(home: "b.b"), now: Sample.now) }.changes
    #expect(changes.map(\.kind) == [.added, .added, .added, .added])
    #expect(try two.contents().count(.account) == 2)
    #expect(try one.contents().count(.account) == 2)
  }

  @Test("does not write a change that throws an error")
  func failingChange() throws {
    struct ChangeError: Error {}
    let cache = UnifiedTokenCache(store: MemoryBlobStore())
    let change: (inout CacheContents) throws -> Void = { contents in
      contents.save(Sample.tokens(), now: Sample.now)
      throw ChangeError()
    }
    #expect(throws: ChangeError.self) { try cache.update(change) }
    #expect(try cache.contents().count(.account) == 0)
  }

  @Test("reports store errors")
  func failingStore() {
    let cache = UnifiedTokenCache(store: FailingStore())
    #expect(throws: TokenCacheFailure.store(.noSpace("x"))) { try cache.contents() }
    #expect(throws: TokenCacheFailure.store(.noSpace("x"))) { try cache.update { _ in } }
  }
}

private struct FailingStore: BlobStore {
  var location: String { "x" }
  func revision() throws(FileFailure) -> BlobRevision { throw .noSpace("x") }
  func read() throws(FileFailure) -> StoredBlob { throw .noSpace("x") }
  func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
    throw FileFailure.noSpace("x")
  }
}
