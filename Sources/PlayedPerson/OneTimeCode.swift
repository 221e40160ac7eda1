import Crypto
import Effects

/// The six digits of an authenticator app (RFC 6238 with RFC 4226: SHA-1, thirty seconds).
enum OneTimeCode {
  /// - Parameter seed: base32 (RFC 4648 §6); blanks, hyphens, case and missing padding do not matter.
  /// - Returns: nil where the seed is no base32.
  static func make(seed: String, at now: Instant) -> String? {
    guard let key = decodeBase32(seed), !key.isEmpty else { return nil }
    let step = UInt64(bitPattern: now.secondsSince1970 / 30)
    let message = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * UInt64($0))) }
    let code = Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    let offset = Int(code[19] & 15)
    let number = code[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let digits = String(number % 1_000_000)
    return String(repeating: "0", count: 6 - digits.count) + digits
  }

  private static func decodeBase32(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in text.uppercased().utf8 {
      let value: UInt32
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(byte - UInt8(ascii: "A"))
      case UInt8(ascii: "2")...UInt8(ascii: "7"): value = UInt32(byte - UInt8(ascii: "2")) + 26
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
    return bytes
  }
}
