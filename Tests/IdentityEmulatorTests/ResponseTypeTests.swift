import Crypto
import Directory
import Documents
import Effects
import IdentityEmulator
import OAuth
import Testing

@Suite("Response types and modes")
struct ResponseTypeTests {
  private static func leftHalfOfHash(_ text: String) -> String {
    Base64URL.encode(Array(SHA256.hash(data: Array(text.utf8))).prefix(16))
  }

  /// Returns the parameters and the response mode of an authorization response.
  private static func response(_ changes: Parameters) async throws -> (delivery: String, parameters: Parameters) {
    let stage = Stage(app: { app in
      app.implicitIdTokens = true
      app.implicitAccessTokens = true
    })
    let end = try await PageWalker(stage).signIn(
      Stage.authorizeURL(changing: changes + ["redirect_uri": "http://localhost:53211"]), as: "megan@contoso.com")
    if case .left(let url) = end {
      let delivery =
        url.contains("#code") || url.contains("#id_token") || url.contains("#access_token") || url.contains("#error")
        ? "fragment" : "query"
      return (delivery, end.parameters)
    }
    return ("form_post", try #require(end.page).hidden)
  }

  @Test(
    "supports all response types in all modes",
    arguments: ["code", "id_token", "token", "code id_token", "id_token token"], ["", "query", "fragment", "form_post"])
  func matrix(type: String, mode: String) async throws {
    var changes: Parameters = ["response_type": type]
    if !mode.isEmpty { changes.set("response_mode", mode) }
    let (delivery, parameters) = try await Self.response(changes)
    let types = Set(type.split(separator: " "))
    let isPlain = types == ["code"]
    if mode == "query", !isPlain {
      #expect(parameters["error_description"]?.hasPrefix("AADSTS70007") == true)
      #expect(delivery == "fragment")
      return
    }
    #expect(delivery == (mode.isEmpty ? (isPlain ? "query" : "fragment") : mode))
    #expect(parameters["state"] == "st&te=1")
    #expect(parameters["session_state"] != nil)
    #expect((parameters["code"] != nil) == types.contains("code"))
    #expect((parameters["access_token"] != nil) == types.contains("token"))
    #expect((parameters["id_token"] != nil) == types.contains("id_token"))
    if types.contains("token") {
      #expect(parameters["token_type"] == "Bearer")
      #expect(parameters["expires_in"] == "3599")
      #expect(parameters["scope"]?.contains("User.Read") == true)
    }
    guard let idToken = parameters["id_token"] else { return }
    let claims = try UnverifiedJWT(parsing: idToken).claims
    #expect(claims["nonce"] == "n-1")
    #expect(claims["c_hash"]?.string == parameters["code"].map(Self.leftHalfOfHash))
    #expect(claims["at_hash"]?.string == parameters["access_token"].map(Self.leftHalfOfHash))
  }

  @Test("an ID token from the authorize endpoint requires a nonce and the openid scope")
  func requirements() async throws {
    let stage = Stage(app: { $0.implicitIdTokens = true })
    let nonce = try await PageWalker(stage).get(
      Stage.authorizeURL(changing: ["response_type": "id_token"], without: ["nonce"]))
    #expect(nonce.parameters["error_description"]?.contains("'nonce'") == true)
    let openID = try await PageWalker(stage).get(
      Stage.authorizeURL(scope: "User.Read", changing: ["response_type": "id_token"]))
    #expect(openID.parameters["error"] == "invalid_scope")
    let end = try await PageWalker(stage).signIn(
      Stage.authorizeURL(scope: "User.Read", without: ["nonce"]), as: "megan@contoso.com")
    #expect(end.parameters["code"] != nil)
  }

  @Test("redeeming a code requires the matching code verifier", arguments: ["S256", "plain", "absent"])
  func challenges(method: String) async throws {
    let stage = Stage()
    let isHashed = method == "S256"
    let url = Stage.authorizeURL(
      changing: [
        "code_challenge": isHashed ? PKCE.challenge(for: Stage.verifier, method: .s256) : Stage.verifier,
        "code_challenge_method": method,
      ], without: method == "absent" ? ["code_challenge_method"] : [])
    let walker = PageWalker(stage)
    let end = try await walker.signIn(url, as: "megan@contoso.com")
    let code = try #require(end.parameters["code"], "\(end)")
    let wrong = try await stage.redeem(code, changing: ["code_verifier": String(repeating: "w", count: 43)])
    #expect(wrong.json["error_codes"] == [501_481])
    let missing = try await stage.redeem(code, changing: ["code_verifier": ""])
    #expect(missing.json["error_codes"] == [900_144])
    #expect(try await stage.redeem(code).status == 200)
  }
}
