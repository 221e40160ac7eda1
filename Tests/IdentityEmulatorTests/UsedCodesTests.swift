import Documents
import Effects
import SimulatedWorld
import Testing

import IdentityEmulator

@Suite struct UsedCodesTests {
  private let start = Instant(secondsSince1970: 1_735_689_600)
  private let lifetime = Duration.seconds(600)

  @Test func codeCanBeUsedOnce() {
    var codes = UsedCodes()
    let id = SeededRandomness(seed: 1).uuid()
    let first = codes.use(id, issuedAt: start, now: start, lifetime: lifetime)
    let second = codes.use(id, issuedAt: start, now: start + .seconds(599), lifetime: lifetime)
    #expect(first)
    #expect(!second)
    var others = UsedCodes()
    others.restore(codes.json)
    let afterRestore = others.use(id, issuedAt: start, now: start, lifetime: lifetime)
    #expect(!afterRestore, "a snapshot contains used codes")
    let unknown = codes.use("no id", issuedAt: start, now: start, lifetime: lifetime)
    #expect(!unknown)
  }

  /// No code can be used twice, and the number of stored codes is limited.
  @Test func removedCodesStillCountAsUsed() {
    let randomness = SeededRandomness(seed: 2)
    var codes = UsedCodes()
    var ids: [(String, Instant)] = []
    for number in 0..<80_000 {
      let now = start + .milliseconds(Int64(number * 5))
      let id = randomness.uuid()
      ids.append((id, now))
      guard codes.use(id, issuedAt: now, now: now, lifetime: lifetime) else {
        Issue.record("a new code was rejected")
        return
      }
    }
    let now = start + .seconds(400)
    var isAnyAccepted = false
    for (id, issued) in ids where codes.use(id, issuedAt: issued, now: now, lifetime: lifetime) { isAnyAccepted = true }
    #expect(!isAnyAccepted)
    #expect(codes.json.count <= 1 << 15 + 1)
    let isNewCodeAccepted = codes.use(randomness.uuid(), issuedAt: now, now: now, lifetime: lifetime)
    #expect(isNewCodeAccepted)
  }
}
