import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import OrderedCollections
import Testing

@Suite("APIs and their access tokens")
struct ResourceTests {
  private static let apiID = "22222222-3333-4444-8555-666666666666"
  private static let contoso = "c0a70500-7e4a-4c00-8000-000000000001"
  private static let powerShell = "1950a258-227b-4e31-a9cf-717495945fc2"

  private static func directory(
    version: Int? = nil, audience: RegisteredApp.Audience? = nil, isRegistered: Bool = true
  ) -> EmulatedDirectory {
    var directory = EmulatedDirectory.contoso
    directory.registersOnTheFly = false
    var api = ResourceAPI()
    api.appId = apiID
    api.uris = ["https://stock.example"]
    api.scopes = [.init("Stock.Read")]
    api.tokenVersion = version
    api.answers = ["https://stock.example/items": ["count": 1]]
    directory.resources.append(api)
    if isRegistered {
      var app = RegisteredApp(appId: apiID, publicRedirectUris: [])
      app.audience = audience
      directory.apps.append(app)
    }
    return directory
  }

  private static func appToken(_ scope: String, on stage: Stage) async throws -> JSON {
    try await stage.token(
      [
        "grant_type": "client_credentials", "client_id": Stage.clientID, "client_secret": "right",
        "scope": .init(scope),
      ],
      tenant: "contoso.com"
    ).json
  }

  private static func claims(_ response: JSON) throws -> JSON {
    try UnverifiedJWT(parsing: try #require(response["access_token"]?.string, "\(response)")).claims
  }

  @Test("the default token version is 1, or 2 if the app allows personal accounts")
  func versions() async throws {
    let cases: [(version: Int?, audience: RegisteredApp.Audience?, isRegistered: Bool, expected: String)] = [
      (nil, .myOrg, true, "1.0"), (nil, .multipleOrgs, true, "1.0"), (nil, nil, false, "1.0"),
      (nil, .orgsAndPersonal, true, "2.0"), (nil, .personal, true, "2.0"), (2, .myOrg, true, "2.0"),
      (1, .orgsAndPersonal, true, "1.0"),
    ]
    for one in cases {
      let directory = Self.directory(version: one.version, audience: one.audience, isRegistered: one.isRegistered)
      let stage = Stage(directory: directory, app: { $0.secrets = ["right"] })
      let claims = try Self.claims(try await Self.appToken("https://stock.example/.default", on: stage))
      let isFirst = one.expected == "1.0"
      #expect(claims["ver"]?.string == one.expected, "\(one)")
      #expect(claims["aud"]?.string == (isFirst ? "https://stock.example" : Self.apiID), "\(one)")
      #expect(
        claims["iss"]?.string
          == (isFirst
            ? "https://sts.windows.net/\(Self.contoso)/" : "https://login.microsoftonline.com/\(Self.contoso)/v2.0"))
      #expect(claims[isFirst ? "appid" : "azp"]?.string == Stage.clientID)
    }
  }

