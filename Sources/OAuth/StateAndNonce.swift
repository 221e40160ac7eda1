import Documents
import Effects
import RunTrace

/// Random values that bind a response to its request.
package enum StateAndNonce {
  /// Returns a new `state` (RFC 6749 §10.12): a UUID in base64url, as in MSAL.
  package static func state(from randomness: any Randomness) -> Secret {
    Secret(Base64URL.encode(randomness.uuid().utf8), kind: .state)
  }

  /// Returns a new `nonce` of 128 random bits. The ID token contains it, which prevents replay (OpenID Connect Core §15.5.2).
  package static func nonce(from randomness: any Randomness) -> String {
    Base64URL.encode(randomness.bytes(16))
  }
}
