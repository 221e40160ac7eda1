import IdentityPlatform
import Synchronization

/// A cache of parsed authorities.
final class AuthorityCache: Sendable {
  private let authorities = Mutex<[String: Authority]>([:])
  private let capacity = 1000

  /// Returns the authority with this text, parsed as `kind`, or nil if the text is invalid.
  func authority(_ text: String, as kind: Authority.Kind) -> Authority? {
    if let cached = authorities.withLock({ $0[text] }), cached.kind == kind { return cached }
    guard let authority = try? Authority(parsing: text, as: kind) else { return nil }
    authorities.withLock { authorities in
      if authorities.count >= capacity { authorities = [:] }
      authorities[text] = authority
    }
    return authority
  }
}
