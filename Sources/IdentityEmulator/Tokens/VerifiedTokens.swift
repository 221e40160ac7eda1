import Documents
import Synchronization

/// A cache of access tokens whose signatures have been verified.
///
/// Clients call an API many times with the same token, and verifying a signature takes about 100 times as long as a
/// cache lookup. Expiry and revocation are not cached, because they change over time.
final class VerifiedTokens: Sendable {
  /// The size of a generation. New tokens are added to the young generation. When the young generation is full, it
  /// replaces the old generation. Tokens in use therefore stay cached, and the cache never exceeds twice this size.
  private static let generationSize = 256

  private struct Generations: Sendable {
    var young: [String: JSON] = [:]
    var old: [String: JSON] = [:]

    mutating func add(_ claims: JSON, of text: String) {
      if young.count >= VerifiedTokens.generationSize {
        old = young
        young.removeAll(keepingCapacity: false)
      }
      young[text] = claims
    }
  }

  private let generations = Mutex(Generations())

  /// Returns the claims of a cached token, or nil.
  func claims(of text: String) -> JSON? {
    generations.withLock { generations in
      if let claims = generations.young[text] { return claims }
      guard let claims = generations.old[text] else { return nil }
      generations.add(claims, of: text)
      return claims
    }
  }

  func add(_ claims: JSON, of text: String) {
    generations.withLock { $0.add(claims, of: text) }
  }
}
