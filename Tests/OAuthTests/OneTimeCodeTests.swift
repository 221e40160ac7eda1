import Effects
import OAuth
import Testing

@Suite("One-time codes")
struct OneTimeCodeTests {
  static let seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

  /// The SHA-1 test vectors from RFC 6238, appendix B. The code is the last six digits of each value. The last row is
  /// omitted, because `Instant` cannot represent its time.
  static let vectors: [(Int64, String)] = [
    (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
    (2_000_000_000, "69279037"),
  ]

  @Test("generates the codes from RFC 6238, appendix B", arguments: vectors)
  func rfcVectors(seconds: Int64, digits: String) {
    let now = Instant(secondsSince1970: seconds)
    let code = String(digits.suffix(6))
    #expect(OneTimeCode.code(seed: Self.seed, at: now) == code)
    #expect(OneTimeCode.code(seed: "gezd gnbv-gy3t qojq gezdgnbvgy3tqojq====", at: now) == code)
    #expect(OneTimeCode.verifies(code, seed: Self.seed, at: now))
  }

  /// RFC 4226, appendix D. Counters 0 to 2 are the time steps that begin after 0, 30, and 60 seconds.
  @Test(
    "generates a code for each time step and uses the first step for earlier times",
    arguments: [(0, "755224"), (29, "755224"), (30, "287082"), (60, "359152")] as [(Int64, String)])
  func firstSteps(seconds: Int64, code: String) {
    #expect(OneTimeCode.code(seed: Self.seed, at: Instant(secondsSince1970: seconds)) == code)
    #expect(OneTimeCode.code(seed: Self.seed, at: Instant(secondsSince1970: -seconds - 1)) == "755224")
  }

  @Test("accepts the codes from the previous and next time steps")
  func adjacentSteps() {
    let issued = Instant(secondsSince1970: 1_111_111_109)
    for (distance, isValid) in [(-60, false), (-30, true), (0, true), (30, true), (60, false)] as [(Int, Bool)] {
      #expect(
        OneTimeCode.verifies("081804", seed: Self.seed, at: issued + .seconds(distance)) == isValid, "\(distance)")
    }
    #expect(OneTimeCode.verifies("755224", seed: Self.seed, at: Instant(secondsSince1970: 0)))
    for code in ["", "81804", "0818040", "７５５２２４"] {
      #expect(!OneTimeCode.verifies(code, seed: Self.seed, at: issued))
    }
  }

  @Test("rejects a seed that is empty or not base32", arguments: ["", "1", "GEZD!", "é", "==", "０"])
  func seeds(seed: String) {
    let now = Instant(secondsSince1970: 0)
    #expect(OneTimeCode.code(seed: seed, at: now) == nil)
    #expect(!OneTimeCode.verifies("755224", seed: seed, at: now))
  }
}
