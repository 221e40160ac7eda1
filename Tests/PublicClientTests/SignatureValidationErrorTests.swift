import Documents
import Effects
import HTTPTypes
import OAuth
import PublicClient
import RunTrace
import SimulatedWorld
import Synchronization
import Testing

@Suite("ID tokens with invalid signatures")
struct SignatureValidationErrorTests {
  /// Forged variants of a valid ID token.
  enum Forgery: String, CaseIterable, Sendable {
    case unsigned, sharedSecret, otherKeySameID, altered, truncated, criticalHeader, rsaHeader, missingKeyID

    func forge(_ token: String) throws -> String {
      let parts = token.split(separator: ".").map { String($0) }
      let valid = try UnverifiedJWT(parsing: token)
      switch self {
      case .unsigned:
        return UnverifiedJWT.compact(header: ["alg": "none", "kid": "key-1"], claims: valid.claims, signature: [])
      case .sharedSecret:
        return UnverifiedJWT.compact(
          header: ["alg": "HS256", "kid": "key-1"], claims: valid.claims, signature: Array(repeating: 7, count: 32))
      case .otherKeySameID:
        return try SigningKey(p256: Array(repeating: 9, count: 32), keyID: "key-1").token(valid.claims)
      case .altered:
        var claims = valid.claims
        claims["sub"] = "another-subject"
        return UnverifiedJWT.compact(header: valid.header, claims: claims, signature: valid.signature)
      case .truncated:
        return "\(parts[0]).\(parts[1]).\(Base64URL.encode(valid.signature.dropLast(2)))"
      case .criticalHeader: return try FakeServer.key(1).token(valid.claims, header: ["crit": ["exp"]])
      case .rsaHeader:
        return UnverifiedJWT.compact(
          header: ["alg": "RS256", "kid": "key-1"], claims: valid.claims, signature: valid.signature)
      case .missingKeyID: return try SigningKey(p256: Array(repeating: 9, count: 32), keyID: nil).token(valid.claims)
      }
    }
  }

  @Test("rejects a forged ID token after one token request and saves nothing", arguments: Forgery.allCases)
  func rejected(forgery: Forgery) async throws {
    let client = try TestClient()
    client.enqueue { form, server in
      let valid = try JSON(parsing: server.tokenResponse(for: form).body)
      var forged = valid
      forged["id_token"] = .string(try forgery.forge(valid["id_token"]?.string ?? ""))
      return .json(forged.text())
    }
    let error = await client.signInFailure()
    #expect(error?.outcomeName == "invalidResponse")
    #expect(error?.message.hasPrefix("invalid ID token, signature:") == true)
    #expect(client.server.count("token") == 1)
    #expect(try client.store.load() == nil)
    #expect(try client.application.accounts().isEmpty)
  }
}
