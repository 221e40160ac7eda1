import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import PublicClient
import SimulatedWorld
import Synchronization
import Testing

/// The app's word counts for the authorities that it names, and for no other on the same host.
@Suite("Authorities that the app vouches for")
struct VouchedAuthorityTests {
  static let ownURL = "https://idp.example/a"
  static let otherURL = "https://idp.example/b"

  func stage() throws -> Stage {
    let stage = try Stage(authority: Self.ownURL) { $0.knownAuthorities = [try Authority(parsing: Self.ownURL)] }
    stage.platform.state.withLock { $0.instanceDiscovery = AuthorityTests.invalidInstance }
    return stage
  }

  @Test("Another authority of the host is refused, whichever is asked for first", arguments: [true, false])
  func otherTenant(ownFirst: Bool) async throws {
    let stage = try stage()
    let other = try Authority(parsing: Self.otherURL)
    for isOwn in [ownFirst, !ownFirst, ownFirst, !ownFirst] {
      let error = await stage.signInFailure { if !isOwn { $0.token.authority = other } }
      #expect(error?.outcomeName == (isOwn ? nil : "failedAuthorityValidation"))
    }
    // What the service said once of the host is remembered, whoever asked.
    #expect(stage.platform.count("instance") == 1)
  }

  @Test("A B2C policy that the app does not name is refused, also after one that it names")
  func otherPolicy() async throws {
    let stage = try Stage(authority: AuthorityTests.b2cURL) {
      $0.knownAuthorities = [try Authority(parsing: AuthorityTests.b2cURL)]
    }
    stage.platform.state.withLock { state in
      state.metadata = { $0["issuer"] = "https://login.microsoftonline.com/\(FakePlatform.utid)/v2.0" }
    }
    let reset = try Authority(parsing: "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_reset")
    for _ in 0..<2 {
      #expect(await stage.signInFailure { $0.token.authority = reset }?.internalCode == -42_008)
      let result = try await stage.signIn()
      #expect(try await stage.silent(account: result.account).source == .cache)
    }
  }

  @Test("Asked for at the same time, the refusal of one does not reach the other")
  func sameTime() async throws {
    let stage = try stage()
    let other = try Authority(parsing: Self.otherURL)
    let (refused, vouched) = try await stage.simulation.run {
      async let refused = Self.silentFailure(stage, other)
      async let vouched = Self.silentFailure(stage, nil)
      return (await refused, await vouched)
    }
    #expect(refused == "failedAuthorityValidation")
    #expect(vouched == "interactionRequired")
  }

  static func silentFailure(_ stage: Stage, _ authority: Authority?) async -> String? {
    var parameters = SilentParameters(TokenParameters(scopes: ["User.Read"], account: Stage.megan))
    parameters.token.authority = authority
    do {
      _ = try await stage.application.acquireTokenSilent(parameters)
      return nil
    } catch {
      return error.outcomeName
    }
  }

  @Test("What answered for a vouched authority does so in a new process; a validated host needs no second word")
  func answeredBefore() async throws {
    let stage = try stage()
    let account = try await stage.signIn().account
    let later = try Stage(authority: Self.ownURL, store: stage.store, platform: stage.platform) {
      $0.knownAuthorities = [try Authority(parsing: Self.ownURL)]
    }
    #expect(try await later.silent(account: account) { $0.forceRefresh = true }.source == .refreshToken)
    let validated = try Stage {
      $0.knownAuthorities = [try Authority(parsing: "https://login.microsoftonline.com/\(FakePlatform.utid)")]
    }
    _ = try await validated.signIn()
    let vouched = try Authority(parsing: "https://login.microsoftonline.com/\(FakePlatform.utid)")
    #expect(try await validated.signIn { $0.token.authority = vouched }.account.environment == "login.windows.net")
    #expect(validated.platform.count("instance") == 1)
  }

  @Test("No broker serves an authority that only the app vouches for")
  func device() throws {
    let url = "https://login.microsoftonline.com/common"
    let stage = try Stage { $0.knownAuthorities = [try Authority(parsing: url)] }
    let error = #expect(throws: MSALError.self) { try stage.application.deviceInformation() }
    #expect(error?.internalCode == -42_714)
    let other = try Stage { $0.knownAuthorities = [try Authority(parsing: Self.ownURL)] }
    #expect(try other.application.deviceInformation().deviceMode == .default)
  }

  @Test(
    "A provider on this machine leads nowhere else without TLS",
    arguments: [
      ("http://127.0.0.1:9000/token", true), ("http://127.8.9.10/token", true), ("http://localhost:9000/token", true),
      ("http://[::1]:9000/token", true), ("https://idp.example/token", true), ("http://idp.example/token", false),
      ("http://localhost.idp.example/token", false), ("http://127.0.0.1.idp.example/token", false),
      ("http://localhost@idp.example/token", false), ("ftp://localhost/token", false),
    ])
  func plainEndpoint(endpoint: String, isTaken: Bool) async throws {
    let issuer = "http://localhost:9000/realm"
    let stage = try Stage { configuration in
      configuration.authority = try Authority(parsing: issuer, as: .oidc)
      configuration.redirectURI = "com.contoso.mail://callback"
    }
    stage.platform.state.withLock { state in
      state.metadata = {
        $0["issuer"] = .string(issuer)
        $0["token_endpoint"] = .string(endpoint)
      }
      state.claims = { $0["iss"] = .string(issuer) }
    }
    stage.answer { form, platform in platform.tokens(for: form) { $0["client_info"] = nil } }
    let error = await stage.signInFailure(["profile.read"])
    #expect(error?.outcomeName == (isTaken ? nil : "nonHttpsRedirect"))
    #expect(stage.platform.count("token") == (isTaken ? 1 : 0))
  }
}
