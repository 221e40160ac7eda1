import Crypto
import Effects

/// Six-digit time-based one-time passwords (RFC 6238) with HMAC-SHA-1 and a time step of 30 seconds, as in authenticator
/// apps.
package enum OneTimeCode {
  /// Returns the code for the given time.
  /// - Parameter seed: The secret in base32 (RFC 4648 §6). Spaces, hyphens, case, and padding are ignored.
  /// - Returns: The code, or nil if the seed is empty or not base32.
  package static func code(seed: String, at now: Instant) -> String? {
    key(seed).map { code(key: $0, counter: counter(now)) }
  }

  /// Whether the code is valid now. Also accepts the previous and next codes, to allow for clock drift (RFC 6238 §5.2).
  package static func verifies(_ typed: String, seed: String, at now: Instant) -> Bool {
    guard let key = key(seed) else { return false }
    let counter = counter(now)
    let steps = counter == 0 ? counter...counter + 1 : counter - 1...counter + 1
    return steps.contains { ConstantTime.equal(code(key: key, counter: $0), typed) }
  }

  /// Returns the number of time steps since 1970 (RFC 6238 §4.2), or 0 for earlier times.
  private static func counter(_ now: Instant) -> UInt64 { UInt64(max(0, now.secondsSince1970)) / 30 }

  /// Computes the HOTP value (RFC 4226 §5.3).
  private static func code(key: [UInt8], counter: UInt64) -> String {
    let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * UInt64($0))) }
    let digest = Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    let offset = Int(digest[19] & 15)
    let number = digest[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let digits = String(number % 1_000_000)
    return String(repeating: "0", count: 6 - digits.utf8.count) + digits
  }

  private static func key(_ seed: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for letter in seed.utf8 {
      let value: UInt32
      switch letter {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(letter - UInt8(ascii: "A"))
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(letter - UInt8(ascii: "a"))
      case UInt8(ascii: "2")...UInt8(ascii: "7"): value = UInt32(letter - UInt8(ascii: "2")) + 26
      case UInt8(ascii: "="), UInt8(ascii: " "), UInt8(ascii: "-"): continue
      default: return nil
      }
      bits = bits << 5 | value
      count += 5
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes.isEmpty ? nil : bytes
  }
}
