import Documents
import OAuth
import Testing

@Suite("WWW-Authenticate challenges and claims requests")
struct ChallengeTests {
  @Test("parses a claims challenge from Microsoft Graph")
  func claimsChallenge() throws {
    let claims = #"{"access_token":{"nbf":{"essential":true,"value":"1604106651"}}}"#
    let header =
      "Bearer realm=\"\", authorization_uri=\"https://login.microsoftonline.com/common/oauth2/authorize\", "
      + "client_id=\"00000003-0000-0000-c000-000000000000\", error=\"insufficient_claims\", "
      + "claims=\"\(Base64.encode(claims.utf8))\""
    let challenge = try #require(AuthenticationChallenge.parse(header).first)
    #expect(challenge.isBearer)
    #expect(challenge.parameters["error"] == "insufficient_claims")
    #expect(challenge.parameters["realm"] == "")
    #expect(challenge.claims == claims)
    #expect(AuthenticationChallenge.parse(challenge.text) == [challenge])
  }

  @Test("parses several challenges, escapes, missing quotes, and `token68`")
  func several() {
    let parsed = AuthenticationChallenge.parse(
      #"Negotiate, Basic QWxhZGRpbjpvcGVu==, PKeyAuth , bearer Error="a \"b\", c\\" , scope=x ,, Digest a=1"#)
    #expect(parsed.map(\.scheme) == ["Negotiate", "Basic", "PKeyAuth", "bearer", "Digest"])
    #expect(parsed[1].token68 == "QWxhZGRpbjpvcGVu==")
    #expect(parsed[3].parameters == ["error": #"a "b", c\"#, "scope": "x"])
    #expect(parsed[4].parameters == ["a": "1"])
  }

  @Test(
    "returns no claims for malformed challenges",
    arguments: ["", ",,,", "=", "\"", "Bearer =", "Bearer x=\"unclosed", "\u{0}"])
  func malformed(header: String) {
    for challenge in AuthenticationChallenge.parse(header) { #expect(challenge.claims == nil) }
  }

  @Test("decodes claims from JSON or from either base64 alphabet, with or without padding")
  func alphabets() {
    let claims = #"{"access_token":{"acrs":{"essential":true,"value":"c1??>>"}}}"#
    let classic = Base64.encode(claims.utf8)
    let texts = [classic, classic.replacing("=", with: ""), Base64URL.encode(claims.utf8)]
    for text in texts {
      #expect(AuthenticationChallenge(scheme: "Bearer", parameters: ["claims": text]).claims == claims)
    }
    #expect(AuthenticationChallenge(scheme: "Bearer", parameters: ["claims": claims]).claims == claims)
    #expect(AuthenticationChallenge(scheme: "Bearer", parameters: ["claims": "e30"]).claims == "{}")
    #expect(AuthenticationChallenge(scheme: "Bearer", parameters: ["claims": "!"]).claims == nil)
    #expect(AuthenticationChallenge(scheme: "Basic", parameters: ["claims": "e30"]).claims == nil)
  }

  @Test(
    "serializes a claims request with sorted keys and booleans",
    arguments: [
      ("{}", nil),
      (#"{"id_token":{}}"#, nil),
      (#"{"id_token":{"nickname":null}}"#, #"{"id_token":{"nickname":null}}"#),
      (
        #"{"id_token":{"b":{"essential":1},"a":{"values":["x","x"],"value":2}},"access_token":{"c":null}}"#,
        #"{"access_token":{"c":null},"id_token":{"a":{"value":2,"values":["x","x"]},"b":{"essential":true}}}"#
      ),
    ] as [(String, String?)])
  func claimsRequest(text: String, expected: String?) throws {
    #expect(try ClaimsRequest(parsing: text).parameter == expected)
  }

  @Test(
    "rejects invalid claims requests",
    arguments: [
      "[]", #"{"userinfo":{}}"#, #"{"id_token":1}"#, #"{"id_token":{"a":{}}}"#, #"{"id_token":{"a":{"other":1}}}"#,
      #"{"id_token":{"a":{"essential":"yes"}}}"#, #"{"id_token":{"a":{"values":"x"}}}"#, #"{"id_token":{"a":"x"}}"#,
      "{",
    ])
  func rejected(text: String) {
    #expect(throws: ClaimsRequestFailure.self) { try ClaimsRequest(parsing: text) }
  }

  @Test("merges capabilities into a claims request")
  func capabilities() throws {
    let request = try ClaimsRequest(parsing: #"{"access_token":{"acrs":null}}"#)
    #expect(
      request.declaring(capabilities: ["cp1"]).parameter
        == #"{"access_token":{"acrs":null,"xms_cc":{"values":["cp1"]}}}"#)
    #expect(request.declaring(capabilities: nil) == request)
    #expect(!ClaimsRequest().declaring(capabilities: []).hasClaims)
  }
}
