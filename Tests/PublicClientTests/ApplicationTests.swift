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
import TokenCache

@Suite("Public client application")
struct ApplicationTests {
  func failure(_ configure: (inout PublicClientConfiguration) throws -> Void) -> MSALError? {
    do {
      _ = try TestClient(configure: configure)
      return nil
    } catch {
      return error as? MSALError
    }
  }

  @Test("rejects invalid configurations")
  func invalidConfigurations() {
    #expect(failure { $0.clientID = " " }?.internalCode == -42_000)
    #expect(failure { $0.authority = try Authority(parsing: "https://fs.contoso.com/adfs") }?.internalCode == -42_008)
    #expect(failure { $0.redirectURI = "https://contoso.com/cb" }?.outcomeName == "invalidRedirectURI")
    #expect(failure { $0.redirectURI = "no-scheme" }?.outcomeName == "invalidParameter")
    let unregistered = failure {
      $0.platform = .iOS
      $0.registeredSchemes = []
    }
    #expect(unregistered?.outcomeName == "redirectSchemeNotRegistered")
    #expect(failure { $0.redirectURI = "mine://com.contoso.mail" } == nil)
    #expect(
      failure {
        $0.redirectURI = "https://contoso.com/cb"
        $0.bypassRedirectURIValidation = true
      } == nil)
  }

  @Test("uses the default redirect URI")
  func redirect() throws {
    #expect(try TestClient().application.redirect.uri == FakeServer.redirectURI)
  }

  @Test("signs in without redirect URI validation only if a default redirect URI exists")
  func bypassed() async throws {
    let client = try TestClient { $0.bypassRedirectURIValidation = true }
    #expect(try await client.signIn().source == .authorizationCode)
    #expect(client.server.with { $0.visits.last?.redirectURI } == FakeServer.redirectURI)
    let unregistered = try TestClient {
      $0.bypassRedirectURIValidation = true
      $0.platform = .iOS
      $0.registeredSchemes = []
    }
    #expect(await unregistered.signInFailure()?.internalCode == -42_000)
  }

  @Test("returns device information, unless the authority type does not support brokers")
  func device() throws {
    let information = try TestClient().application.deviceInformation()
    #expect(information.deviceMode == .default)
    #expect(!information.hasSSOExtension)
    #expect(try TestClient { $0.deviceMode = .shared }.application.deviceInformation().deviceMode == .shared)
    let b2c = try TestClient { $0.authority = try Authority(parsing: AuthorityTests.b2cURL) }
    let error = #expect(throws: MSALError.self) { try b2c.application.deviceInformation() }
    #expect(error?.outcomeName == "brokerNotAvailable")
    #expect(information.json["platformSSOStatus"] == "notEnabled")
  }

  @Test("does not return device information if the app cannot use a broker")
  func noBroker() throws {
    let clients = [
      try TestClient { $0.brokerAvailability = .none }, try TestClient { $0.validateAuthority = false },
      try TestClient {
        $0.authority = try Authority(parsing: "https://login.microsoftonline.com/consumers")
        $0.redirectURI = "https://contoso.com/cb"
      }, try TestClient { $0.bypassRedirectURIValidation = true },
    ]
    for client in clients {
      let error = #expect(throws: MSALError.self) { try client.application.deviceInformation() }
      #expect(error?.internalCode == -42_714)
    }
  }

  @Test("reports a corrupt cache and does not change it")
  func corruptCache() async throws {
    let store = MemoryBlobStore(Array("{broken".utf8))
    let client = try TestClient(store: store)
    let error = await client.silentFailure()
    #expect(error?.internalCode == -42_008)
    #expect(error?.message.contains("cannot read the token cache") == true)
    // An interactive sign-in succeeds even though its tokens cannot be saved.
    #expect(try await client.signIn().source == .authorizationCode)
    #expect(try store.load() == Array("{broken".utf8))
    #expect(client.events.decisions.contains("cache not written"))
  }

  @Test("sends MSAL's headers, with or without telemetry", arguments: [true, false])
  func headers(telemetry: Bool) async throws {
    let client = try TestClient { $0.telemetryEnabled = telemetry }
    _ = try await client.signIn()
    client.enqueue(FakeServer.oauthError("invalid_scope"))
    _ = await client.silentFailure(["Mail.Send"]) { $0.token.correlationID = "c-7" }
    let result = try await client.silent {
      $0.forceRefresh = true
      $0.token.correlationID = "c-8"
    }
    let headers = try #require(result.sent).headers
    #expect(headers["client-request-id"] == "c-8")
    #expect(headers["return-client-request-id"] == "true")
    #expect(headers["accept"] == "application/json")
    #expect(headers["x-client-sku"] == "MSAL.OSX")
    #expect(headers["x-anchormailbox"] == "Oid:\(FakeServer.uid)@\(FakeServer.utid)")
    #expect(headers["x-client-current-telemetry"] == (telemetry ? "4|34,1|" : nil))
    #expect(headers["x-client-last-telemetry"] == (telemetry ? "4|0|34,c-7|MSIDOAuthErrorDomain_-51413|" : nil))
  }

  @Test("rejects a claims request together with an extra `claims` parameter")
  func claimsTwice() async throws {
    let client = try TestClient()
    var claims = ClaimsRequest()
    claims.request("acrs", in: .accessToken)
    let request = claims
    let error = await client.signInFailure {
      $0.token.claimsRequest = request
      $0.token.extraQueryParameters = ["claims": "{}"]
    }
    #expect(error?.outcomeName == "invalidParameter")
  }
}
