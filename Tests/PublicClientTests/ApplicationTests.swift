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

@Suite("The application object")
struct ApplicationTests {
  func failure(_ configure: (inout PublicClientConfiguration) throws -> Void) -> MSALError? {
    do {
      _ = try Stage(configure: configure)
      return nil
    } catch {
      return error as? MSALError
    }
  }

  @Test("What it cannot be made with")
  func refused() {
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

  @Test("The default redirect URI")
  func redirect() throws {
    #expect(try Stage().application.redirect.uri == FakePlatform.redirectURI)
  }

  @Test("signs in with the default redirect URI if validation is bypassed; without one the request fails")
  func bypassed() async throws {
    let stage = try Stage { $0.bypassRedirectURIValidation = true }
    #expect(try await stage.signIn().source == .authorizationCode)
    #expect(stage.platform.with { $0.visits.last?.redirectURI } == FakePlatform.redirectURI)
    let unregistered = try Stage {
      $0.bypassRedirectURIValidation = true
      $0.platform = .iOS
      $0.registeredSchemes = []
    }
    #expect(await unregistered.signInFailure()?.internalCode == -42_000)
  }

  @Test("Device information: default mode, no extension; no broker for other kinds")
  func device() throws {
    let information = try Stage().application.deviceInformation()
    #expect(information.deviceMode == .default)
    #expect(!information.hasSSOExtension)
    #expect(try Stage { $0.deviceMode = .shared }.application.deviceInformation().deviceMode == .shared)
    let b2c = try Stage { $0.authority = try Authority(parsing: AuthorityTests.b2cURL) }
    let error = #expect(throws: MSALError.self) { try b2c.application.deviceInformation() }
    #expect(error?.outcomeName == "brokerNotAvailable")
    #expect(information.json["platformSSOStatus"] == "notEnabled")
  }

  @Test("An app that takes no broker is told nothing of the device")
  func noBroker() throws {
    let stages = [
      try Stage { $0.brokerAvailability = .none }, try Stage { $0.validateAuthority = false },
      try Stage {
        $0.authority = try Authority(parsing: "https://login.microsoftonline.com/consumers")
        $0.redirectURI = "https://contoso.com/cb"
      }, try Stage { $0.bypassRedirectURIValidation = true },
    ]
    for stage in stages {
      let error = #expect(throws: MSALError.self) { try stage.application.deviceInformation() }
      #expect(error?.internalCode == -42_714)
    }
  }

  @Test("A cache that cannot be read is told, and stays as it is")
  func corruptCache() async throws {
    let store = MemoryBlobStore(Array("{broken".utf8))
    let stage = try Stage(store: store)
    let error = await stage.silentFailure()
    #expect(error?.internalCode == -42_008)
    #expect(error?.message.contains("token cache cannot be read") == true)
    // Signing in still works: only the saving fails.
    #expect(try await stage.signIn().source == .authorizationCode)
    #expect(try store.load() == Array("{broken".utf8))
    #expect(stage.events.decisions.contains("cache not written"))
  }

  @Test("The headers of requests, with telemetry and without", arguments: [true, false])
  func headers(telemetry: Bool) async throws {
    let stage = try Stage { $0.telemetryEnabled = telemetry }
    _ = try await stage.signIn()
    stage.answer(FakePlatform.refusal("invalid_scope"))
    _ = await stage.silentFailure(["Mail.Send"]) { $0.token.correlationID = "c-7" }
    let result = try await stage.silent {
      $0.forceRefresh = true
      $0.token.correlationID = "c-8"
    }
    let headers = try #require(result.sent).headers
    #expect(headers["client-request-id"] == "c-8")
    #expect(headers["return-client-request-id"] == "true")
    #expect(headers["accept"] == "application/json")
    #expect(headers["x-client-sku"] == "MSAL.OSX")
    #expect(headers["x-anchormailbox"] == "Oid:\(FakePlatform.uid)@\(FakePlatform.utid)")
    #expect(headers["x-client-current-telemetry"] == (telemetry ? "4|34,1|" : nil))
    #expect(headers["x-client-last-telemetry"] == (telemetry ? "4|0|34,c-7|MSIDOAuthErrorDomain_-51413|" : nil))
  }

  @Test("Claims may not be given twice")
  func claimsTwice() async throws {
    let stage = try Stage()
    var claims = ClaimsRequest()
    claims.request("acrs", in: .accessToken)
    let request = claims
    let error = await stage.signInFailure {
      $0.token.claimsRequest = request
      $0.token.extraQueryParameters = ["claims": "{}"]
    }
    #expect(error?.outcomeName == "invalidParameter")
  }
}