  @Test(
    "an API rejects audiences and issuers that are not in its configuration",
    arguments: [
      (["https://stock.example"], nil, nil), ([apiID], nil, "IDX10214"),
      (nil, ["https://sts.windows.net/{tenantid}/"], nil),
      (nil, ["https://login.microsoftonline.com/{tenantid}/v2.0"], "IDX10205"),
    ] as [([String]?, [String]?, String?)])
  func configuration(audiences: [String]?, issuers: [String]?, code: String?) async throws {
    var directory = Self.directory(version: 1)
    directory.resources[directory.resources.count - 1].validAudiences = audiences
    directory.resources[directory.resources.count - 1].validIssuers = issuers
    let stage = Stage(directory: directory, app: { $0.secrets = ["right"] })
    let token = try #require(
      try await Self.appToken("https://stock.example/.default", on: stage)["access_token"]?.string)
    let response = try await stage.send(
      .get, "https://stock.example/items", headers: [.authorization: "Bearer \(token)"])
    #expect(response.head.status.code == (code == nil ? 200 : 401))
    let challenge = response.head.headerFields[.wwwAuthenticate] ?? ""
    #expect(code.map { challenge.contains("\($0): ") } ?? challenge.isEmpty, "\(challenge)")
  }

  @Test("an API accepts version 1 tokens for all of its identifiers")
  func names() async throws {
    let stage = Stage(directory: Self.directory(audience: .myOrg), app: { $0.secrets = ["right"] })
    for scope in [
      "https://stock.example/.default", "https://stock.example//.default", "\(Self.apiID)/.default",
      "api://\(Self.apiID)/.default",
    ] {
      let response = try await Self.appToken(scope, on: stage)
      #expect(try Self.claims(response)["aud"]?.string == String(scope.dropLast("/.default".count)))
      #expect(try await Self.status(response, on: stage) == 200, "\(scope)")
    }
    let graph = try await Self.appToken("https://graph.microsoft.com/.default", on: stage)
    #expect(try await Self.status(graph, on: stage) == 401)
  }

  private static func status(_ response: JSON, on stage: Stage) async throws -> Int {
    let token = try #require(response["access_token"]?.string)
    return try await stage.send(
      .get, "https://stock.example/items", headers: [.authorization: "Bearer \(token)"]
    ).head.status.code
  }

  @Test(
    "Microsoft's own APIs exist in every tenant",
    arguments: [
      "https://outlook.office.com", "https://vault.azure.net", "https://storage.azure.com",
      "https://database.windows.net/", "https://contoso.sharepoint.com", "https://analysis.windows.net/powerbi/api",
      "https://graph.windows.net", "https://management.azure.com/", "499b84ac-1321-427f-aa17-267ca6975798",
    ])
  func firstParty(resource: String) async throws {
    let stage = Stage(directory: Self.directory(), app: { $0.secrets = ["right"] })
    let claims = try Self.claims(try await Self.appToken(resource + "/.default", on: stage))
    #expect(claims["ver"] == "1.0")
    #expect(claims["aud"]?.string == resource)
  }

  @Test("the error for an unknown API contains the tenant ID", arguments: ["common", "contoso.com"])
  func unknown(tenant: String) async throws {
    let stage = Stage(directory: Self.directory())
    let url = Stage.authorizeURL(scope: "openid https://nowhere.example/Read", tenant: tenant)
    let end = try await PageWalker(stage).get(url)
    let described = end.parameters["error_description"] ?? ""
    #expect(described.hasPrefix("AADSTS500011: "), "\(described)")
    #expect(described.contains("'https://nowhere.example'") && described.contains("'\(Self.contoso)'"))
  }

  @Test("Microsoft's own clients exist in every tenant and do not require consent for Azure Resource Manager and Graph")
  func firstPartyClient() async throws {
    for (scope, granted) in [
      ("https://management.azure.com//.default", "user_impersonation"),
      ("https://graph.microsoft.com/.default", "Directory.AccessAsUser.All"),
    ] {
      let stage = Stage(directory: Self.directory())
      let walker = PageWalker(stage)
      let changes: Parameters = ["client_id": .init(Self.powerShell), "redirect_uri": "http://localhost:8400"]
      let end = try await walker.signIn(
        Stage.authorizeURL(scope: "openid offline_access \(scope)", changing: changes), as: "megan@contoso.com")
      let code = try #require(end.parameters["code"], "\(walker.screens) \(end.parameters.entries)")
      #expect(!walker.screens.contains("consent") && !walker.screens.contains("adminApproval"), "\(walker.screens)")
      let claims = try Self.claims(try await stage.redeem(code, changing: changes).json)
      #expect(claims["scp"]?.string?.contains(granted) == true, "\(claims)")
    }
  }

  @Test("the resource parameter must match the scopes")
  func resourceParameter() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn(changing: ["resource": "https://graph.microsoft.com/"])
    #expect(tokens["access_token"] != nil, "\(tokens)")
    let same = try await stage.refresh(tokens, changing: ["resource": "https://graph.microsoft.com"])
    #expect(same.status == 200, "\(same.json)")
    let other = try await stage.refresh(tokens, changing: ["resource": "https://unknown.example/mcp"])
    #expect(other.json["error"] == "invalid_target")
    #expect(other.json["error_codes"] == [9_010_010])
  }

  @Test("rejects unsupported token types", arguments: ["pop", "ssh-cert"])
  func tokenTypes(type: String) async throws {
    let stage = Stage()
    let tokens = try await stage.signIn()
    let rejected = try await stage.refresh(tokens, changing: ["token_type": .init(type)])
    #expect(rejected.json["error"] == "invalid_request")
    #expect(rejected.json["error_description"]?.string?.contains("'\(type)'") == true, "\(rejected.json)")
    #expect(try await stage.refresh(tokens, changing: ["token_type": "Bearer"]).status == 200)
  }
}
