import Crypto
import CryptoExtras
import Directory
import Documents
import Effects
import OAuth

/// How an app proves that it is itself at the token endpoint: by a secret, or by an assertion that its key has signed.
struct ClientAuthentication: Sendable {
  let exchange: Exchange
  let platform: Platform
  let client: RegisteredApp

  func credential(secret: String?, assertion: String?) throws(Refusal) -> TokenRequest.Credential {
    let isOnTheFly = platform.withState { $0.appsOnTheFly.contains(client.appId.lowercased()) }
    if let assertion {
      try verify(assertion, anyKey: isOnTheFly)
      return .certificate
    }
    guard let secret, !secret.isEmpty else { return .none }
    if isOnTheFly { return .secret }
    if client.isPublic, client.secrets.isEmpty { throw Refusal(700025) }
    guard client.secrets.contains(where: { ConstantTime.equal($0, secret) }) else { throw Refusal(7000215) }
    return .secret
  }

  /// The assertion of RFC 7523: for this endpoint, by this app, of now, signed with a registered key.
  private func verify(_ text: String, anyKey: Bool) throws(Refusal) {
    guard let token = try? UncheckedJWT(parsing: text) else {
      throw Refusal(50012, "The client assertion is no token.")
    }
    guard token.claims["sub"]?.string?.lowercased() == client.appId.lowercased(),
      token.claims["iss"]?.string?.lowercased() == client.appId.lowercased()
    else { throw Refusal(50012, "The client assertion's sub and iss must be the client id.") }
    let now = exchange.now.secondsSince1970
    guard let end = token.claims["exp"]?.integer, end > now - 300, (token.claims["nbf"]?.integer ?? now) <= now + 300
    else { throw Refusal(700024) }
    if anyKey { return }
    let algorithm = token.header["alg"]?.string
    let isGood = client.certificates.contains { pem in
      guard let key = try? _RSA.Signing.PublicKey(pemRepresentation: pem) else { return false }
      let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
      let digest = SHA256.hash(data: token.signingInput)
      switch algorithm {
      case "RS256": return key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
      case "PS256": return key.isValidSignature(signature, for: digest, padding: .PSS)
      default: return false
      }
    }
    guard isGood else { throw Refusal(700027) }
  }
}
