import Effects
import Synchronization

/// Reproducible randomness from xoshiro256** (Blackman and Vigna). SplitMix64 derives the initial state from a 64-bit
/// seed.
///
/// Each 64-bit output produces eight bytes in little-endian order. Unused bytes are stored for the next request, so the
/// stream does not depend on the size of the requests. Do not use this type to generate keys.
package final class SeededRandomness: Randomness {
  private struct State {
    var words: (UInt64, UInt64, UInt64, UInt64)
    var rest: UInt64 = 0
    var restCount = 0
  }

  private let state: Mutex<State>

  package init(seed: UInt64) {
    var mixer = SplitMix64(state: seed)
    state = Mutex(State(words: (mixer.next(), mixer.next(), mixer.next(), mixer.next())))
  }

  /// Creates a generator whose seed is the 64-bit FNV-1a hash of a name, such as the name of a scenario.
  package convenience init(seed name: String) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    self.init(seed: hash)
  }

  package func bytes(_ count: Int) -> [UInt8] {
    state.withLock { state in
      var result: [UInt8] = []
      result.reserveCapacity(max(count, 0))
      while result.count < count {
        if state.restCount == 0 {
          state.rest = Self.next(&state)
          state.restCount = 8
        }
        result.append(UInt8(truncatingIfNeeded: state.rest))
        state.rest >>= 8
        state.restCount -= 1
      }
      return result
    }
  }

  private static func next(_ state: inout State) -> UInt64 {
    func rotated(_ value: UInt64, by count: UInt64) -> UInt64 { value << count | value >> (64 - count) }
    var (a, b, c, d) = state.words
    let result = rotated(b &* 5, by: 7) &* 9
    let shifted = b << 17
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotated(d, by: 45)
    state.words = (a, b, c, d)
    return result
  }
}

/// The SplitMix64 generator (Steele, Lea, and Flood), which expands the seed.
private struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
