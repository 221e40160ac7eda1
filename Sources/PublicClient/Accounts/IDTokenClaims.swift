import Documents
import OAuth
import RunTrace
import Synchronization

/// The claims of an ID token, decoded on demand. Reading a cached access token should not require decoding an ID token.
package final class IDTokenClaims: Sendable {
  private let token: Secret?
  private let decoded: Mutex<JSON?>

  /// Creates an instance from decoded claims.
  init(_ claims: JSON) {
    token = nil
    decoded = Mutex(claims)
  }

  /// Creates an instance from a cached token, which was validated before it was cached.
  init(of token: Secret) {
    self.token = token
    decoded = Mutex(nil)
  }

  /// Whether a cached token looks like a JWT. Checks only that the payload starts with `{` in base64url, because
  /// decoding the complete token would take longer than the rest of a silent call.
  static func isPlausible(_ token: Secret) -> Bool {
    let text = token.reveal().utf8
    guard let dot = text.firstIndex(of: UInt8(ascii: ".")) else { return false }
    return text[text.index(after: dot)...].first == UInt8(ascii: "e")
  }

  /// The claims, or an empty object if the token is malformed.
  package var json: JSON {
    decoded.withLock { decoded in
      if let decoded { return decoded }
      let claims = token.flatMap { UnverifiedJWT.looseClaims(of: $0.reveal()) } ?? [:]
      decoded = claims
      return claims
    }
  }
}

extension IDTokenClaims: Hashable {
  package static func == (lhs: IDTokenClaims, rhs: IDTokenClaims) -> Bool { lhs === rhs || lhs.json == rhs.json }

  package func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
