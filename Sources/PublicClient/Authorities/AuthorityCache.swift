import IdentityPlatform
import Synchronization

/// Remembers the authorities that were read from the cache's texts.
final class AuthorityCache: Sendable {
  private let known = Mutex<[String: Authority]>([:])
  private let capacity = 1000

  /// The authority of a kind that a text names; nil where it names none.
  func authority(_ text: String, as kind: Authority.Kind) -> Authority? {
    if let found = known.withLock({ $0[text] }), found.kind == kind { return found }
    guard let authority = try? Authority(parsing: text, as: kind) else { return nil }
    known.withLock { known in
      if known.count >= capacity { known = [:] }
      known[text] = authority
    }
    return authority
  }
}
