import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import PublicClient
import SimulatedWorld
import Synchronization
import Testing

/// Tests that each entry in `knownAuthorities` applies only to its URL and not to other authorities on the same host.
@Suite("Known authorities")
struct KnownAuthorityTests {
  static let knownURL = "https://idp.example/a"
  static let otherURL = "https://idp.example/b"

  func makeClient() throws -> TestClient {
    let client = try TestClient(authority: Self.knownURL) {
      $0.knownAuthorities = [try Authority(parsing: Self.knownURL)]
    }
    client.server.state.withLock { $0.instanceDiscovery = AuthorityTests.invalidInstance }
    return client
  }

  @Test("rejects other authorities on the host of a known authority, in any order", arguments: [true, false])
  func otherTenant(knownFirst: Bool) async throws {
    let client = try makeClient()
    let other = try Authority(parsing: Self.otherURL)
    for isKnown in [knownFirst, !knownFirst, knownFirst, !knownFirst] {
      let error = await client.signInFailure { if !isKnown { $0.token.authority = other } }
      #expect(error?.outcomeName == (isKnown ? nil : "failedAuthorityValidation"))
    }
    // All calls share one discovery response for the host.
    #expect(client.server.count("instance") == 1)
  }

  @Test("rejects an unknown B2C policy, even after a request for a known policy")
  func otherPolicy() async throws {
    let client = try TestClient(authority: AuthorityTests.b2cURL) {
      $0.knownAuthorities = [try Authority(parsing: AuthorityTests.b2cURL)]
    }
    client.server.state.withLock { state in
      state.metadata = { $0["issuer"] = "https://login.microsoftonline.com/\(FakeServer.utid)/v2.0" }
    }
    let reset = try Authority(parsing: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_reset")
    for _ in 0..<2 {
      #expect(await client.signInFailure { $0.token.authority = reset }?.internalCode == -42_008)
      let result = try await client.signIn()
      #expect(try await client.silent(account: result.account).source == .cache)
    }
  }

  @Test("does not reject a known authority because of a concurrent call with an unknown one")
  func concurrent() async throws {
    let client = try makeClient()
    let other = try Authority(parsing: Self.otherURL)
    let (unknown, known) = try await client.simulation.run {
      async let unknown = Self.silentFailure(client, other)
      async let known = Self.silentFailure(client, nil)
      return (await unknown, await known)
    }
    #expect(unknown == "failedAuthorityValidation")
    #expect(known == "interactionRequired")
  }

  static func silentFailure(_ client: TestClient, _ authority: Authority?) async -> String? {
    var parameters = SilentParameters(TokenParameters(scopes: ["User.Read"], account: TestClient.megan))
    parameters.token.authority = authority
    do {
      _ = try await client.application.acquireTokenSilent(parameters)
      return nil
    } catch {
      return error.outcomeName
    }
  }

  @Test("trusts a known authority in a new process and does not repeat discovery for a validated host")
  func newProcess() async throws {
    let client = try makeClient()
    let account = try await client.signIn().account
    let restarted = try TestClient(authority: Self.knownURL, store: client.store, server: client.server) {
      $0.knownAuthorities = [try Authority(parsing: Self.knownURL)]
    }
    #expect(try await restarted.silent(account: account) { $0.forceRefresh = true }.source == .refreshToken)
    let validated = try TestClient {
      $0.knownAuthorities = [try Authority(parsing: "https://login.microsoftonline.com/\(FakeServer.utid)")]
    }
    _ = try await validated.signIn()
    let known = try Authority(parsing: "https://login.microsoftonline.com/\(FakeServer.utid)")
    #expect(try await validated.signIn { $0.token.authority = known }.account.environment == "login.windows.net")
    #expect(validated.server.count("instance") == 1)
  }

  @Test("does not use a broker for a known authority")
  func device() throws {
    let url = "https://login.microsoftonline.com/common"
    let client = try TestClient { $0.knownAuthorities = [try Authority(parsing: url)] }
    let error = #expect(throws: MSALError.self) { try client.application.deviceInformation() }
    #expect(error?.internalCode == -42_714)
    let other = try TestClient { $0.knownAuthorities = [try Authority(parsing: Self.knownURL)] }
    #expect(try other.application.deviceInformation().deviceMode == .default)
  }

  @Test(
    "accepts a loopback endpoint without TLS, but only from a loopback provider",
    arguments: [
      ("http://127.0.0.1:9000/token", true), ("http://127.8.9.10/token", true), ("http://localhost:9000/token", true),
      ("http://[::1]:9000/token", true), ("https://idp.example/token", true), ("http://idp.example/token", false),
      ("http://localhost.idp.example/token", false), ("http://127.0.0.1.idp.example/token", false),
      ("http://localhost@idp.example/token", false), ("ftp://localhost/token", false),
    ])
  func insecureEndpoint(endpoint: String, isAccepted: Bool) async throws {
    let issuer = "http://localhost:9000/realm"
    let client = try TestClient { configuration in
      configuration.authority = try Authority(parsing: issuer, as: .oidc)
      configuration.redirectURI = "com.contoso.mail://callback"
    }
    client.server.state.withLock { state in
      state.metadata = {
        $0["issuer"] = .string(issuer)
        $0["token_endpoint"] = .string(endpoint)
      }
      state.claims = { $0["iss"] = .string(issuer) }
    }
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["client_info"] = nil } }
    let error = await client.signInFailure(["profile.read"])
    #expect(error?.outcomeName == (isAccepted ? nil : "nonHttpsRedirect"))
    #expect(client.server.count("token") == (isAccepted ? 1 : 0))
  }
}
