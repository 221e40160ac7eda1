/// A number that stands for texts, the same in every process and on every machine (FNV-1a, 64 bits): it finds
/// differences by accident, and none that somebody made on purpose.
package struct Fingerprint: Sendable, Hashable {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte) }
    // Texts do not run together.
    add(UInt8(0))
  }

  private mutating func add(_ byte: UInt8) {
    value ^= UInt64(byte)
    value = value &* 0x0000_0100_0000_01B3
  }

  /// Sixteen hexadecimal digits.
  package var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
