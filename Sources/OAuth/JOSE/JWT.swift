import Documents
import OrderedCollections

/// A JSON Web Token taken apart and not believed: its signature was not looked at (RFC 7519, RFC 7515 §7.1).
package struct UnverifiedJWT: Sendable {
  /// The JOSE header.
  package let header: JSON
  package let claims: JSON
  package let signature: [UInt8]
  /// What the signature is over: the first two parts with the dot between them.
  package let signingInput: [UInt8]

  /// Takes a compact token apart: three base64url parts, the first two of them JSON objects.
  package init(parsing text: some StringProtocol) throws(JWTFailure) {
    let (bytes, parts) = Self.parts(of: text)
    guard parts.count == 3 else {
      throw JWTFailure(reason: "a signed token has three parts, this has \(parts.count)")
    }
    header = try Self.object(parts[0], "header")
    claims = try Self.object(parts[1], "payload")
    do {
      signature = try Base64URL.decode(utf8: parts[2])
    } catch {
      throw JWTFailure(reason: "the signature is no base64url text: \(error.reason)")
    }
    signingInput = Array(bytes[..<parts[1].endIndex])
  }

  /// The parts between the dots. Counted in bytes: looking for whole characters takes many times as long.
  private static func parts(of text: some StringProtocol) -> (bytes: [UInt8], parts: [ArraySlice<UInt8>]) {
    let bytes = Array(text.utf8)
    return (bytes, bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false))
  }

  /// The claims of a token, however it is signed, as MSAL reads ID tokens: every part that is a JSON object is merged.
  /// Nil where a part that is not empty is no JSON object.
  package static func looseClaims(of text: some StringProtocol) -> JSON? {
    var members: OrderedDictionary<String, JSON> = [:]
    let parts = parts(of: text).parts
    guard parts.count >= 2 else { return nil }
    // The third part is the signature, which no one reads as JSON.
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
      throw JWTFailure(reason: "the \(name) is no base64url text: \(error.reason)")
    }
    guard let json = try? JSON(parsing: bytes), json.object != nil else {
      throw JWTFailure(reason: "the \(name) is no JSON object")
    }
    return json
  }

  /// The first two parts of a compact token: what is to be signed.
  package static func signingInput(header: JSON, claims: JSON) -> String {
    "\(Base64URL.encode(header.utf8(sortedKeys: false))).\(Base64URL.encode(claims.utf8(sortedKeys: false)))"
  }

  /// A compact token with whatever signature; also for providers that misbehave in tests.
  package static func compact(header: JSON, claims: JSON, signature: [UInt8]) -> String {
    "\(signingInput(header: header, claims: claims)).\(Base64URL.encode(signature))"
  }
}

/// Why a text is no token. The text is not repeated.
package struct JWTFailure: Error, Hashable, Sendable {
  package var reason: String
}
