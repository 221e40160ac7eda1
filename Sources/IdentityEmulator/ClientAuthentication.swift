import Crypto
import CryptoExtras
import Directory
import Documents
import Effects
import OAuth

/// How an app proves that it is itself at the token endpoint: by a secret, or by an assertion that its key has signed.
struct ClientAuthentication: Sendable {
  let exchange: EmulatorRequest
  let platform: Platform
  let client: RegisteredApp

  /// RFC 7523 §2.2.
  private static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

  /// - Parameter assertionType: the request's `client_assertion_type`, which has to come with an assertion.
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
        7_000_222, "The client secret keys that were sent for the app '\(client.appId)' have expired.")
    }
    if client.isPublic, client.secrets.isEmpty { throw ErrorResponse(700025) }
    guard client.secrets.contains(where: { ConstantTime.equal($0, secret) }) else {
      throw ErrorResponse(
        7_000_215,
        "The client secret is wrong: the request must contain the value of a secret of the app '\(client.appId)', not the secret's id."
      )
    }
    return .secret
  }

  /// The assertion of RFC 7523: for this endpoint, by this app, of now, signed with a registered key.
  private func verify(_ text: String, anyKey: Bool) throws(ErrorResponse) {
    guard let token = try? UnverifiedJWT(parsing: text) else {
      throw ErrorResponse(50012, "The client assertion is no token.")
    }
    guard token.claims["sub"]?.string?.lowercased() == client.appId.lowercased(),
      token.claims["iss"]?.string?.lowercased() == client.appId.lowercased()
    else { throw ErrorResponse(50012, "The client assertion's sub and iss must be the client id.") }
    // A NumericDate may have a fraction (RFC 7519 §2), and msal for Python sends one.
    // Entra documents no limit for how late `exp` may be.
    let now = Double(exchange.now.secondsSince1970)
    guard let end = token.claims["exp"]?.number, end > now - 300, (token.claims["nbf"]?.number ?? now) <= now + 300
    else { throw ErrorResponse(700024, outsideTime(token.claims)) }
    let key = AssertionKey(token.header)
    guard key.isNamed else {
      throw ErrorResponse(
        50027, "The client assertion's header names no certificate: it has none of 'x5t#S256', 'x5t', and 'kid'.")
    }
    if !anyKey { try checkSignature(token, key) }
    guard isForPlatform(token.claims["aud"]) else { throw ErrorResponse(50027) }
  }

  private func outsideTime(_ claims: JSON) -> String {
    func time(_ name: String) -> String {
      guard let seconds = claims[name]?.number.flatMap({ Int64(exactly: $0.rounded()) }),
        abs(seconds) < 100_000_000_000
      else { return "not set" }
      return Instant(secondsSince1970: seconds).rfc3339()
    }
    return
      "The client assertion is outside its time range. Current time: \(exchange.now.rfc3339()), assertion valid from \(time("nbf")), expiry time of assertion \(time("exp"))."
  }

  private func checkSignature(_ token: UnverifiedJWT, _ key: AssertionKey) throws(ErrorResponse) {
    let named = client.certificates.filter { key.mayBe($0) }
    if named.contains(where: { isSigned(token, by: $0) }) { return }
    let reason = named.isEmpty ? "The key was not found." : "The signature does not match the key."
    throw ErrorResponse(
      700027,
      "The client assertion is not signed with a key that is registered for the application '\(client.appId)'. [Reason - \(reason), Thumbprint of key used by client: '\(key.shownThumbprint)']"
    )
  }

  /// Whether the assertion names this platform: a token endpoint or an issuer at its host.
  private func isForPlatform(_ audience: JSON?) -> Bool {
    let names = audience?.array?.compactMap(\.string) ?? [audience?.string].compactMap { $0 }
    return names.contains { name in
      let url = URLReference(name)
      guard let host = url.host?.lowercased(), let last = url.pathSegments.last?.lowercased() else { return false }
      return (host == exchange.host || HostKind(host) != nil) && (last == "token" || last == "v2.0")
    }
  }

  /// - Parameter pem: a certificate or a bare public key.
  private func isSigned(_ token: UnverifiedJWT, by pem: String) -> Bool {
    let known = Certificate(pem: pem).map { try? _RSA.Signing.PublicKey(derRepresentation: $0.publicKey) }
    guard let key = known ?? (try? _RSA.Signing.PublicKey(pemRepresentation: pem)) else { return false }
    let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
    let digest = SHA256.hash(data: token.signingInput)
    return switch token.header["alg"]?.string {
    case "RS256": key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
    case "PS256": key.isValidSignature(signature, for: digest, padding: .PSS)
    default: false
    }
  }
}
