import Documents
import OrderedCollections

/// A decoded JSON Web Token whose signature has not been verified (RFC 7519, RFC 7515 §7.1).
package struct UnverifiedJWT: Sendable {
  /// The JOSE header.
  package let header: JSON
  package let claims: JSON
  package let signature: [UInt8]
  /// The signed bytes: the first two parts and the dot between them (RFC 7515 §5.1).
  package let signingInput: [UInt8]

  /// Decodes a token in compact serialization. The token must have three base64url parts, and the first two must be
  /// JSON objects.
  package init(parsing text: some StringProtocol) throws(JWTFailure) {
    let (bytes, parts) = Self.parts(of: text)
    guard parts.count == 3 else {
      throw JWTFailure(reason: "a signed token has 3 parts, but this token has \(parts.count)")
    }
    header = try Self.object(parts[0], "header")
    claims = try Self.object(parts[1], "payload")
    do {
      signature = try Base64URL.decode(utf8: parts[2])
    } catch {
      throw JWTFailure(reason: "the signature is not base64url: \(error.reason)")
    }
    signingInput = Array(bytes[..<parts[1].endIndex])
  }

  /// Splits UTF-8 bytes at the dots, which is many times faster than splitting characters.
  private static func parts(of text: some StringProtocol) -> (bytes: [UInt8], parts: [ArraySlice<UInt8>]) {
    let bytes = Array(text.utf8)
    return (bytes, bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false))
  }

  /// Returns the claims of a token without requiring a signature. Merges the header and the payload, as MSAL does when
  /// it reads ID tokens. Returns nil if a nonempty part is not a JSON object.
  package static func looseClaims(of text: some StringProtocol) -> JSON? {
    var members: OrderedDictionary<String, JSON> = [:]
    let parts = parts(of: text).parts
    guard parts.count >= 2 else { return nil }
    // Skip the third part, because it is the signature.
    for part in parts.prefix(2) where !part.isEmpty {
      guard let object = try? object(part, "part").object else { return nil }
      members.merge(object) { $1 }
    }
    return .object(members)
  }

  private static func object(_ part: ArraySlice<UInt8>, _ name: String) throws(JWTFailure) -> JSON {
    let bytes: [UInt8]
    do {
      bytes = try Base64URL.decode(utf8: part)
    } catch {
      throw JWTFailure(reason: "the \(name) is not base64url: \(error.reason)")
    }
    guard let json = try? JSON(parsing: bytes), json.object != nil else {
      throw JWTFailure(reason: "the \(name) is not a JSON object")
    }
    return json
  }

  /// Returns the part of a compact token that is signed: the header and the claims.
  package static func signingInput(header: JSON, claims: JSON) -> String {
    "\(Base64URL.encode(header.utf8(sortedKeys: false))).\(Base64URL.encode(claims.utf8(sortedKeys: false)))"
  }

  /// Returns a compact token with the given signature. The emulator and tests use this to forge tokens.
  package static func compact(header: JSON, claims: JSON, signature: [UInt8]) -> String {
    "\(signingInput(header: header, claims: claims)).\(Base64URL.encode(signature))"
  }
}

/// A malformed token. The error does not contain the text, which may be a secret.
package struct JWTFailure: Error, Hashable, Sendable {
  package var reason: String
}
