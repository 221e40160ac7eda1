import Documents
import Effects
import OrderedCollections
import RunTrace
import Synchronization
import Testing

private struct StoppedClock: WorldClock {
  var now: Instant { Instant(secondsSince1970: 1_735_689_600) }
  func sleep(for duration: Duration) async throws {}
}

private final class Events: Sendable {
  private let events = Mutex<[TraceEvent]>([])
  var all: [TraceEvent] { events.withLock { $0 } }
  func take(_ event: TraceEvent) { events.withLock { $0.append(event) } }
}

@Suite struct SecretTests {
  private let events = Events()
  let trace: TraceRecorder

  init() {
    trace = TraceRecorder(clock: StoppedClock(), sink: events.take)
  }

  @Test(arguments: Secret.Kind.allCases)
  func aSecretNeverPrints(kind: Secret.Kind) {
    let secret = Secret("hunter2-hunter2", kind: kind)
    var dumped = ""
    dump(secret, to: &dumped)
    for text in [
      "\(secret)", String(reflecting: secret), String(describing: [secret]), dumped, "\(Optional(secret) as Any)",
    ] {
      #expect(!text.contains("hunter2"), "\(kind) leaked in \(text)")
    }
  }

  @Test func ordinalsAreStableAndPerKind() {
    let first = Secret("first-token", kind: .accessToken)
    let second = Secret("second-token", kind: .accessToken)
    #expect(trace.mask(first) == "‹access token #1›")
    #expect(trace.mask(second) == "‹access token #2›")
    #expect(trace.mask(first) == "‹access token #1›")
    #expect(trace.mask(Secret("r", kind: .refreshToken)) == "‹refresh token #1›")
  }

  @Test func aKnownSecretIsMaskedInsideLaterTexts() {
    trace.record(.httpRequest, ["token": .secret(Secret("abcdefgh", kind: .accessToken))])
    trace.record(.decision, ["why": "Bearer abcdefgh was sent", "deep": .value(["a": ["x abcdefgh y"]])])
    #expect(events.all[1].members["why"] == "Bearer ‹access token #1› was sent")
    #expect(events.all[1].members["deep"] == ["a": ["x ‹access token #1› y"]])
  }

  @Test func withNobodyListeningNothingIsMadeUp() {
    var made = 0
    func words() -> String {
      made += 1
      return "why"
    }
    TraceRecorder(clock: StoppedClock()).decide("subject", "verdict", why: words(), ["fact": .value(.string(words()))])
    #expect(made == 0)
    trace.decide("subject", "verdict", why: words(), ["fact": .value(.string(words()))])
    #expect(made == 2)
  }

  @Test func eventsAreNumberedFromOneWithoutGaps() async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 { group.addTask { [trace] in trace.record(.decision, [:]) } }
    }
    #expect(events.all.map(\.seq) == Array(1...200))
  }

  @Test func aLineHasItsEnvelope() {
    trace.record(.runStarted, ["tool": "authflow"])
    let json = events.all[0].json
    #expect(json["seq"] == 1)
    #expect(json["time"] == "2025-01-01T00:00:00.000000Z")
    #expect(json["kind"] == "run.started")
  }
}
