import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import PublicClient
import RunTrace
import SimulatedWorld
import Synchronization
import Testing

@Suite("Authorities")
struct AuthorityTests {
  static let invalidInstance = ResponseMessage.json(
    #"{"error":"invalid_instance","error_description":"AADSTS50049: Unknown or invalid instance.","error_codes":[50049]}"#,
    status: .badRequest)

  @Test("An unknown host is refused, and the service is not asked again")
  func invalidInstance() async throws {
    let stage = try Stage(authority: "https://login.example.com/common")
    stage.platform.state.withLock { $0.instanceDiscovery = Self.invalidInstance }
    for _ in 0..<2 {
      let error = await stage.signInFailure()
      #expect(error?.outcomeName == "failedAuthorityValidation")
      #expect(error?.serverCode == "AADSTS50049")
    }
    #expect(stage.platform.count("instance") == 1)
    #expect(stage.platform.state.withLock { $0.visits.isEmpty })
  }

  @Test("An authority that the app vouches for is taken whatever discovery says", arguments: [true, false])
  func known(byList: Bool) async throws {
    let url = "https://login.example.com/\(FakePlatform.utid)"
    let stage = try Stage(authority: url) { configuration in
      if byList {
        configuration.knownAuthorities = [try Authority(parsing: url)]
      } else {
        configuration.validateAuthority = false
      }
    }
    stage.platform.state.withLock { $0.instanceDiscovery = Self.invalidInstance }
    let result = try await stage.signIn()
    #expect(result.account.environment == "login.example.com")
    #expect(try await stage.silent(account: result.account).source == .cache)
    #expect(try await stage.silent(account: result.account) { $0.forceRefresh = true }.source == .refreshToken)
  }

  @Test("What the app vouches for holds for the tenant that answers for it, also in a new process")
  func knownForMany() async throws {
    let url = "https://login.example.com/common"
    func configure(_ configuration: inout PublicClientConfiguration) throws {
      configuration.knownAuthorities = [try Authority(parsing: url)]
    }
    let stage = try Stage(authority: url, configure: configure)
    stage.platform.state.withLock { $0.instanceDiscovery = Self.invalidInstance }
    let result = try await stage.signIn()
    let later = try Stage(authority: url, store: stage.store, platform: stage.platform, configure: configure)
    #expect(try await later.silent(account: result.account).source == .cache)
    #expect(try await later.silent(account: result.account) { $0.forceRefresh = true }.source == .refreshToken)
  }

