import Documents
import Effects
import RunTrace
import SimulatedWorld
import Synchronization
import Testing
import TokenCache

@Suite("Entries over the text that was read")
struct EntryTests {
  /// Numbers that come out the same in each run.
  private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  @Test(
    "Whatever is saved and removed, and whenever the text is read anew, the contents are the same", arguments: 0..<6)
  func agreement(seed: UInt64) throws {
    var dice = Dice(state: seed &+ 1)
    var lasting = CacheContents()
    var renewed = CacheContents()
    for _ in 0..<80 {
      let home = "h\(Int.random(in: 0..<12, using: &dice)).t"
      let tokens = Sample.tokens(
        scopes: [["a"], ["b"], ["a", "c"]].randomElement(using: &dice) ?? [], home: home,
        access: "\(UInt16.random(in: 0...9, using: &dice))", family: Bool.random(using: &dice) ? "1" : nil)
      let kind = Int.random(in: 0..<10, using: &dice)
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
      change(&lasting)
      change(&renewed)
      guard Int.random(in: 0..<4, using: &dice) == 0 else { continue }
      renewed = try CacheContents(bytes: renewed.bytes)
      let (a, b) = (
        lasting.accounts(clientID: Sample.client, environments: nil, onlySignedIn: true),
        renewed.accounts(clientID: Sample.client, environments: nil, onlySignedIn: true)
      )
      #expect(Set(a.map(\.homeAccountID)) == Set(b.map(\.homeAccountID)))
    }
    for section in CacheSectionName.allCases {
      #expect(lasting.section(section) == renewed.section(section))
      #expect(lasting.count(section) == renewed.count(section))
    }
    let written = try CacheContents(bytes: lasting.bytes)
    #expect(try JSON(parsing: written.bytes) == JSON(parsing: renewed.bytes))
    #expect(written.bytes == lasting.bytes)
  }

  @Test("A change of one account's metadata tells that account's, not all")
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

  @Test("While nobody writes, nothing is read; who writes is seen")
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

  @Test("What is half written is read again under the lock before it is called corrupt")
  func halfWritten() throws {
    for first in ["", #"{"Account":{"a":{"home_acc"#] {
      let store = CountingStore()
      try UnifiedTokenCache(store: store.memory).update { $0.save(Sample.tokens(), now: Sample.now) }
      store.unlockedAnswer(Array(first.utf8))
      #expect(try UnifiedTokenCache(store: store).contents().count(.account) == 1)
    }
  }

  @Test("What is no cache is moved aside when that is asked for, told with both places, and never twice to one")
  func movedAside() throws {
    let store = MemoryBlobStore(Array("{broken".utf8))
    let cache = UnifiedTokenCache(store: store)
    #expect(throws: TokenCacheFailure.self) { try cache.contents() }
    let moved = try #require(try cache.moveAsideIfCorrupt())
    #expect(moved.from == "memory" && moved.to == "memory.corrupt-1")
    #expect(moved.explanation.contains("memory.corrupt-1") && moved.reason.contains("line 1"))
    #expect(store.movedAside == [Array("{broken".utf8)])
    #expect(try cache.contents().count(.account) == 0)
    try cache.update { $0.save(Sample.tokens(), now: Sample.now) }
    #expect(try cache.moveAsideIfCorrupt() == nil)
    #expect(try cache.contents().count(.account) == 1)
  }

  @Test("Deep nesting is refused, not crashed on")
  func deep() throws {
    let text = #"{"X":"# + String(repeating: "[", count: 100_000)
    #expect(throws: TokenCacheFailure.self) { try CacheContents(bytes: Array(text.utf8)) }
    let bearable = #"{"X":{"a":"# + String(repeating: "[", count: 400) + String(repeating: "]", count: 400) + "}}"
    #expect(try String(decoding: CacheContents(bytes: Array(bearable.utf8)).bytes, as: UTF8.self) == bearable)
  }
}

/// A store in memory whose readings are counted, and which can answer an unlocked one as if somebody were just writing.
private final class CountingStore: BlobStore {
  let memory = MemoryBlobStore()
  private let state = Mutex<(reads: Int, answer: [UInt8]?)>((0, nil))

  var reads: Int { state.withLock { $0.reads } }
  var place: String { memory.place }

  func unlockedAnswer(_ bytes: [UInt8]) { state.withLock { $0.answer = bytes } }

  func revision() throws(FileFailure) -> BlobRevision { try memory.revision() }

  func read() throws(FileFailure) -> StoredBlob {
    let answer = state.withLock { state in
      state.reads += 1
      return state.answer
    }
    guard let answer else { return try memory.read() }
    return StoredBlob(bytes: answer, revision: BlobRevision([99], isSettled: false))
  }

  func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
    try memory.exclusively { blob in
      let counted = Counted(store: self, blob: blob)
      return try body(counted)
    }
  }

  private struct Counted: LockedBlob {
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
