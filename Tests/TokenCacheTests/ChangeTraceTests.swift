import Documents
import Effects
import RunTrace
import Synchronization
import Testing
import TokenCache

@Suite("What a trace shows of a change")
struct ChangeTraceTests {
  @Test("The change with its secret masked, and nothing where nothing changed")
  func masked() {
    let change = CacheChange(
      kind: .added, section: .refreshToken, key: "k", entry: ["secret": "hush-hush", "client_id": "c"])
    #expect(
      Self.shown([change]) == [
        "change": "added", "section": "RefreshToken", "key": "k",
        "entry": ["secret": "‹refresh token #1›", "client_id": "c"],
      ])
    #expect(Self.shown([]) == nil)
  }

  @Test("Fields that the schema does not have are masked, at any depth; its own are shown")
  func foreign() {
    let entry: JSON = [
      "credential_type": "PrimaryRefreshToken", "secret": "prt-prt", "client_id": "c", "family_id": "1",
      "expires_on": "1735693200", "session_key": "key-of-the-session", "count": 3, "none": nil, "blank": "",
      "more": ["client_id": "c", "session_transport_key": "transport"], "keys": ["another-key"],
    ]
    let change = CacheChange(kind: .deleted, section: .refreshToken, key: "prt", entry: entry)
    #expect(
      Self.shown([change])?["entry"] == [
        "credential_type": "PrimaryRefreshToken", "secret": "‹refresh token #1›", "client_id": "c", "family_id": "1",
        "expires_on": "1735693200", "session_key": "‹secret #1›", "count": 3, "none": nil, "blank": "",
        "more": ["client_id": "c", "session_transport_key": "‹secret #2›"], "keys": ["‹secret #3›"],
      ])
  }

  @Test(
    "A secret that is no text is masked as well", arguments: [12_345_678, ["a": "hidden"], ["hidden"], true] as [JSON])
  func oddSecret(value: JSON) {
    let change = CacheChange(kind: .deleted, section: .accessToken, key: "k", entry: ["secret": value])
    #expect(Self.shown([change])?["entry"] == ["secret": "‹access token #1›"])
  }

  @Test("Accounts, apps and sign-in states are readable")
  func readable() {
    var contents = Sample.contents(Sample.tokens())
    contents.changeAccountMetadata(clientID: Sample.client) {
      $0.recordAuthority("https://h/t", for: "https://h/common", instanceAware: false, account: "uid.utid")
      $0.setPrincipal(homeAccountID: "uid.utid", username: "megan@contoso.com", environment: "login.windows.net")
    }
    let readable = contents.changes.filter { [.account, .appMetadata, .accountMetadata].contains($0.section) }
    #expect(readable.count == 3)
    for change in readable { #expect(Self.shown([change])?["entry"] == change.entry) }
  }

  /// The first change as the trace has it.
  private static func shown(_ changes: [CacheChange]) -> JSON? {
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