  @Test("Discovery is asked at the authority's host where it is trusted, else at the public cloud's")
  func place() async throws {
    let urls = URLLog()
    for (authority, host) in [
      ("https://login.microsoftonline.us/common", "login.microsoftonline.us"),
      ("https://login.example.com/common", "login.microsoftonline.com"),
    ] {
      let stage = try Stage(
        authority: authority,
        transport: StubTransport { request in
          urls.add(request.url)
          return Self.invalidInstance
        })
      _ = await stage.signInFailure()
      #expect(
        urls.last
          == "https://\(host)/common/discovery/instance?api-version=1.1&authorization_endpoint=\(authority)/oauth2/v2.0/authorize"
      )
    }
  }

  @Test("one discovery serves every alias of every cloud, and all application objects of the process")
  func oneDiscovery() async throws {
    let (process, platform) = (ClientProcess(), FakePlatform())
    platform.state.withLock { state in
      state.metadata = { $0["issuer"] = "https://login.microsoftonline.com/{tenantid}/v2.0" }
    }
    for host in ["login.microsoftonline.com", "login.windows.net", "login.usgovcloudapi.net"] {
      let stage = try Stage(authority: "https://\(host)/common", platform: platform, process: process)
      _ = try await stage.signIn()
      _ = try await stage.signIn { $0.token.authority = try? Authority(parsing: "https://sts.windows.net/common") }
    }
    #expect(platform.count("instance") == 1)
    let elsewhere = try Stage(platform: platform)
    _ = try await elsewhere.signIn()
    #expect(platform.count("instance") == 2)
  }

  @Test("A failed discovery is the call's failure, and is asked again next time")
  func unavailable() async throws {
    let stage = try Stage()
    stage.platform.state.withLock { $0.instanceDiscovery = ResponseMessage(.notFound) }
    #expect(await stage.signInFailure()?.outcomeName == "unhandledResponse")
    stage.platform.state.withLock { $0.instanceDiscovery = nil }
    _ = try await stage.signIn()
    #expect(stage.platform.count("instance") == 2)
  }

  @Test(
    "Which authority a silent call goes to",
    arguments: [
      ("common", FakePlatform.utid), ("organizations", FakePlatform.utid), ("consumers", FakePlatform.utid),
      ("44444444-0000-4000-8000-000000000004", "44444444-0000-4000-8000-000000000004"),
      ("fabrikam.com", "fabrikam.com"),
    ])
  func issuer(tenant: String, expected: String) async throws {
    let stage = try Stage(authority: "https://login.microsoftonline.com/\(tenant)") {
      $0.redirectURI = "msauth.com.contoso.mail://auth"
    }
    _ = await stage.silentFailure()
    let chosen = stage.events.all.first { $0["subject"] == "authority" }
    #expect(chosen?["facts"]?["authority"] == .string("https://login.microsoftonline.com/\(expected)"))
  }

  @Test("organizations stays as it is for a personal account")
  func personal() async throws {
    let stage = try Stage(authority: "https://login.microsoftonline.com/organizations")
    let personal = Account(
      identifier: "x.\(WellKnown.personalTenantID)", username: "me@outlook.com", environment: "login.windows.net")
    _ = await stage.silentFailure(account: personal)
    let chosen = stage.events.all.first { $0["subject"] == "authority" }
    #expect(chosen?["facts"]?["authority"] == "https://login.microsoftonline.com/organizations")
  }

  @Test("The authority that answered once answers again")
  func mapped() async throws {
    let stage = try Stage(authority: "https://login.microsoftonline.com/contoso.com")
    stage.platform.state.withLock { state in
      state.metadata = { $0["issuer"] = "https://login.microsoftonline.com/{tenantid}/v2.0" }
    }
    let result = try await stage.signIn()
    #expect(result.authority == "https://login.microsoftonline.com/\(FakePlatform.utid)")
    #expect(try await stage.silent().source == .cache)
    #expect(stage.events.text.contains("answered for https://login.microsoftonline.com/contoso.com before"))
  }

  @Test("A request's authority must be of the application's kind")
  func otherKind() async throws {
    let stage = try Stage()
    let b2c = try Authority(parsing: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_x")
    #expect(await stage.silentFailure { $0.token.authority = b2c }?.outcomeName == "invalidParameter")
    #expect(await stage.signInFailure { $0.token.authority = b2c }?.outcomeName == "invalidParameter")
  }

  // MARK: Other kinds

  static let b2cURL = "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_signin"

  @Test("B2C must be known; then it is silent by the account's tenant")
  func b2c() async throws {
    let unknown = try Stage(authority: Self.b2cURL)
    #expect(await unknown.signInFailure()?.outcomeName == "unexpected")
    let stage = try Stage(authority: Self.b2cURL) { $0.knownAuthorities = [try Authority(parsing: Self.b2cURL)] }
    stage.platform.state.withLock { state in
      state.metadata = { $0["issuer"] = "https://login.microsoftonline.com/\(FakePlatform.utid)/v2.0" }
      state.claims = { $0["preferred_username"] = nil }
    }
    let scopes = ["https://contoso.onmicrosoft.com/api/read"]
    let result = try await stage.signIn(scopes)
    #expect(result.account.username == "Missing from the token response")
    #expect(result.authority == "https://contoso.b2clogin.com/tfp/\(FakePlatform.utid)/B2C_1_signin")
    #expect(result.resource == "https://contoso.onmicrosoft.com/api")
    #expect(try await stage.silent(scopes, account: result.account).source == .cache)
    #expect(stage.platform.count("instance") == 0)
    let own = await stage.signInFailure([FakePlatform.clientID])
    #expect(own == nil)
  }

  static let oidcURL = "https://id.example.com/realm"

  func oidc(_ configure: (inout PublicClientConfiguration) -> Void = { _ in }) throws -> Stage {
    let stage = try Stage { configuration in
      configuration.authority = try Authority(parsing: Self.oidcURL, as: .oidc)
      configuration.redirectURI = "com.contoso.mail://callback"
      configure(&configuration)
    }
    stage.platform.state.withLock { state in
      state.metadata = { $0["issuer"] = .string(Self.oidcURL) }
      state.claims = {
        $0["iss"] = .string(Self.oidcURL)
        $0["preferred_username"] = nil
        $0["email"] = "megan@example.com"
        $0["tid"] = nil
      }
    }
    return stage
  }

  @Test("A plain OpenID provider: no Microsoft parameters, the account is known by its subject")
  func plainProvider() async throws {
    let stage = try oidc { $0.testServerClientSecret = "s" }
    stage.answer { form, platform in platform.tokens(for: form) { $0["client_info"] = nil } }
    let result = try await stage.signIn(["profile.read"])
    #expect(result.account.identifier == "subject-1")
    #expect(result.account.username == "megan@example.com")
    let query = stage.platform.state.withLock { URLReference($0.visits[0].url).parameters }
    #expect(
      query.names == [
        "client_id", "redirect_uri", "response_type", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method",
      ])
    let form = try #require(stage.platform.state.withLock { $0.tokenRequests.first })
    #expect(form["client_secret"] == nil)
    let told = stage.platform.last("token")?.head.headerFields.map { $0.name.canonicalName } ?? []
    #expect(told.filter { $0.hasPrefix("x-") } == [])
    let credentials = Base64.encode(Array("\(FakePlatform.clientID):s".utf8))
    #expect(stage.platform.last("token")?.head.headerFields[.authorization] == "Basic \(credentials)")
    #expect(form["client_info"] == nil)
    #expect(try await stage.silent(["profile.read"], account: result.account).source == .cache)
    stage.answer { form, platform in platform.tokens(for: form) { $0["client_info"] = nil } }
    let refreshed = try await stage.silent(["profile.read"], account: result.account) { $0.forceRefresh = true }
    #expect(refreshed.account.identifier == "subject-1")
    #expect(try stage.application.accounts().count == 1)
    // Only what was granted with the refresh token is asked for again.
    #expect(stage.platform.state.withLock { $0.tokenRequests.last?["scope"] } == "profile.read openid profile")
    var parameters = SignOutParameters(account: refreshed.account)
    parameters.signoutFromBrowser = true
    let prepared = parameters
    let outcome = try await stage.simulation.run { try await stage.application.signOut(prepared) }
    let url = stage.platform.state.withLock { URLReference($0.visits.last?.url ?? "").parameters }
    #expect(url.names == ["post_logout_redirect_uri", "state", "id_token_hint", "client_id"])
    #expect(url["id_token_hint"] == refreshed.idToken?.reveal())
    #expect(outcome.sent?.parameters["id_token_hint"] == "‹id token›")
    #expect(!stage.events.text.contains(refreshed.idToken?.reveal() ?? "-"))
  }

  @Test(
    "The secret for test servers goes where the provider takes it",
    arguments: [
      (["client_secret_basic", "client_secret_post"], false), (["client_secret_post"], true), (["none"], false),
      ([], false),
    ] as [([String], Bool)])
  func secretPlace(methods: [String], isInForm: Bool) async throws {
    let stage = try oidc { $0.testServerClientSecret = "s:ä" }
    stage.platform.state.withLock { state in
      state.metadata = {
        $0["issuer"] = .string(Self.oidcURL)
        if !methods.isEmpty { $0["token_endpoint_auth_methods_supported"] = .array(methods.map { .string($0) }) }
      }
    }
    stage.answer { form, platform in platform.tokens(for: form) { $0["client_info"] = nil } }
    let result = try await stage.signIn(["profile.read"])
    let form = stage.platform.state.withLock { $0.tokenRequests.first }
    #expect((form?["client_secret"] == "s:ä") == isInForm)
    let header = stage.platform.last("token")?.head.headerFields[.authorization]
    #expect(header == (isInForm ? nil : "Basic \(Base64.encode(Array("\(FakePlatform.clientID):s%3A%C3%A4".utf8)))"))
    #expect(result.sent?.json.text().contains("s:ä") == false)
    stage.answer { form, platform in platform.tokens(for: form) { $0["client_info"] = nil } }
    _ = try await stage.silent(["profile.read"], account: result.account) { $0.forceRefresh = true }
    #expect((stage.platform.state.withLock { $0.tokenRequests.last?["client_secret"] } != nil) == isInForm)
  }

  @Test("Metadata of another issuer is refused")
  func issuerMismatch() async throws {
    let stage = try oidc()
    stage.platform.state.withLock { state in state.metadata = { $0["issuer"] = "https://evil.example" } }
    #expect(await stage.signInFailure(["profile.read"])?.outcomeName == "failedAuthorityValidation")
    #expect(stage.platform.state.withLock { $0.visits.isEmpty })
  }

  @Test("Endpoints without TLS are refused")
  func plainEndpoints() async throws {
    let stage = try Stage()
    stage.platform.state.withLock { state in state.metadata = { $0["token_endpoint"] = "http://h/token" } }
    #expect(await stage.signInFailure()?.outcomeName == "nonHttpsRedirect")
  }

  @Test("A secret for test servers never goes to Microsoft")
  func noSecret() async throws {
    let stage = try Stage { $0.testServerClientSecret = "s" }
    _ = try await stage.signIn()
    #expect(stage.platform.state.withLock { $0.tokenRequests[0]["client_secret"] } == nil)
  }
}
