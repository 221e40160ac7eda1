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

  @Test("rejects an unknown host, and sends one discovery request")
  func invalidInstance() async throws {
    let client = try TestClient(authority: "https://login.example.com/common")
    client.server.state.withLock { $0.instanceDiscovery = Self.invalidInstance }
    for _ in 0..<2 {
      let error = await client.signInFailure()
      #expect(error?.outcomeName == "failedAuthorityValidation")
      #expect(error?.serverCode == "AADSTS50049")
    }
    #expect(client.server.count("instance") == 1)
    #expect(client.server.state.withLock { $0.visits.isEmpty })
  }

  @Test("accepts an unknown host if the authority is known or validation is disabled", arguments: [true, false])
  func known(byList: Bool) async throws {
    let url = "https://login.example.com/\(FakeServer.utid)"
    let client = try TestClient(authority: url) { configuration in
      if byList {
        configuration.knownAuthorities = [try Authority(parsing: url)]
      } else {
        configuration.validateAuthority = false
      }
    }
    client.server.state.withLock { $0.instanceDiscovery = Self.invalidInstance }
    let result = try await client.signIn()
    #expect(result.account.environment == "login.example.com")
    #expect(try await client.silent(account: result.account).source == .cache)
    #expect(try await client.silent(account: result.account) { $0.forceRefresh = true }.source == .refreshToken)
  }

  @Test("trusts the tenant that issues tokens for a known authority, even in a new process")
  func knownMultitenant() async throws {
    let url = "https://login.example.com/common"
    func configure(_ configuration: inout PublicClientConfiguration) throws {
      configuration.knownAuthorities = [try Authority(parsing: url)]
    }
    let client = try TestClient(authority: url, configure: configure)
    client.server.state.withLock { $0.instanceDiscovery = Self.invalidInstance }
    let result = try await client.signIn()
    let restarted = try TestClient(authority: url, store: client.store, server: client.server, configure: configure)
    #expect(try await restarted.silent(account: result.account).source == .cache)
    #expect(try await restarted.silent(account: result.account) { $0.forceRefresh = true }.source == .refreshToken)
  }

  @Test("sends the discovery request to the authority's host if it is trusted, or to the public cloud otherwise")
  func discoveryHost() async throws {
    let urls = URLLog()
    for (authority, host) in [
      ("https://login.microsoftonline.us/common", "login.microsoftonline.us"),
      ("https://login.example.com/common", "login.microsoftonline.com"),
    ] {
      let client = try TestClient(
        authority: authority,
        transport: StubTransport { request in
          urls.add(request.url)
          return Self.invalidInstance
        })
      _ = await client.signInFailure()
      #expect(
        urls.last
          == "https://\(host)/common/discovery/instance?api-version=1.1&authorization_endpoint=\(authority)/oauth2/v2.0/authorize"
      )
    }
  }

  @Test("shares one discovery response among all clouds, aliases, and clients in a process")
  func oneDiscovery() async throws {
    let (process, server) = (ClientProcess(), FakeServer())
    server.state.withLock { state in
      state.metadata = { $0["issuer"] = "https://login.microsoftonline.com/{tenantid}/v2.0" }
    }
    for host in ["login.microsoftonline.com", "login.windows.net", "login.usgovcloudapi.net"] {
      let client = try TestClient(authority: "https://\(host)/common", server: server, process: process)
      _ = try await client.signIn()
      _ = try await client.signIn { $0.token.authority = try? Authority(parsing: "https://sts.windows.net/common") }
    }
    #expect(server.count("instance") == 1)
    let otherProcess = try TestClient(server: server)
    _ = try await otherProcess.signIn()
    #expect(server.count("instance") == 2)
  }

  @Test("fails if discovery is unavailable, and repeats it in the next call")
  func unavailable() async throws {
    let client = try TestClient()
    client.server.state.withLock { $0.instanceDiscovery = ResponseMessage(.notFound) }
    #expect(await client.signInFailure()?.outcomeName == "unhandledResponse")
    client.server.state.withLock { $0.instanceDiscovery = nil }
    _ = try await client.signIn()
    #expect(client.server.count("instance") == 2)
  }

  @Test(
    "selects the authority of a silent call",
    arguments: [
      ("common", FakeServer.utid), ("organizations", FakeServer.utid), ("consumers", FakeServer.utid),
      ("44444444-0000-4000-8000-000000000004", "44444444-0000-4000-8000-000000000004"),
      ("fabrikam.com", "fabrikam.com"),
    ])
  func issuer(tenant: String, expected: String) async throws {
    let client = try TestClient(authority: "https://login.microsoftonline.com/\(tenant)") {
      $0.redirectURI = "msauth.com.contoso.mail://auth"
    }
    _ = await client.silentFailure()
    let decision = client.events.all.first { $0["subject"] == "authority" }
    #expect(decision?["facts"]?["authority"] == .string("https://login.microsoftonline.com/\(expected)"))
  }

  @Test("does not replace `organizations` with the tenant for personal accounts")
  func personal() async throws {
    let client = try TestClient(authority: "https://login.microsoftonline.com/organizations")
    let personal = Account(
      identifier: "x.\(WellKnown.personalTenantID)", username: "me@outlook.com", environment: "login.windows.net")
    _ = await client.silentFailure(account: personal)
    let decision = client.events.all.first { $0["subject"] == "authority" }
    #expect(decision?["facts"]?["authority"] == "https://login.microsoftonline.com/organizations")
  }

  @Test("uses the authority that issued the cached tokens in a silent call")
  func mapped() async throws {
    let client = try TestClient(authority: "https://login.microsoftonline.com/contoso.com")
    client.server.state.withLock { state in
      state.metadata = { $0["issuer"] = "https://login.microsoftonline.com/{tenantid}/v2.0" }
    }
    let result = try await client.signIn()
    #expect(result.authority == "https://login.microsoftonline.com/\(FakeServer.utid)")
    #expect(try await client.silent().source == .cache)
    #expect(client.events.text.contains("previously issued tokens for https://login.microsoftonline.com/contoso.com"))
  }

  @Test("rejects a request whose authority type differs from the application's")
  func otherKind() async throws {
    let client = try TestClient()
    let b2c = try Authority(parsing: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_x")
    #expect(await client.silentFailure { $0.token.authority = b2c }?.outcomeName == "invalidParameter")
    #expect(await client.signInFailure { $0.token.authority = b2c }?.outcomeName == "invalidParameter")
  }

  // MARK: Other authority types

  static let b2cURL = "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_signin"

  @Test("requires B2C authorities to be known, and uses the tenant of the account in silent calls")
  func b2c() async throws {
    let unknown = try TestClient(authority: Self.b2cURL)
    #expect(await unknown.signInFailure()?.outcomeName == "unexpected")
    let client = try TestClient(authority: Self.b2cURL) { $0.knownAuthorities = [try Authority(parsing: Self.b2cURL)] }
    client.server.state.withLock { state in
      state.metadata = { $0["issuer"] = "https://login.microsoftonline.com/\(FakeServer.utid)/v2.0" }
      state.claims = { $0["preferred_username"] = nil }
    }
    let scopes = ["https://contoso.onmicrosoft.com/api/read"]
    let result = try await client.signIn(scopes)
    #expect(result.account.username == "Missing from the token response")
    #expect(result.authority == "https://contoso.b2clogin.com/tfp/\(FakeServer.utid)/B2C_1_signin")
    #expect(result.resource == "https://contoso.onmicrosoft.com/api")
    #expect(try await client.silent(scopes, account: result.account).source == .cache)
    #expect(client.server.count("instance") == 0)
    #expect(await client.signInFailure([FakeServer.clientID]) == nil)
  }

  static let oidcURL = "https://id.example.com/realm"

  func oidc(_ configure: (inout PublicClientConfiguration) -> Void = { _ in }) throws -> TestClient {
    let client = try TestClient { configuration in
      configuration.authority = try Authority(parsing: Self.oidcURL, as: .oidc)
      configuration.redirectURI = "com.contoso.mail://callback"
      configure(&configuration)
    }
    client.server.state.withLock { state in
      state.metadata = { $0["issuer"] = .string(Self.oidcURL) }
      state.claims = {
        $0["iss"] = .string(Self.oidcURL)
        $0["preferred_username"] = nil
        $0["email"] = "megan@example.com"
        $0["tid"] = nil
      }
    }
    return client
  }

  @Test("identifies accounts by subject and sends no Microsoft parameters for other OpenID providers")
  func otherProvider() async throws {
    let client = try oidc { $0.testServerClientSecret = "s" }
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["client_info"] = nil } }
    let result = try await client.signIn(["profile.read"])
    #expect(result.account.identifier == "subject-1")
    #expect(result.account.username == "megan@example.com")
    let query = client.server.state.withLock { URLReference($0.visits[0].url).parameters }
    #expect(
      query.names == [
        "client_id", "redirect_uri", "response_type", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method",
      ])
    let form = try #require(client.server.state.withLock { $0.tokenRequests.first })
    #expect(form["client_secret"] == nil)
    let headers = client.server.last("token")?.head.headerFields.map { $0.name.canonicalName } ?? []
    #expect(headers.filter { $0.hasPrefix("x-") } == [])
    let credentials = Base64.encode(Array("\(FakeServer.clientID):s".utf8))
    #expect(client.server.last("token")?.head.headerFields[.authorization] == "Basic \(credentials)")
    #expect(form["client_info"] == nil)
    #expect(try await client.silent(["profile.read"], account: result.account).source == .cache)
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["client_info"] = nil } }
    let refreshed = try await client.silent(["profile.read"], account: result.account) { $0.forceRefresh = true }
    #expect(refreshed.account.identifier == "subject-1")
    #expect(try client.application.accounts().count == 1)
    // The request contains only scopes that were granted with the refresh token.
    #expect(client.server.state.withLock { $0.tokenRequests.last?["scope"] } == "profile.read openid profile")
    var parameters = SignOutParameters(account: refreshed.account)
    parameters.signoutFromBrowser = true
    let prepared = parameters
    let outcome = try await client.simulation.run { try await client.application.signOut(prepared) }
    let url = client.server.state.withLock { URLReference($0.visits.last?.url ?? "").parameters }
    #expect(url.names == ["post_logout_redirect_uri", "state", "id_token_hint", "client_id"])
    #expect(url["id_token_hint"] == refreshed.idToken?.reveal())
    #expect(outcome.sent?.parameters["id_token_hint"] == "‹id token›")
    #expect(!client.events.text.contains(refreshed.idToken?.reveal() ?? "-"))
  }

  @Test(
    "sends the secret for test servers in the header or the form, whichever the provider supports",
    arguments: [
      (["client_secret_basic", "client_secret_post"], false), (["client_secret_post"], true), (["none"], false),
      ([], false),
    ] as [([String], Bool)])
  func secretLocation(methods: [String], isInForm: Bool) async throws {
    let client = try oidc { $0.testServerClientSecret = "s:ä" }
    client.server.state.withLock { state in
      state.metadata = {
        $0["issuer"] = .string(Self.oidcURL)
        if !methods.isEmpty { $0["token_endpoint_auth_methods_supported"] = .array(methods.map { .string($0) }) }
      }
    }
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["client_info"] = nil } }
    let result = try await client.signIn(["profile.read"])
    let form = client.server.state.withLock { $0.tokenRequests.first }
    #expect((form?["client_secret"] == "s:ä") == isInForm)
    let header = client.server.last("token")?.head.headerFields[.authorization]
    #expect(header == (isInForm ? nil : "Basic \(Base64.encode(Array("\(FakeServer.clientID):s%3A%C3%A4".utf8)))"))
    #expect(result.sent?.json.text().contains("s:ä") == false)
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["client_info"] = nil } }
    _ = try await client.silent(["profile.read"], account: result.account) { $0.forceRefresh = true }
    #expect((client.server.state.withLock { $0.tokenRequests.last?["client_secret"] } != nil) == isInForm)
  }

  @Test("rejects metadata from another issuer")
  func issuerMismatch() async throws {
    let client = try oidc()
    client.server.state.withLock { state in state.metadata = { $0["issuer"] = "https://evil.example" } }
    #expect(await client.signInFailure(["profile.read"])?.outcomeName == "failedAuthorityValidation")
    #expect(client.server.state.withLock { $0.visits.isEmpty })
  }

  @Test("rejects endpoints without TLS")
  func insecureEndpoints() async throws {
    let client = try TestClient()
    client.server.state.withLock { state in state.metadata = { $0["token_endpoint"] = "http://h/token" } }
    #expect(await client.signInFailure()?.outcomeName == "nonHttpsRedirect")
  }

  @Test("does not send the secret for test servers to Microsoft")
  func noSecret() async throws {
    let client = try TestClient { $0.testServerClientSecret = "s" }
    _ = try await client.signIn()
    #expect(client.server.state.withLock { $0.tokenRequests[0]["client_secret"] } == nil)
  }
}
