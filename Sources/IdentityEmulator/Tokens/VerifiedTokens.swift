import Documents
import Synchronization

/// Access tokens whose signature was found good, by their text.
///
/// A client calls an API many times with one token; to verify its signature takes a hundred times as long as to look it
/// up. Only what can never change is kept: time and revocation are judged anew at every request.
final class VerifiedTokens: Sendable {
  /// The younger half takes new tokens; once it is full it becomes the older, and what was older is forgotten. So a
  /// token in use stays, and there are never more than twice as many.
  private static let half = 256

  private struct Generations: Sendable {
    var young: [String: JSON] = [:]
    var old: [String: JSON] = [:]

    mutating func add(_ claims: JSON, of text: String) {
      if young.count >= VerifiedTokens.half {
        old = young
        young.removeAll(keepingCapacity: false)
      }
      young[text] = claims
    }
  }

  private let halves = Mutex(Generations())

  /// The claims of a token that was verified before; nil for any other.
  func claims(of text: String) -> JSON? {
    halves.withLock { halves in
      if let claims = halves.young[text] { return claims }
      guard let claims = halves.old[text] else { return nil }
      halves.add(claims, of: text)
      return claims
    }
  }

  func add(_ claims: JSON, of text: String) {
    halves.withLock { $0.add(claims, of: text) }
  }
}
