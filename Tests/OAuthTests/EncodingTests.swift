import Documents
import Effects
import OAuth
import RunTrace
import Testing

@Suite("Base64, PKCE, state, and client info")
struct EncodingTests {
  @Test(
    "encodes and decodes the test vectors of RFC 4648 §10 without padding",
    arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE")])
  func vectors(plain: String, encoded: String) throws {
    #expect(Base64URL.encode(plain.utf8) == encoded)
    #expect(try Base64URL.decode(encoded) == Array(plain.utf8))
  }

  @Test("encodes and decodes both base64 alphabets")
  func alphabets() throws {
    #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
    #expect(Base64.encode([0xFB, 0xFF]) == "+/8=")
    #expect(try Base64.decode("+/8=") == [0xFB, 0xFF])
    #expect(try Base64.decodeEitherAlphabet("-/8") == [0xFB, 0xFF])
    #expect(try Base64.decodeEitherAlphabet("+_8=") == [0xFB, 0xFF])
  }

  @Test(
    "rejects text that is not valid base64url",
    arguments: ["A", "Zg==", "Z g", "Zh", "Zm9", "+/8", "Zm9v\n", "Zm9vé"])
  func rejected(text: String) {
    #expect(throws: Base64Failure.self) { try Base64URL.decode(text) }
  }

  @Test("creates and verifies the code challenge from RFC 7636, appendix B")
  func pkce() {
    let pkce = PKCE(verifier: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", kind: .codeVerifier))
    #expect(pkce.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    #expect(PKCE.verify(pkce.verifier.reveal(), against: pkce.challenge, method: .s256))
    #expect(!PKCE.verify(pkce.verifier.reveal() + "x", against: pkce.challenge, method: .s256))
    #expect(!PKCE.verify(pkce.verifier.reveal(), against: pkce.challenge, method: .plain))
    #expect(PKCE.verify("same", against: "same", method: .plain))
  }

  @Test("creates a 43-character verifier from 32 random bytes")
  func verifier() {
    let pkce = PKCE(from: CountingRandomness())
    #expect(pkce.verifier.reveal() == "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")
    #expect(PKCE.isVerifier(pkce.verifier.reveal()))
    #expect(!PKCE.isVerifier(String(repeating: "a", count: 42)))
    #expect(!PKCE.isVerifier(String(repeating: "a", count: 129)))
    #expect(!PKCE.isVerifier(String(repeating: "+", count: 43)))
  }

  @Test("creates a state from the base64url encoding of a UUID")
  func state() throws {
    let state = StateAndNonce.state(from: CountingRandomness())
    let text = String(decoding: try Base64URL.decode(state.reveal()), as: UTF8.self)
    #expect(UUIDText.isValid(text))
    #expect(Base64URL.encode("state".utf8) == "c3RhdGU")
    #expect(state.kind == .state)
  }

  @Test("reads the home account from client info")
  func clientInfo() throws {
    let info = try ClientInfo(encoded: "eyJ1aWQiOiIxIiwgInV0aWQiOiIxMjM0LUFCQ0QifQ")
    #expect(info == ClientInfo(uid: "1", utid: "1234-ABCD"))
    #expect(info.homeAccountID == "1.1234-abcd")
    #expect(try ClientInfo(encoded: info.encoded) == info)
  }

  @Test("rejects invalid client info", arguments: ["not base64!", "W10", "eyJ1aWQiOiIxIn0", ""])
  func invalidClientInfo(text: String) {
    #expect(throws: ClientInfoFailure.self) { try ClientInfo(encoded: text) }
  }
}

/// A source of the bytes 0, 1, 2, and so on.
struct CountingRandomness: Randomness {
  func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 256) } }
}
