import Documents
import Effects
import SimulatedWorld
import Testing

@testable import IdentityEmulator

@Suite struct UsedCodesTests {
  private let start = Instant(secondsSince1970: 1_735_689_600)
  private let lifetime = Duration.seconds(600)

  @Test func aCodeIsGoodOnce() {
    var codes = UsedCodes()
    let id = SeededRandomness(seed: 1).uuid()
    #expect(codes.use(id, issuedAt: start, now: start, lifetime: lifetime))
    #expect(!codes.use(id, issuedAt: start, now: start + .seconds(599), lifetime: lifetime))
    var others = UsedCodes()
    others.restore(codes.json)
    #expect(!others.use(id, issuedAt: start, now: start, lifetime: lifetime), "a snapshot carries it on")
    #expect(!codes.use("no id", issuedAt: start, now: start, lifetime: lifetime))
  }

  /// However many there are, none is good twice, and the memory of them has an end.
  @Test func manyCodesAreForgottenButNotForgiven() {
    let randomness = SeededRandomness(seed: 2)
    var codes = UsedCodes()
    var ids: [(String, Instant)] = []
    for number in 0..<80_000 {
      let now = start + .milliseconds(Int64(number * 5))
      let id = randomness.uuid()
      ids.append((id, now))
      guard codes.use(id, issuedAt: now, now: now, lifetime: lifetime) else {
        Issue.record("a new code was refused")
        return
      }
    }
    let now = start + .seconds(400)
    #expect(ids.allSatisfy { !codes.use($0.0, issuedAt: $0.1, now: now, lifetime: lifetime) })
    #expect(codes.json.count <= 1 << 15 + 1)
    #expect(codes.use(randomness.uuid(), issuedAt: now, now: now, lifetime: lifetime))
  }
}
