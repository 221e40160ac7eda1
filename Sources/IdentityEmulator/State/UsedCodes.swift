import Documents
import Effects
import OrderedCollections

/// Authorization codes that were redeemed, until they would have expired anyhow.
///
/// Their number is bounded, however many people sign in: when there are too many, the older half is forgotten, and any
/// code that was issued before the youngest of those was redeemed counts as used from then on. Nobody waits that long.
package struct UsedCodes: Sendable {
  private static let limit = 1 << 15

  /// Half of a code's id, a UUID, each. As text they would take five times as much.
  private struct Key: Hashable, Sendable {
    var high: UInt64
    var low: UInt64
  }

  /// When each was redeemed, in seconds since 1970.
  private var redeemed: [Key: Int64] = [:]
  /// Codes that were issued up to this second count as used.
  private var forgottenUntil = Int64.min

  package init() {}

  /// Uses a code up.
  /// - Parameter lifetime: after which a code has expired.
  /// - Returns: false where it was used before, or may have been.
  package mutating func use(_ id: String, issuedAt: Instant, now: Instant, lifetime: Duration) -> Bool {
    guard let key = Self.key(id), issuedAt.secondsSince1970 > forgottenUntil, redeemed[key] == nil else { return false }
    if redeemed.count >= Self.limit { remove(before: now.secondsSince1970 - lifetime.components.seconds) }
    redeemed[key] = now.secondsSince1970
    return true
  }

  private mutating func remove(before end: Int64) {
    redeemed = redeemed.filter { $0.value >= end }
    guard redeemed.count > Self.limit / 2 else { return }
    let middle = redeemed.values.sorted()[redeemed.count / 2]
    forgottenUntil = max(forgottenUntil, middle)
    redeemed = redeemed.filter { $0.value > middle }
  }

  /// For the snapshot: when each was redeemed, by its id.
  package var json: JSON {
    var members: OrderedDictionary<String, JSON> = [:]
    for (key, second) in redeemed { members[Self.id(key)] = .integer(second) }
    if forgottenUntil > .min { members["before"] = .integer(forgottenUntil) }
    return .object(members)
  }

  /// Adds those of a snapshot.
  package mutating func restore(_ json: JSON?) {
    for (id, second) in json?.object ?? [:] {
      guard let second = second.integer else { continue }
      if id == "before" {
        forgottenUntil = max(forgottenUntil, second)
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
