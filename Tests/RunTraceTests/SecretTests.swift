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

private final class EventLog: Sendable {
  private let events = Mutex<[TraceEvent]>([])
  var all: [TraceEvent] { events.withLock { $0 } }
  func append(_ event: TraceEvent) { events.withLock { $0.append(event) } }
}

@Suite struct SecretTests {
  private let events = EventLog()
  let trace: TraceRecorder

  init() {
    trace = TraceRecorder(clock: StoppedClock(), sink: events.append)
  }

  @Test(arguments: Secret.Kind.allCases)
  func secretsAreNeverPrinted(kind: Secret.Kind) {
    let secret = Secret("hunter2-hunter2", kind: kind)
    var dumped = ""
    dump(secret, to: &dumped)
    for text in [
      "\(secret)", String(reflecting: secret), String(describing: [secret]), dumped, "\(Optional(secret) as Any)",
    ] {
      #expect(!text.contains("hunter2"), "\(kind) leaked in \(text)")
    }
  }

  @Test func numbersPlaceholdersSeparatelyForEachKind() {
    let first = Secret("first-token", kind: .accessToken)
    let second = Secret("second-token", kind: .accessToken)
    #expect(trace.mask(first) == "‹access token #1›")
    #expect(trace.mask(second) == "‹access token #2›")
    #expect(trace.mask(first) == "‹access token #1›")
    #expect(trace.mask(Secret("r", kind: .refreshToken)) == "‹refresh token #1›")
  }

  @Test func masksKnownSecretsInLaterText() {
    trace.record(.httpRequest, ["token": .secret(Secret("abcdefgh", kind: .accessToken))])
    trace.record(.decision, ["reason": "Bearer abcdefgh was sent", "deep": .value(["a": ["x abcdefgh y"]])])
    #expect(events.all[1].members["reason"] == "Bearer ‹access token #1› was sent")
    #expect(events.all[1].members["deep"] == ["a": ["x ‹access token #1› y"]])
  }

  /// Secrets can contain each other or overlap, and tokens from the same issuer start with the same characters.
  @Test func masksTheLongestOfOverlappingSecrets() {
    for (ordinal, value) in ["eyJhbGciOi.short", "eyJhbGciOi.short.and-longer", "longer-tail", "fünf-ÄÖÜ"].enumerated()
    {
      #expect(trace.mask(Secret(value, kind: .named)) == "‹secret #\(ordinal + 1)›")
    }
    #expect(trace.mask("a eyJhbGciOi.short b") == "a ‹secret #1› b")
    #expect(trace.mask("eyJhbGciOi.short.and-longer") == "‹secret #2›")
    #expect(trace.mask("eyJhbGciOi.short.and-longer-tail") == "‹secret #2›-tail")
    #expect(trace.mask("eyJhbGciOi.shorteyJhbGciOi.short") == "‹secret #1›‹secret #1›")
    #expect(trace.mask("eyJhbGciOi.sho, longer-tailor, xfünf-ÄÖÜx") == "eyJhbGciOi.sho, ‹secret #3›or, x‹secret #4›x")
    #expect(trace.mask("") == "")
  }

  @Test("masks names and numbers in external JSON and keeps other numbers")
  func jsonSecrets() {
    trace.keepSecret(Secret("483920", kind: .oneTimeCode))
    trace.record(.decision, ["facts": .outside(["483920": 483_920, "x": [1, 200]]), "milliseconds": 483_920])
    #expect(events.all[0].members["facts"] == ["‹one-time code #1›": "‹one-time code #1›", "x": [1, 200]])
    #expect(events.all[0].members["milliseconds"] == 483_920)
  }

  @Test("does not mask terms from the trace format")
  func vocabularyStays() {
    trace.keepSecret(Secret("silent", kind: .named))
    trace.keepSecret(Secret("ok", kind: .password))
    trace.record(.stepFinished, ["step": "silent", "outcome": "ok", "verdict": "ok", "shows": "silent", "x": "ok"])
    let members = events.all[0].members
    #expect(members["step"] == "silent" && members["outcome"] == "ok" && members["verdict"] == "ok")
    #expect(members["shows"] == "‹secret #1›" && members["x"] == "‹password #1›")
  }

  @Test("masks a short cookie only in its own field")
  func shortCookie() {
    trace.record(.httpResponse, ["cookie": .secret(Secret("en", kind: .cookie)), "language": "en"])
    #expect(events.all[0].members["cookie"] == "‹cookie #1›")
    #expect(events.all[0].members["language"] == "en")
  }

  /// Repeated sign-ins result in thousands of secrets. Searching for each secret separately would take minutes.
  @Test(.timeLimit(.minutes(1))) func masksManySecretsQuickly() {
    for number in 0..<20_000 { trace.keepSecret(Secret("eyJhbGciOi.token-\(number)-end", kind: .accessToken)) }
    let text = String(repeating: "text without secrets, ", count: 40)
    for _ in 0..<2_000 { #expect(trace.mask(text) == text) }
    #expect(trace.mask("a eyJhbGciOi.token-19999-end b") == "a ‹access token #20000› b")
  }

  @Test func doesNotEvaluateArgumentsWithoutASink() {
    var evaluations = 0
    func reason() -> String {
      evaluations += 1
      return "reason"
    }
    TraceRecorder(clock: StoppedClock()).recordDecision(
      "subject", "verdict", reason: reason(), ["fact": .value(.string(reason()))])
    #expect(evaluations == 0)
    trace.recordDecision("subject", "verdict", reason: reason(), ["fact": .value(.string(reason()))])
    #expect(evaluations == 2)
  }

  @Test func numbersEventsFromOneWithoutGaps() async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 { group.addTask { [trace] in trace.record(.decision, [:]) } }
    }
    #expect(events.all.map(\.seq) == Array(1...200))
  }

  @Test func eachLineContainsItsNumberTimeAndKind() {
    trace.record(.runStarted, ["tool": "authflow"])
    let json = events.all[0].json
    #expect(json["seq"] == 1)
    #expect(json["time"] == "2025-01-01T00:00:00.000000Z")
    #expect(json["kind"] == "run.started")
  }
}
