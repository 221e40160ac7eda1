import Documents
import OAuth
import RunTrace
import Synchronization

/// What an ID token says, read when somebody asks: a token from the cache must not cost reading another one.
package final class IDTokenClaims: Sendable {
  private let token: Secret?
  private let known: Mutex<JSON?>

  /// Claims that were read already.
  init(_ claims: JSON) {
    token = nil
    known = Mutex(claims)
  }

  /// The claims of a kept token. It was checked when it came.
  init(of token: Secret) {
    self.token = token
    known = Mutex(nil)
  }

  /// Whether a kept token has the form of one: what follows the first dot begins as an object does in base64url. To read
  /// all of it would cost more than the rest of a silent call.
  static func canRead(_ token: Secret) -> Bool {
    let text = token.reveal().utf8
    guard let dot = text.firstIndex(of: UInt8(ascii: ".")) else { return false }
    return text[text.index(after: dot)...].first == UInt8(ascii: "e")
  }

  /// Empty where the token cannot be read.
  package var json: JSON {
    known.withLock { known in
      if let known { return known }
      let claims = token.flatMap { UnverifiedJWT.looseClaims(of: $0.reveal()) } ?? [:]
      known = claims
      return claims
    }
  }
}

extension IDTokenClaims: Hashable {
  package static func == (lhs: IDTokenClaims, rhs: IDTokenClaims) -> Bool { lhs === rhs || lhs.json == rhs.json }

  package func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
