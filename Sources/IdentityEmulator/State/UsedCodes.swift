import Documents
import Effects
import OrderedCollections

/// The authorization codes that clients have redeemed.
///
/// The number of codes is limited. If the limit is reached, expired codes are removed. If too many codes remain, the
/// older half is also removed. Codes that were issued before the last removed redemption then count as used. In
/// practice, apps redeem their codes long before this happens.
package struct UsedCodes: Sendable {
  private static let limit = 1 << 15

  /// The UUID of a code. A string would need five times as much memory.
  private struct Key: Hashable, Sendable {
    var high: UInt64
    var low: UInt64
  }

  /// The redemption time of each code, in seconds since 1970.
  private var redeemed: [Key: Int64] = [:]
  /// A time in seconds since 1970. Codes that were issued up to this time count as used.
  private var discardedUntil = Int64.min

  package init() {}

  /// Marks a code as used.
  /// - Parameter lifetime: The lifetime of authorization codes.
  /// - Returns: Whether the code was unused, or false if this is unknown.
  package mutating func use(_ id: String, issuedAt: Instant, now: Instant, lifetime: Duration) -> Bool {
    guard let key = Self.key(id), issuedAt.secondsSince1970 > discardedUntil, redeemed[key] == nil else { return false }
    if redeemed.count >= Self.limit { remove(before: now.secondsSince1970 - lifetime.components.seconds) }
    redeemed[key] = now.secondsSince1970
    return true
  }

  private mutating func remove(before end: Int64) {
    redeemed = redeemed.filter { $0.value >= end }
    guard redeemed.count > Self.limit / 2 else { return }
    let middle = redeemed.values.sorted()[redeemed.count / 2]
    discardedUntil = max(discardedUntil, middle)
    redeemed = redeemed.filter { $0.value > middle }
  }

  /// The snapshot format, which maps code IDs to redemption times.
  package var json: JSON {
    var members: OrderedDictionary<String, JSON> = [:]
    for (key, second) in redeemed { members[Self.id(key)] = .integer(second) }
    if discardedUntil > .min { members["before"] = .integer(discardedUntil) }
    return .object(members)
  }

  /// Adds the codes from a snapshot.
  package mutating func restore(_ json: JSON?) {
    for (id, second) in json?.object ?? [:] {
      guard let second = second.integer else { continue }
      if id == "before" {
        discardedUntil = max(discardedUntil, second)
      } else if let key = Self.key(id) {
        redeemed[key] = second
      }
    }
  }

  private static func key(_ id: String) -> Key? {
    guard UUIDText.isValid(id) else { return nil }
    let digits = id.filter { $0 != "-" }
    guard let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.suffix(16), radix: 16) else {
      return nil
    }
    return Key(high: high, low: low)
  }

  private static func id(_ key: Key) -> String {
    let bytes = [key.high, key.low].flatMap { half in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> UInt64($0)) }
    }
    return UUIDText.format(bytes)
  }
}
