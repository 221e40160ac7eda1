import Crypto
import CryptoExtras
import Directory
import Documents
import Effects
import OAuth

/// Client authentication at the token endpoint: by client secret, or by an assertion signed with a registered key.
struct ClientAuthentication: Sendable {
  let exchange: EmulatorRequest
  let platform: Platform
  let client: RegisteredApp

  /// The assertion type for JWTs (RFC 7523 §2.2).
  private static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

  /// Validates the credential in a token request and returns its type.
  /// - Parameter assertionType: The request's `client_assertion_type`, which is required with an assertion.
  func credential(
    secret: String?, assertion: String?, assertionType: String?
  ) throws(ErrorResponse) -> TokenRequest.Credential {
    let isOnTheFly = platform.withState { $0.appsOnTheFly.contains(client.appId.lowercased()) }
    if let assertion {
      guard assertionType == Self.assertionType else { throw TokenRequest.missing("client_assertion_type") }
      try verify(assertion, anyKey: isOnTheFly)
      return .certificate
    }
    guard let secret, !secret.isEmpty else { return .none }
    if isOnTheFly { return .secret }
    if client.expiredSecrets.contains(where: { ConstantTime.equal($0, secret) }) {
      throw ErrorResponse(
        7_000_222, "The client secret sent for the app '\(client.appId)' has expired.")
    }
    if client.isPublic, client.secrets.isEmpty { throw ErrorResponse(700025) }
    guard client.secrets.contains(where: { ConstantTime.equal($0, secret) }) else {
      throw ErrorResponse(
        7_000_215,
        "The client secret for the app '\(client.appId)' is not valid; send the secret's value, not its ID."
      )
    }
    return .secret
  }

  /// Validates a client assertion (RFC 7523 §3): subject and issuer, validity period, signature, and audience.
  /// - Parameter anyKey: Whether to skip signature verification. Apps registered on the fly have no keys.
  private func verify(_ text: String, anyKey: Bool) throws(ErrorResponse) {
    guard let token = try? UnverifiedJWT(parsing: text) else {
      throw ErrorResponse(50012, "The client assertion is not a JWT.")
    }
    guard token.claims["sub"]?.string?.lowercased() == client.appId.lowercased(),
      token.claims["iss"]?.string?.lowercased() == client.appId.lowercased()
    else { throw ErrorResponse(50012, "The 'sub' and 'iss' claims of the client assertion must be the client ID.") }
    // A NumericDate can have a fractional part (RFC 7519 §2). MSAL Python sends fractions. Entra does not document a
    // maximum for `exp`.
    let now = Double(exchange.now.secondsSince1970)
    guard let expiry = token.claims["exp"]?.number, expiry > now - 300,
      (token.claims["nbf"]?.number ?? now) <= now + 300
    else { throw ErrorResponse(700024, validityError(token.claims)) }
    let key = AssertionKey(token.header)
    guard key.isNamed else {
      throw ErrorResponse(
        50027, "The client assertion's header does not identify a certificate: 'x5t#S256', 'x5t', or 'kid' is required."
      )
    }
    if !anyKey { try checkSignature(token, key) }
    guard isForPlatform(token.claims["aud"]) else { throw ErrorResponse(50027) }
  }

  private func validityError(_ claims: JSON) -> String {
    func time(_ name: String) -> String {
      guard let seconds = claims[name]?.number.flatMap({ Int64(exactly: $0.rounded()) }),
        abs(seconds) < 100_000_000_000
      else { return "not set" }
      return Instant(secondsSince1970: seconds).rfc3339()
    }
    return
      "The client assertion is outside its validity period. Current time: \(exchange.now.rfc3339()), assertion valid from \(time("nbf")), expiry time of assertion \(time("exp"))."
  }

  private func checkSignature(_ token: UnverifiedJWT, _ key: AssertionKey) throws(ErrorResponse) {
    let candidates = client.certificates.filter { key.matches($0) }
    if candidates.contains(where: { isSigned(token, by: $0) }) { return }
    let reason = candidates.isEmpty ? "The key was not found." : "The signature does not match the key."
    throw ErrorResponse(
      700027,
      "The client assertion is not signed with a key registered for the application '\(client.appId)'. [Reason - \(reason), Thumbprint of key used by client: '\(key.displayedThumbprint)']"
    )
  }

  /// Whether the audience is a token endpoint or issuer on one of this emulator's hosts.
  private func isForPlatform(_ audience: JSON?) -> Bool {
    let names = audience?.array?.compactMap(\.string) ?? [audience?.string].compactMap { $0 }
    return names.contains { name in
      let url = URLReference(name)
      guard let host = url.host?.lowercased(), let last = url.segments.last?.lowercased() else { return false }
      return (host == exchange.host || HostKind(host) != nil) && (last == "token" || last == "v2.0")
    }
  }

  /// Whether this key verifies the token's signature.
  /// - Parameter pem: A certificate or a bare public key.
  private func isSigned(_ token: UnverifiedJWT, by pem: String) -> Bool {
    let certified = Certificate(pem: pem).map { try? _RSA.Signing.PublicKey(derRepresentation: $0.publicKey) }
    guard let key = certified ?? (try? _RSA.Signing.PublicKey(pemRepresentation: pem)) else { return false }
    let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
    let digest = SHA256.hash(data: token.signingInput)
    return switch token.header["alg"]?.string {
    case "RS256": key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
    case "PS256": key.isValidSignature(signature, for: digest, padding: .PSS)
    default: false
    }
  }
}
