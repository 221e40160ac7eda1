import Documents
import OAuth
import RunTrace
import Synchronization

/// Remembers what the ID tokens of the cache say, so that a token from the cache costs no reading of them.
final class ClaimsMemo: Sendable {
  private struct Key: Hashable {
    var account: String
    var realm: String
  }

  private let known = Mutex<[Key: (token: Secret, claims: JSON)]>([:])
  private let capacity = 1000

  /// The claims of an account's ID token in one tenant; nil where it is none.
  func claims(of token: Secret, account: String, realm: String) -> JSON? {
    let key = Key(account: account, realm: realm)
    if let found = known.withLock({ $0[key] }), found.token == token { return found.claims }
    guard let claims = UncheckedJWT.looseClaims(of: token.reveal()) else { return nil }
    known.withLock { known in
      if known.count >= capacity { known = [:] }
      known[key] = (token, claims)
    }
    return claims
  }
}
