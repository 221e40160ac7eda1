import Effects
import RunTrace

/// The values that tie an answer to its request.
package enum StateAndNonce {
  /// A fresh `state`: base64url of a UUID's text, as MSAL sends it.
  package static func state(from randomness: any Randomness) -> Secret {
    Secret(Base64URL.encode(randomness.uuid().utf8), kind: .state)
  }

  /// A fresh `nonce` of 128 random bits: it comes back inside the ID token and shows that the token is not an old one.
  package static func nonce(from randomness: any Randomness) -> String {
    Base64URL.encode(randomness.bytes(16))
  }
}
