import Effects
import SimulatedWorld
import Testing

@Suite("Seeded randomness")
struct SeededRandomnessTests {
  @Test("matches the published first outputs of xoshiro256** over SplitMix64 for the seeds 0 and 42")
  func vectors() {
    func outputs(_ seed: UInt64) -> [UInt64] {
      let randomness = SeededRandomness(seed: seed)
      return (0..<3).map { _ in
        randomness.bytes(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
      }
    }
    #expect(outputs(0) == [0x99EC_5F36_CB75_F2B4, 0xBF6E_1F78_4956_452A, 0x1A5F_849D_4933_E6E0])
    #expect(outputs(42) == [0x1578_0B2E_0C2E_C716, 0x6104_D986_6D11_3A7E, 0xAE17_5332_39E4_99A1])
  }

  @Test("the stream does not depend on the number of bytes in each read")
  func readSizes() {
    let bytes = SeededRandomness(seed: 7).bytes(64)
    let parts = SeededRandomness(seed: 7)
    #expect(parts.bytes(1) + parts.bytes(0) + parts.bytes(12) + parts.bytes(51) == bytes)
    #expect(SeededRandomness(seed: 8).bytes(64) != bytes)
  }

  @Test("a name can be a seed")
  func names() {
    #expect(SeededRandomness(seed: "first run").bytes(16) == SeededRandomness(seed: "first run").bytes(16))
    #expect(SeededRandomness(seed: "first run").bytes(16) != SeededRandomness(seed: "second run").bytes(16))
  }

  @Test("UUIDs have version 4 and the RFC's variant, and each UUID is different")
  func uuids() {
    let randomness = SeededRandomness(seed: 1)
    let all = (0..<200).map { _ in randomness.uuid() }
    #expect(Set(all).count == 200)
    for text in all {
      #expect(UUIDText.isValid(text))
      #expect(text.dropFirst(14).first == "4")
      #expect("89ab".contains(text.dropFirst(19).prefix(1)))
    }
  }

  @Test("returns every number from 0 up to, but not including, the bound", arguments: [1, 2, 3, 7, 100])
  func numbers(bound: Int) {
    let randomness = SeededRandomness(seed: UInt64(bound))
    #expect(Set((0..<bound * 50).map { _ in randomness.number(below: bound) }) == Set(0..<bound))
  }
}
