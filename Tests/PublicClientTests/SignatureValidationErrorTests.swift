import Documents
import Effects
import HTTPTypes
import OAuth
import PublicClient
import RunTrace
import SimulatedWorld
import Synchronization
import Testing

@Suite("ID tokens with bad signatures")
struct SignatureValidationErrorTests {
  /// Ways to forge the token of a good answer.
  enum Forgery: String, CaseIterable, Sendable {
    case unsigned, sharedSecret, otherKeySameName, altered, truncated, criticalHeader, rsaHeader, keyNotNamed

    func forge(_ token: String) throws -> String {
      let parts = token.split(separator: ".").map { String($0) }
      let good = try UnverifiedJWT(parsing: token)
      switch self {
      case .unsigned:
        return UnverifiedJWT.compact(header: ["alg": "none", "kid": "key-1"], claims: good.claims, signature: [])
      case .sharedSecret:
        return UnverifiedJWT.compact(
          header: ["alg": "HS256", "kid": "key-1"], claims: good.claims, signature: Array(repeating: 7, count: 32))
      case .otherKeySameName:
        return try SigningKey(p256: Array(repeating: 9, count: 32), keyID: "key-1").token(good.claims)
      case .altered:
        var claims = good.claims
        claims["sub"] = "somebody"
        return UnverifiedJWT.compact(header: good.header, claims: claims, signature: good.signature)
      case .truncated:
        return "\(parts[0]).\(parts[1]).\(Base64URL.encode(good.signature.dropLast(2)))"
      case .criticalHeader: return try FakePlatform.key(1).token(good.claims, header: ["crit": ["exp"]])
      case .rsaHeader:
        return UnverifiedJWT.compact(
          header: ["alg": "RS256", "kid": "key-1"], claims: good.claims, signature: good.signature)
      case .keyNotNamed: return try SigningKey(p256: Array(repeating: 9, count: 32), keyID: nil).token(good.claims)
      }
    }
  }

  @Test("Each is refused after one token request, and nothing is kept", arguments: Forgery.allCases)
  func refused(forgery: Forgery) async throws {
    let stage = try Stage()
    stage.answer { form, platform in
      let good = try JSON(parsing: platform.tokens(for: form).body)
      var forged = good
      forged["id_token"] = .string(try forgery.forge(good["id_token"]?.string ?? ""))
      return .json(forged.text())
    }
    let error = await stage.signInFailure()
    #expect(error?.outcomeName == "invalidResponse")
    #expect(error?.message.hasPrefix("ID token refused, signature:") == true)
    #expect(stage.platform.count("token") == 1)
    #expect(try stage.store.load() == nil)
    #expect(try stage.application.accounts().isEmpty)
  }
}
