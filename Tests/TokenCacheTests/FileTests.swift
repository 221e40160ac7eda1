import Documents
import Effects
import Foundation
import SimulatedWorld
import TestSupport
import Testing
import TokenCache

@Suite("The file and its store")
struct FileTests {
  @Test("Real caches of other libraries are read and written without loss", .enabled(if: Corpus.isPresent))
  func corpus() throws {
    let files = Corpus.files(in: "tokencache")
    #expect(files.count == 3)
    for file in files {
      let bytes = try Corpus.bytes(file)
      var contents = try CacheContents(bytes: bytes)
      #expect(try JSON(parsing: contents.bytes) == JSON(parsing: bytes), "\(file.path)")
      contents.save(Sample.tokens(), now: Sample.now)
      var written = try JSON(parsing: contents.bytes)
      for change in contents.changes { written[change.section.rawValue]?[change.key] = nil }
      var expected = try JSON(parsing: bytes)
      for section in CacheSectionName.allCases where expected[section.rawValue] == nil {
        expected[section.rawValue] = written[section.rawValue]
      }
      #expect(written == expected, "\(file.path)")
    }
  }

  @Test("Accounts and tokens of a real cache are found", .enabled(if: Corpus.isPresent))
  func foundInCorpus() throws {
    let file = try #require(Corpus.files(in: "tokencache").first { $0.path.contains("-go__") })
    let contents = try CacheContents(bytes: Corpus.bytes(file))
    let query = AccessTokenQuery(
      homeAccountID: "uid.utid", environments: ["login.windows.net"], clientID: "my_client_id", realm: "contoso",
      scopes: ["S1", "s3"])
    #expect(contents.accessToken(query).secret == "an access token")
    let accounts = contents.accounts(clientID: "my_client_id", environments: nil, onlySignedIn: true)
    #expect(accounts.map(\.homeAccountID) == ["uid.utid"])
    #expect(accounts.first?.records.first?.username == "John Doe")
  }

  @Test(
    "Parts and entries that are not understood stay",
    arguments: [
      #"{"AccessToken":{"an-entry":{"foo":"bar"},"odd":7},"unknownEntity":{"field1":"1"},"another":["x",null]}"#,
      #"{"unknownEntity":{"field1":"1"}}"#, "{}",
    ])
  func untouched(text: String) throws {
    let contents = try CacheContents(bytes: Array(text.utf8))
    #expect(try JSON(parsing: contents.bytes) == JSON(parsing: Array(text.utf8)))
  }

  @Test(
    "Bytes that are no cache are told and left alone",
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

  @Test("No bytes are an empty cache")
  func empty() throws {
    #expect(try UnifiedTokenCache(store: MemoryBlobStore([])).contents().count(.account) == 0)
    let store = MemoryBlobStore()
    let cache = UnifiedTokenCache(store: store)
    #expect(try cache.contents().count(.account) == 0)
    #expect(try cache.update({ _ in }).changes.isEmpty)
    #expect(try store.load() == nil)
  }

  @Test("Two caches over one store lose nothing of each other")
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

  @Test("What a failing change did is not written")
  func failingChange() throws {
    struct Halt: Error {}
    let cache = UnifiedTokenCache(store: MemoryBlobStore())
    let change: (inout CacheContents) throws -> Void = { contents in
      contents.save(Sample.tokens(), now: Sample.now)
      throw Halt()
    }
    #expect(throws: Halt.self) { try cache.update(change) }
    #expect(try cache.contents().count(.account) == 0)
  }

  @Test("A store that fails is told")
  func failingStore() {
    let cache = UnifiedTokenCache(store: FailingStore())
    #expect(throws: TokenCacheFailure.store(.noSpace("x"))) { try cache.contents() }
    #expect(throws: TokenCacheFailure.store(.noSpace("x"))) { try cache.update { _ in } }
  }
}

private struct FailingStore: BlobStore {
  var place: String { "x" }
  func revision() throws(FileFailure) -> BlobRevision { throw .noSpace("x") }
  func read() throws(FileFailure) -> StoredBlob { throw .noSpace("x") }
  func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
    throw FileFailure.noSpace("x")
  }
}
