/// A point in time, in nanoseconds since 1970-01-01T00:00:00Z (POSIX time, without leap seconds).
///
/// The supported years are 1677 to 2262. Arithmetic saturates at the ends of the range.
package struct Instant: Hashable, Comparable, Sendable {
  package var nanosecondsSince1970: Int64

  package init(nanosecondsSince1970: Int64) {
    self.nanosecondsSince1970 = nanosecondsSince1970
  }

  package init(secondsSince1970: Int64) {
    let (product, overflow) = secondsSince1970.multipliedReportingOverflow(by: 1_000_000_000)
    nanosecondsSince1970 = overflow ? (secondsSince1970 < 0 ? .min : .max) : product
  }

  /// Whole seconds since 1970, rounded down: the `NumericDate` of RFC 7519 §2.
  package var secondsSince1970: Int64 {
    let (quotient, remainder) = nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000_000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  package static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.nanosecondsSince1970 < rhs.nanosecondsSince1970
  }

  package static func + (lhs: Self, rhs: Duration) -> Self {
    let (sum, overflow) = lhs.nanosecondsSince1970.addingReportingOverflow(rhs.nanoseconds)
    return Self(nanosecondsSince1970: overflow ? (rhs < .zero ? .min : .max) : sum)
  }

  package static func - (lhs: Self, rhs: Duration) -> Self { lhs + (.zero - rhs) }

  package static func - (lhs: Self, rhs: Self) -> Duration {
    let (difference, overflow) = lhs.nanosecondsSince1970.subtractingReportingOverflow(rhs.nanosecondsSince1970)
    return .nanoseconds(overflow ? (lhs < rhs ? .min : .max) : difference)
  }

  package static func += (lhs: inout Self, rhs: Duration) { lhs = lhs + rhs }
}

extension Duration {
  /// The duration in nanoseconds, saturated to the range of `Int64` (292 years).
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, tooFar) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return tooFar ? (seconds < 0 ? .min : .max) : sum
  }

  /// The duration in seconds.
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
