import Documents
import Effects
import OAuth
import RunTrace
import Testing

@Suite("Token responses, errors, and metadata")
struct ResponseTests {
  static let now = Instant(secondsSince1970: 1_735_689_600)

  @Test(
    "reads the expiration time in all formats that servers use",
    arguments: [
      (["expires_in": 3599], 3599, false),
      (["expires_in": "3599"], 3599, false),
      (["expires_in": 10, "expires_on": "1735689605"], 5, false),
      ([:], 3600, true),
      (["expires_in": "xyz"], 3600, true),
      (["expires_in": 1.5], 1, false),
      (["expires_in": -5], -5, false),
      (["expires_in": 9_000_000_000_000_000], 4_000_000_000, false),
    ] as [(JSON, Int64, Bool)])
  func expiry(json: JSON, seconds: Int64, assumed: Bool) throws {
    let response = try TokenResponse(json, receivedAt: Self.now)
    #expect(response.expiresOn.secondsSince1970 == Self.now.secondsSince1970 + seconds)
    #expect(response.expiryIsAssumed == assumed)
  }

  @Test("reads the extended expiration and refresh times, and ignores zero")
  func extended() throws {
    let response = try TokenResponse(
      ["expires_in": 1, "ext_expires_in": "7", "refresh_in": 3, "foci": "1"], receivedAt: Self.now)
    #expect(response.extendedExpiresOn == Self.now + .seconds(7))
    #expect(response.refreshOn == Self.now + .seconds(3))
    #expect(response.familyID == "1")
    let none = try TokenResponse(["ext_expires_in": 0, "refresh_in": "0"], receivedAt: Self.now)
    #expect(none.extendedExpiresOn == nil)
    #expect(none.refreshOn == nil)
  }

  @Test("ignores null and empty tokens, and preserves the order and case of scopes")
  func tokens() throws {
    let response = try TokenResponse(
      ["access_token": "at", "refresh_token": nil, "id_token": "", "scope": "openid User.Read"], receivedAt: Self.now)
    #expect(response.accessToken?.reveal() == "at")
    #expect(response.refreshToken == nil)
    #expect(response.idToken == nil)
    #expect(response.scope?.text == "openid User.Read")
    #expect(try TokenResponse([:], receivedAt: Self.now).scope == nil)
    #expect(throws: ClientInfoFailure.self) { try TokenResponse(["client_info": "§"], receivedAt: Self.now) }
  }

  @Test("reads all members of a Microsoft identity platform error")
  func error() throws {
    let json: JSON = [
      "error": "invalid_grant", "error_description": "AADSTS50076: MFA", "error_codes": [50076],
      "timestamp": "2025-02-27 22:38:35Z", "trace_id": "t", "correlation_id": "c", "error_uri": "u",
      "suberror": "basic_action", "claims": "{}", "password_change_url": "p",
    ]
    let error = try #require(OAuthError(json))
    #expect(error.json == json)
    #expect(error.code == "AADSTS50076")
    #expect(error.errorCodes == [50076])
    #expect(OAuthError(["error": "x", "error_codes": [1, "2"]] as JSON)?.errorCodes == [])
    #expect(OAuthError(["error": "x", "error_codes": [700016]] as JSON)?.code == "AADSTS700016")
    #expect(OAuthError(["error": ""] as JSON) == nil)
    #expect(OAuthError(["error_description": "x"] as JSON) == nil)
  }

  @Test("reads an error from a redirect")
  func redirectError() throws {
    let parameters = FormCoding.parse(
      "error=access_denied&error_subcode=cancel&error_description=AADB2C90118%3a+forgot+password%0d%0a&state=s")
    let error = try #require(OAuthError(parameters))
    #expect(error.errorSubcode == "cancel")
    #expect(error.code == "AADB2C90118")
    #expect(error.parameters.names == ["error", "error_subcode", "error_description"])
  }

  @Test("reads discovery documents, and rejects them if a required member is missing")
  func metadata() throws {
    let json: JSON = [
      "issuer": "https://h/{tenantid}/v2.0", "authorization_endpoint": "https://h/a", "token_endpoint": "https://h/t",
      "jwks_uri": "https://h/k", "other": [1],
    ]
    let metadata = try ProviderMetadata(json)
    #expect(metadata.json == json)
    #expect(metadata.issuer(forTenant: "T") == "https://h/T/v2.0")
    #expect(metadata.issuer(forTenant: nil) == nil)
    #expect(!metadata.sendsIssuerInRedirect)
    for name in ["issuer", "authorization_endpoint", "token_endpoint"] {
      var incomplete = json
      incomplete[name] = nil
      #expect(throws: ProviderMetadataFailure(missing: name)) { try ProviderMetadata(incomplete) }
    }
  }

  @Test("reads instance discovery responses")
  func instance() throws {
    let json: JSON = [
      "tenant_discovery_endpoint": "https://h/common/v2.0/.well-known/openid-configuration", "api-version": "1.1",
      "metadata": [
        [
          "preferred_network": "login.microsoftonline.com", "preferred_cache": "login.windows.net",
          "aliases": ["login.microsoftonline.com", "login.windows.net", "login.microsoft.com", "sts.windows.net"],
        ]
      ],
    ]
    let metadata = try #require(InstanceMetadata(json))
    #expect(metadata.json == json)
    #expect(metadata.cloud(of: "STS.windows.net")?.preferredCache == "login.windows.net")
    #expect(metadata.cloud(of: "evil.example") == nil)
    #expect(InstanceMetadata(["error": "invalid_instance"]) == nil)
  }
}
