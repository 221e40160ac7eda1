import Documents
import Effects
import RunTrace
import SimulatedWorld
import Synchronization
import Testing
import TokenCache

@Suite("Cache entries")
struct EntryTests {
  /// A random number generator with a fixed sequence.
  private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  @Test(
    "random changes have the same result with or without serialization in between", arguments: 0..<6)
  func agreement(seed: UInt64) throws {
    var generator = SeededGenerator(state: seed &+ 1)
    var inMemory = CacheContents()
    var reparsed = CacheContents()
    for _ in 0..<80 {
      let home = "h\(Int.random(in: 0..<12, using: &generator)).t"
      let tokens = Sample.tokens(
        scopes: [["a"], ["b"], ["a", "c"]].randomElement(using: &generator) ?? [], home: home,
        access: "\(UInt16.random(in: 0...9, using: &generator))", family: Bool.random(using: &generator) ? "1" : nil)
      let kind = Int.random(in: 0..<10, using: &generator)
      func change(_ contents: inout CacheContents) {
        switch kind {
        case 0: contents.removeCredentials(ofAccount: home, clientID: nil)
        case 1: contents.removeAccountRecords(home)
        case 2: contents.changeAccountMetadata(clientID: "c") { $0.setSignInState(.signedOut, of: home) }
        case 3: contents.changeAccountMetadata(clientID: "c") { $0.setSignInState(.signedIn, of: home) }
        case 4: contents.removeAccountMetadata(home)
        default: contents.save(tokens, now: Sample.now)
        }
      }
      change(&inMemory)
      change(&reparsed)
      guard Int.random(in: 0..<4, using: &generator) == 0 else { continue }
      reparsed = try CacheContents(bytes: reparsed.bytes)
      let (a, b) = (
        inMemory.accounts(clientID: Sample.client, environments: nil, onlySignedIn: true),
        reparsed.accounts(clientID: Sample.client, environments: nil, onlySignedIn: true)
      )
      #expect(Set(a.map(\.homeAccountID)) == Set(b.map(\.homeAccountID)))
    }
    for section in CacheSectionName.allCases {
      #expect(inMemory.section(section) == reparsed.section(section))
      #expect(inMemory.count(section) == reparsed.count(section))
    }
    let written = try CacheContents(bytes: inMemory.bytes)
    #expect(try JSON(parsing: written.bytes) == JSON(parsing: reparsed.bytes))
    #expect(written.bytes == inMemory.bytes)
  }

  @Test("records only the changed account when account metadata changes")
  func metadataChange() {
    var contents = CacheContents()
    for account in 0..<50 {
      contents.changeAccountMetadata(clientID: "c") { $0.setSignInState(.signedIn, of: "a\(account).t") }
    }
    #expect(contents.changes.last?.entry["account_metadata_map"]?.count == 1)
    #expect(contents.changes.last?.entry["account_metadata_map"]?["a49.t"]?["sign_in_state"] == "signed_in")
    let count = contents.changes.count
    contents.changeAccountMetadata(clientID: "c") { $0.setSignInState(.signedIn, of: "a7.t") }
    #expect(contents.changes.count == count)
    #expect(contents.accountMetadata(clientID: "c")?.homeAccountIDs.count == 50)
  }

  @Test("reads the store again only after another process writes to it")
  func revision() throws {
    let store = CountingStore()
    let cache = UnifiedTokenCache(store: store)
    try cache.update { $0.save(Sample.tokens(), now: Sample.now) }
    let reads = store.reads
    for _ in 0..<100 { #expect(try cache.contents().count(.account) == 1) }
    try cache.update { $0.save(Sample.tokens(home: "x.y"), now: Sample.now) }
    #expect(store.reads == reads)
    try UnifiedTokenCache(store: store.memory).update { $0.save(Sample.tokens(home: "z.y"), now: Sample.now) }
    #expect(try cache.contents().count(.account) == 3)
    #expect(store.reads == reads + 1)
  }

  @Test("rereads an incomplete cache while holding the lock before reporting corruption")
  func incompleteWrite() throws {
    for text in ["", #"{"Account":{"a":{"home_acc"#] {
      let store = CountingStore()
      try UnifiedTokenCache(store: store.memory).update { $0.save(Sample.tokens(), now: Sample.now) }
      store.setUnlockedContents(Array(text.utf8))
      #expect(try UnifiedTokenCache(store: store).contents().count(.account) == 1)
    }
  }

  @Test("quarantines a corrupt cache if requested and reports both locations")
  func quarantine() throws {
    let store = MemoryBlobStore(Array("{broken".utf8))
    let cache = UnifiedTokenCache(store: store)
    #expect(throws: TokenCacheFailure.self) { try cache.contents() }
    let quarantined = try #require(try cache.quarantineIfCorrupt())
    #expect(quarantined.from == "memory" && quarantined.to == "memory.corrupt-1")
    #expect(quarantined.explanation.contains("memory.corrupt-1") && quarantined.reason.contains("line 1"))
    #expect(store.movedAside == [Array("{broken".utf8)])
    #expect(try cache.contents().count(.account) == 0)
    try cache.update { $0.save(Sample.tokens(), now: Sample.now) }
    #expect(try cache.quarantineIfCorrupt() == nil)
    #expect(try cache.contents().count(.account) == 1)
  }

  @Test("rejects deep nesting")
  func nesting() throws {
    let text = #"{"X":"# + String(repeating: "[", count: 100_000)
    #expect(throws: TokenCacheFailure.self) { try CacheContents(bytes: Array(text.utf8)) }
    let accepted = #"{"X":{"a":"# + String(repeating: "[", count: 400) + String(repeating: "]", count: 400) + "}}"
    #expect(try String(decoding: CacheContents(bytes: Array(accepted.utf8)).bytes, as: UTF8.self) == accepted)
  }
}

/// An in-memory store that counts reads. Reads without the lock can return contents that another process is writing.
private final class CountingStore: BlobStore {
  let memory = MemoryBlobStore()
  private let state = Mutex<(reads: Int, unlockedContents: [UInt8]?)>((0, nil))

  var reads: Int { state.withLock { $0.reads } }
  var location: String { memory.location }

  func setUnlockedContents(_ bytes: [UInt8]) { state.withLock { $0.unlockedContents = bytes } }

  func revision() throws(FileFailure) -> BlobRevision { try memory.revision() }

  func read() throws(FileFailure) -> StoredBlob {
    let unlockedContents = state.withLock { state in
      state.reads += 1
      return state.unlockedContents
    }
    guard let unlockedContents else { return try memory.read() }
    return StoredBlob(bytes: unlockedContents, revision: BlobRevision([99], isSettled: false))
  }

  func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
    try memory.exclusively { blob in
      let countingBlob = CountingBlob(store: self, blob: blob)
      return try body(countingBlob)
    }
  }

  private struct CountingBlob: LockedBlob {
    let store: CountingStore
    let blob: any LockedBlob
    func revision() throws(FileFailure) -> BlobRevision { try blob.revision() }
    func read() throws(FileFailure) -> StoredBlob {
      store.state.withLock { $0.reads += 1 }
      return try blob.read()
    }
    func replace(with bytes: [UInt8]) throws(FileFailure) -> BlobRevision { try blob.replace(with: bytes) }
    func remove() throws(FileFailure) { try blob.remove() }
    func moveAside() throws(FileFailure) -> String { try blob.moveAside() }
  }
}
