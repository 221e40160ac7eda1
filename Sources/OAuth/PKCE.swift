import Crypto
import Documents
import Effects
import RunTrace

/// Proof Key for Code Exchange (RFC 7636), which binds an authorization code to the client that requested it.
package struct PKCE: Hashable, Sendable {
  /// The `code_challenge_method` (RFC 7636 §4.2).
  package enum Method: String, Hashable, Sendable, CaseIterable {
    case s256 = "S256"
    case plain
  }

  package let verifier: Secret
  package let method: Method

  package init(verifier: Secret, method: Method = .s256) {
    self.verifier = verifier
    self.method = method
  }

  /// Creates a 43-character verifier from 32 random bytes (RFC 7636 §4.1) and uses the S256 method.
  package init(from randomness: any Randomness) {
    self.init(verifier: Secret(Base64URL.encode(randomness.bytes(32)), kind: .codeVerifier))
  }

  package var challenge: String { Self.challenge(for: verifier.reveal(), method: method) }

  package static func challenge(for verifier: String, method: Method) -> String {
    switch method {
    case .s256: Base64URL.encode(SHA256.hash(data: Array(verifier.utf8)))
    case .plain: verifier
    }
  }

  /// Whether the text is a valid verifier: 43 to 128 unreserved characters (RFC 7636 §4.1).
  package static func isVerifier(_ text: String) -> Bool {
    (43...128).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "~"):
          true
        default: false
        }
      }
  }

  /// Whether the verifier matches the challenge in the authorization request (RFC 7636 §4.6).
  package static func verify(_ verifier: String, against challenge: String, method: Method) -> Bool {
    ConstantTime.equal(Self.challenge(for: verifier, method: method), challenge)
  }
}

/// A constant-time comparison of values of equal length.
package enum ConstantTime {
  package static func equal(_ left: String, _ right: String) -> Bool {
    equal(Array(left.utf8), Array(right.utf8))
  }

  package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
