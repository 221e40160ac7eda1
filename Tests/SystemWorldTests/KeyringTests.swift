import Effects
import SystemWorld
import TestSupport
import Testing

#if os(Linux)
  /// Whether a keyring responds in this session. `.ci/check-keyring` starts one.
  private let hasKeyring: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? keyring(folder)) != nil
  }()

  private func keyring(_ folder: TemporaryFolder) throws -> KeyringBlobStore {
    try KeyringBlobStore(
      signal: folder("tokens.signal"), in: LiveFileSystem(), environment: .ofProcess(), timeout: 10)
  }

  @Suite("A real keyring", .enabled(if: hasKeyring, "no keyring responds in this session"))
  struct KeyringTests {
    @Test("meets the requirements for blob stores")
    func conformance() async throws {
      let folder = try TemporaryFolder()
      let (store, other) = (try keyring(folder), try keyring(folder))
      #expect(try await BlobStoreConformance.violations { (store, other) } == [])
    }

    @Test(
      "stores arbitrary bytes",
      arguments: [[], [0], [255, 254], Array("authflow-base64:".utf8), Array("{\"é\":1}".utf8)])
    func bytes(_ bytes: [UInt8]) throws {
      let store = try keyring(TemporaryFolder())
      try store.update { $0 = bytes }
      #expect(try store.load() == bytes)
      try store.update { $0 = nil }
    }

    @Test("separates the tokens of two locations and does not write them to files")
    func apart() throws {
      let (here, there) = (try TemporaryFolder(), try TemporaryFolder())
      let (store, other) = (try keyring(here), try keyring(there))
      try store.update { $0 = Array("hush".utf8) }
      #expect(try other.load() == nil)
      for name in try LiveFileSystem().list(here.path) {
        #expect(try LiveFileSystem().read(here(name), limit: 9) == [], "\(name)")
      }
      try store.update { $0 = nil }
    }

    @Test("opens the keyring without a note if the user requests it")
    func chosen() throws {
      let folder = try TemporaryFolder()
      let choice = TokenStores.open(
        .keyring, cacheFile: folder("cache.json"), in: LiveFileSystem(), environment: .ofProcess())
      #expect(choice.note == nil)
      #expect(choice.store is KeyringBlobStore)
    }
  }
#endif

#if os(Linux)
  @Suite(
    "A locked keyring", .enabled(if: Environment.ofProcess()["AUTHFLOW_LOCKED_KEYRING"] != nil, "no keyring is locked"))
  struct LockedKeyringTests {
    @Test("falls back to the file store with a note if the keyring times out")
    func refused() throws {
      let folder = try TemporaryFolder()
      let failure = #expect(throws: FileFailure.self) {
        try KeyringBlobStore(
          signal: folder("tokens.signal"), in: LiveFileSystem(), environment: .ofProcess(), timeout: 3)
      }
      #expect(failure?.explanation.contains("locked") == true, "\(failure?.explanation ?? "")")
    }
  }
#endif

@Suite("Selection of a token store")
struct TokenStoreChoiceTests {
  @Test("saves tokens to the file with a note if no keyring responds")
  func fallback() throws {
    let folder = try TemporaryFolder()
    let nowhere = Environment(variables: ["HOME": folder.path], workingDirectory: folder.path)
    let choice = TokenStores.open(.keyring, cacheFile: folder("cache.json"), in: LiveFileSystem(), environment: nowhere)
    #if os(Linux)
      #expect(choice.store is FileBlobStore)
      let note = try #require(choice.note)
      #expect(note.contains("no D-Bus session bus"))
      #expect(note.contains(folder("cache.json")))
    #endif
    let file = TokenStores.open(.file, cacheFile: folder("cache.json"), in: LiveFileSystem(), environment: nowhere)
    #expect(file.note == nil)
    #expect(file.store.location == folder("cache.json"))
  }
}
