import Effects
import Testing

@testable import PlayedPerson

@Suite("One-time codes")
struct OneTimeCodeTests {
  /// The last six digits of RFC 6238, appendix B, for SHA-1.
  @Test(
    "are those of RFC 6238",
    arguments: [
      (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
      (2_000_000_000, "279037"),
    ] as [(Int64, String)])
  func vectors(seconds: Int64, code: String) {
    let seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    let now = Instant(secondsSince1970: seconds)
    #expect(OneTimeCode.make(seed: seed, at: now) == code)
    #expect(OneTimeCode.make(seed: "gezd gnbv-gy3t qojq gezdgnbvgy3tqojq====", at: now) == code)
  }

  @Test("need a base32 seed", arguments: ["", "1", "GEZD!", "é"])
  func seeds(seed: String) {
    #expect(OneTimeCode.make(seed: seed, at: Instant(secondsSince1970: 0)) == nil)
  }
}
