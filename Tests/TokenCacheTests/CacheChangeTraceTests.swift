import Documents
import Effects
import RunTrace
import Synchronization
import Testing
import TokenCache

@Suite("Cache changes in the trace")
struct CacheChangeTraceTests {
  @Test("traces a change with a masked secret and does not trace an empty list")
  func masked() {
    let change = CacheChange(
      kind: .added, section: .refreshToken, key: "k", entry: ["secret": "hush-hush", "client_id": "c"])
    #expect(
      Self.traced([change]) == [
        "change": "added", "section": "RefreshToken", "key": "k",
        "entry": ["secret": "‹refresh token #1›", "client_id": "c"],
      ])
    #expect(Self.traced([]) == nil)
  }

  @Test("masks fields outside the schema at any depth")
  func unknownFields() {
    let entry: JSON = [
      "credential_type": "PrimaryRefreshToken", "secret": "prt-prt", "client_id": "c", "family_id": "1",
      "expires_on": "1735693200", "session_key": "key-of-the-session", "count": 3, "none": nil, "blank": "",
      "more": ["client_id": "c", "session_transport_key": "transport"], "keys": ["another-key"],
    ]
    let change = CacheChange(kind: .deleted, section: .refreshToken, key: "prt", entry: entry)
    #expect(
      Self.traced([change])?["entry"] == [
        "credential_type": "PrimaryRefreshToken", "secret": "‹refresh token #1›", "client_id": "c", "family_id": "1",
        "expires_on": "1735693200", "session_key": "‹secret #1›", "count": 3, "none": nil, "blank": "",
        "more": ["client_id": "c", "session_transport_key": "‹secret #2›"], "keys": ["‹secret #3›"],
      ])
  }

  @Test(
    "masks a secret that is not a string", arguments: [12_345_678, ["a": "hidden"], ["hidden"], true] as [JSON])
  func malformedSecret(value: JSON) {
    let change = CacheChange(kind: .deleted, section: .accessToken, key: "k", entry: ["secret": value])
    #expect(Self.traced([change])?["entry"] == ["secret": "‹access token #1›"])
  }

  @Test("does not mask accounts, app metadata, or account metadata")
  func unmasked() {
    var contents = Sample.contents(Sample.tokens())
    contents.changeAccountMetadata(clientID: Sample.client) {
      $0.recordAuthority("https://h/t", for: "https://h/common", instanceAware: false, account: "uid.utid")
      $0.setPrincipal(homeAccountID: "uid.utid", username: "megan@contoso.com", environment: "login.windows.net")
    }
    let changes = contents.changes.filter { [.account, .appMetadata, .accountMetadata].contains($0.section) }
    #expect(changes.count == 3)
    for change in changes { #expect(Self.traced([change])?["entry"] == change.entry) }
  }

  /// Returns the first change in the trace.
  private static func traced(_ changes: [CacheChange]) -> JSON? {
    let lines = Mutex<[JSON]>([])
    let recorder = TraceRecorder(clock: StoppedClock()) { event in lines.withLock { $0.append(event.json) } }
    recorder.recordCacheWritten(changes, reason: "test")
    return lines.withLock { $0.first?["changes"]?[0] }
  }
}

private struct StoppedClock: WorldClock {
  var now: Instant { Sample.now }
  func sleep(for duration: Duration) async throws {}
}
