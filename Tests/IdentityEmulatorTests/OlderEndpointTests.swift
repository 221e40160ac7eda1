import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

@Suite("v1.0 endpoints")
struct OlderEndpointTests {
  private static let contoso = "c0a70500-7e4a-4c00-8000-000000000001"
  private static let resource = "https://graph.microsoft.com"

  private static func authorizeURL(_ changes: Parameters = [:]) -> String {
    var parameters: Parameters = [
      "client_id": Stage.clientID, "response_type": "code", "redirect_uri": Stage.redirect, "resource": resource,
      "state": "1", "nonce": "n-1",
    ]
    for change in changes.entries { parameters.set(change.name, change.value) }
    return "https://login.microsoftonline.com/contoso.com/oauth2/authorize?\(FormCoding.serialize(parameters))"
  }

  private static func redeem(_ stage: Stage, _ changes: Parameters = [:]) async throws -> JSON {
    let end = try await PageWalker(stage).signIn(authorizeURL(), as: "megan@contoso.com")
    var form: Parameters = [
      "grant_type": "authorization_code", "code": try #require(end.parameters["code"]),
      "redirect_uri": Stage.redirect, "resource": resource,
    ]
    for change in changes.entries { form.set(change.name, change.value) }
    return try await stage.post("contoso.com/oauth2/token", form)
  }

  @Test("the token response has the v1.0 members, all as strings")
  func response() async throws {
    let stage = Stage()
    let json = try await Self.redeem(stage)
    let now = stage.clock.now.secondsSince1970
    #expect(json["token_type"] == "Bearer")
    #expect(json["expires_in"] == "3599")
    #expect(json["ext_expires_in"] == "3599")
    #expect(json["expires_on"]?.string == String(now + 3599))
    #expect(json["not_before"]?.string == String(now - 300))
    #expect(json["resource"]?.string == Self.resource)
    #expect(json["refresh_token"] != nil)
  }

  @Test("issues version 1 ID tokens")
  func idToken() async throws {
    let token = try UnverifiedJWT(parsing: try #require(try await Self.redeem(Stage())["id_token"]?.string))
    #expect(token.header["x5t"] == token.header["kid"])
    #expect(token.claims["ver"] == "1.0")
    #expect(token.claims["iss"]?.string == "https://sts.windows.net/\(Self.contoso)/")
    #expect(token.claims["aud"]?.string == Stage.clientID)
    #expect(token.claims["unique_name"] == "megan@contoso.com")
    #expect(token.claims["upn"] == "megan@contoso.com")
    #expect(token.claims["given_name"] == "Megan")
    #expect(token.claims["family_name"] == "Bowen")
    #expect(token.claims["amr"] == ["pwd"])
    #expect(token.claims["nonce"] == "n-1")
    #expect(token.claims["preferred_username"] == nil)
    for name in ["ipaddr", "oid", "sub", "tid", "name", "uti"] { #expect(token.claims[name] != nil, "\(name)") }
  }

  @Test("refresh tokens work on both endpoint versions")
  func refresh() async throws {
    let stage = Stage()
    let json = try await Self.redeem(stage)
    let again = try await stage.post(
      "contoso.com/oauth2/token",
      [
        "grant_type": "refresh_token", "refresh_token": json["refresh_token"]?.string ?? "",
        "resource": Self.resource,
      ])
    #expect(again["resource"]?.string == Self.resource)
    #expect(try await stage.refresh(json).status == 200)
  }

  @Test("device code responses and errors have the v1.0 names")
  func deviceCode() async throws {
    let stage = Stage()
    let start = try await stage.post("contoso.com/oauth2/devicecode", ["resource": Self.resource])
    #expect(start["verification_url"] != nil)
    #expect(start["expires_in"] == "900")
    #expect(start["interval"] == "5")
    stage.clock.advance(by: .seconds(901))
    let poll = try await stage.post(
      "contoso.com/oauth2/token",
      ["grant_type": "device_code", "code": start["device_code"]?.string ?? "", "resource": Self.resource])
    #expect(poll["error"] == "code_expired")
    #expect(poll["error_codes"] == [70020])
  }

  @Test("the discovery document has the v1.0 members")
  func discovery() async throws {
    let stage = Stage()
    let base = "https://login.microsoftonline.com"
    for (tenant, issuer) in [
      ("common", "https://sts.windows.net/{tenantid}/"), ("contoso.com", "https://sts.windows.net/\(Self.contoso)/"),
    ] {
      let json = try await stage.json("\(base)/\(tenant)/.well-known/openid-configuration")
      let segment = tenant == "common" ? "common" : Self.contoso
      #expect(json["issuer"]?.string == issuer)
      #expect(json["microsoft_multi_refresh_token"] == true)
      #expect(json["check_session_iframe"]?.string == "\(base)/\(segment)/oauth2/checksession")
      #expect(json["jwks_uri"]?.string == "\(base)/\(segment)/discovery/keys")
      #expect(json["userinfo_endpoint"]?.string == "\(base)/\(segment)/openid/userinfo")
      #expect(json["device_authorization_endpoint"]?.string == "\(base)/\(segment)/oauth2/devicecode")
      #expect(json["end_session_endpoint"]?.string == "\(base)/\(segment)/oauth2/logout")
      #expect(json["scopes_supported"] == ["openid"])
    }
  }

  @Test("an app gets tokens only for resources listed in its registration")
  func listed() async throws {
    let listed = Stage(app: { $0.permissions.append("api://orders.contoso.com/Orders.Read") })
    let url = Self.authorizeURL(["resource": "api://orders.contoso.com"])
    let end = try await PageWalker(listed).signIn(url, as: "megan@contoso.com")
    #expect(end.parameters["code"] != nil, "\(end)")
  }

  @Test("client credentials support the resource parameter")
  func clientCredentials() async throws {
    let stage = Stage(app: { $0.secrets = ["right"] })
    let json = try await stage.post(
      "contoso.com/oauth2/token",
      ["grant_type": "client_credentials", "client_secret": "right", "resource": Self.resource])
    #expect(json["resource"]?.string == Self.resource)
    #expect(json["expires_in"] == "3599")
    #expect(json["scope"] == nil)
  }
}
