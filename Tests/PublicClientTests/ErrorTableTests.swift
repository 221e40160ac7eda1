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

@Suite("Error mapping")
struct ErrorTableTests {
  @Test(
    "maps each error code from the common library to an MSAL error code",
    arguments: [
      (-51_100, -50_000, -42_008), (-51_111, -50_000, -42_008), (-51_114, -50_000, -42_008),
      (-51_112, -50_000, -42_000),
      (-51_113, -50_000, -42_106), (-51_115, -50_002, nil), (-51_116, -50_000, -42_602), (-51_117, -50_000, -42_101),
      (-51_118, -50_000, -42_001), (-51_119, -50_000, -42_011), (-51_200, -50_000, -42_102),
      (-51_201, -50_000, -42_008),
      (-51_400, -50_000, -42_104), (-51_440, -50_000, -42_104), (-51_401, -50_000, -42_600),
      (-51_410, -50_000, -42_002),
      (-51_411, -50_000, -42_003), (-51_412, -50_000, -42_004), (-51_413, -50_000, -42_005),
      (-51_414, -50_000, -42_006),
      (-51_415, -50_003, nil), (-51_416, -50_005, nil), (-51_700, -50_005, nil), (-51_701, -50_005, nil),
      (-51_417, -50_000, -50_006), (-51_420, -50_000, -42_501), (-51_430, -50_004, nil), (-51_500, -50_000, -42_007),
      (-51_501, -50_000, -42_009), (-51_600, -50_000, -42_010), (-51_702, -50_000, -42_008),
      (-51_710, -50_000, -42_402),
      (-51_720, -50_000, -42_403), (-51_810, -50_001, nil), (-51_814, -50_000, -42_714), (-50_142, -50_142, nil),
      (-50_007, -50_000, -50_007), (-50_008, -50_000, -50_008),
    ] as [(Int, Int, Int?)])
  func core(number: Int, code: Int, internalCode: Int?) throws {
    let core = try #require(IdentityCoreError(rawValue: number))
    #expect(core.msal.code.rawValue == code)
    #expect(core.msal.internalCode == internalCode)
  }

  @Test("maps all 38 IdentityCore error codes")
  func complete() {
    #expect(IdentityCoreError.allCases.count == 38)
  }

  @Test(
    "maps errors from the token endpoint in an interactive call",
    arguments: [
      ("invalid_request", nil, [], "invalidRequest", -42_002),
      ("Invalid_Request", nil, [50142], "serverInvalidRequestResetPasswordRequired", nil),
      ("invalid_request", nil, [50142, 7], "serverInvalidRequestResetPasswordRequired", nil),
      ("invalid_client", nil, [], "invalidClient", -42_003), ("invalid_grant", nil, [50142], "invalidGrant", -42_004),
      ("invalid_scope", nil, [], "invalidScope", -42_005),
      ("unauthorized_client", nil, [], "unauthorizedClient", -42_006),
      ("unauthorized_client", "protection_policy_required", [], "serverProtectionPoliciesRequired", nil),
      ("interaction_required", nil, [], "interactionRequired", nil), ("access_denied", nil, [], "userCanceled", nil),
      ("server_error", nil, [], "serverError", -50_006), ("tokenTransferFailedOTC", nil, [], "userCanceled", nil),
      ("temporarily_unavailable", nil, [], "authorizationFailed", -42_104),
      ("x", nil, [], "authorizationFailed", -42_104),
    ] as [(String, String?, [Int], String, Int?)])
  func tokenEndpoint(error: String, suberror: String?, codes: [Int], outcome: String, internalCode: Int?) async throws {
    let client = try TestClient()
    client.enqueue(FakeServer.oauthError(error, suberror: suberror, codes: codes))
    let failure = try #require(await client.signInFailure())
    #expect(failure.outcomeName == outcome)
    #expect(failure.internalCode == internalCode)
    #expect(failure.oauthError == error)
    #expect(failure.screens == ["username", "password"])
    #expect(failure.isInternal == (internalCode != nil))
  }

  @Test("returns the user info of an error")
  func userInfo() async throws {
    let client = try TestClient()
    client.enqueue(FakeServer.oauthError("invalid_grant", suberror: "basic_action", codes: [50076]))
    let failure = try #require(await client.signInFailure { $0.token.correlationID = "c-9" })
    #expect(failure.userInfo["MSALOAuthErrorKey"] == "invalid_grant")
    #expect(failure.userInfo["MSALOAuthSubErrorKey"] == "basic_action")
    #expect(failure.userInfo["MSALSTSErrorCodesKey"] == [50076])
    #expect(failure.userInfo["MSALInternalErrorCodeKey"] == -42_004)
    #expect(failure.userInfo["MSALHTTPResponseCodeKey"] == nil)
    #expect(failure.userInfo["MSALHTTPHeadersKey"] == nil)
    #expect(failure.httpStatus == 400)
    #expect(failure.userInfo["MSALErrorDescriptionKey"] == "AADSTS50076: rejected")
    #expect(failure.userInfo["MSALCorrelationIDKey"] == "c-9")
    #expect(failure.userInfo["MSALGrantedScopesKey"] == nil)
    #expect(failure.symbol == "MSALErrorInternal")
    #expect(failure.internalSymbol == "MSALInternalErrorInvalidGrant")
    #expect(failure.json["domain"] == "MSALErrorDomain")
    client.enqueue(FakeServer.oauthError("invalid_grant"))
    let plain = try #require(await client.signInFailure())
    #expect(plain.userInfo["MSALSTSErrorCodesKey"] == nil)
  }

  @Test("copies the user info of the underlying error and decodes the description only once")
  func underlyingUserInfo() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.enqueue { _, _ in
      .json(
        #"{"error":"invalid_grant","error_description":"AADSTS70008%3A+the+token%27s+expired","error_codes":[70008],"suberror_description":"more","correlation_id":"from the server"}"#,
        status: .badRequest)
    }
    let error = try #require(
      await client.silentFailure {
        $0.forceRefresh = true
        $0.token.correlationID = "c-4"
      })
    #expect(error.userInfo["MSALCorrelationIDKey"] == "c-4")
    #expect(error.userInfo["MSALErrorDescriptionKey"] == "AADSTS70008: the token's expired")
    #expect(error.userInfo["MSALSTSErrorCodesKey"] == [70008])
    let underlying = error.userInfo["NSUnderlyingErrorKey"]
    #expect(underlying?["code"] == -50_000)
    #expect(underlying?["userInfo"]?["MSALInternalErrorCodeKey"] == -42_004)
    #expect(underlying?["userInfo"]?["MSALSTSErrorCodesKey"] == [70008])
    #expect(underlying?["userInfo"]?["MSALOAuthSubErrorDescriptionKey"] == "more")
    #expect(error.serverCode == "AADSTS70008")
  }

  @Test("ignores `error_codes` that are not all numbers")
  func codes() async throws {
    let client = try TestClient()
    client.enqueue { _, _ in .json(#"{"error":"x","error_codes":[1,"2"]}"#, status: .badRequest) }
    #expect(await client.signInFailure()?.userInfo["MSALSTSErrorCodesKey"] == nil)
  }

  @Test("identifies the account in an error about a required protection policy")
  func protection() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.enqueue { _, _ in
      .json(
        #"{"error":"unauthorized_client","suberror":"protection_policy_required","adi":"megan@contoso.com"}"#,
        status: .badRequest)
    }
    let error = try #require(await client.silentFailure { $0.forceRefresh = true })
    #expect(error.code?.rawValue == -50_004)
    #expect(error.userInfo["MSALDisplayableUserIdKey"] == "megan@contoso.com")
    #expect(error.userInfo["MSALHomeAccountIdKey"] == .string(FakeServer.homeAccountID))
  }

  @Test("includes the result with declined scopes in the user info, without its secrets")
  func invalidResult() async throws {
    let client = try TestClient()
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["scope"] = "User.Read" } }
    let error = try #require(await client.signInFailure(["User.Read", "Mail.Send"]))
    #expect(error.userInfo["MSALGrantedScopesKey"] == ["User.Read"])
    #expect(error.userInfo["MSALDeclinedScopesKey"] == ["Mail.Send"])
    #expect(error.userInfo["MSALInvalidResultKey"]?["account"]?["username"] == "megan@contoso.com")
    #expect(!error.userInfo.text().contains("access-1"))
  }

  @Test(
    "describes an HTTP error by its status, with an underlying error only for 403 and 404",
    arguments: [
      (403, "{}", "forbidden"), (404, #"{"error":"x","error_description":"AADSTS1: no+such%20thing"}"#, "not found"),
      (429, "", "too many requests"), (500, "<html>", "internal server error"),
      (503, #"{"error_description":"AADSTS90033: down"}"#, "service unavailable"),
    ])
  func status(number: Int, body: String, description: String) async throws {
    let client = try TestClient()
    let response: FakeServer.Responder = { _, _ in
      .json(body, status: .init(code: number), headers: [.retryAfter: "7"])
    }
    client.enqueue(response, response)
    let error = try #require(await client.signInFailure())
    #expect(error.internalCode == -42_007)
    #expect(error.userInfo["MSALErrorDescriptionKey"] == .string(description))
    #expect(error.serverCode == nil)
    #expect(error.userInfo["MSALHTTPResponseCodeKey"] == .string(String(number)))
    #expect(error.userInfo["MSALHTTPHeadersKey"]?["Retry-After"] == "7")
    guard [403, 404].contains(number) else {
      #expect(error.userInfo["NSUnderlyingErrorKey"] == nil)
      return
    }
    let underlying = error.userInfo["NSUnderlyingErrorKey"]?["userInfo"]
    #expect(underlying?["MSALInternalErrorCodeKey"] == -42_009)
    #expect(underlying?["MSALHTTPResponseCodeKey"] == nil)
  }

  @Test("capitalizes `Retry-After` as Apple does, and keeps other header names as sent")
  func headerNames() async throws {
    let client = try TestClient()
    let names = ["retry-after", "x-ms-request-id", "X-MS-Custom"].compactMap { HTTPField.Name($0) }
    client.enqueue { _, _ in
      var headers = HTTPFields()
      for name in names { headers[name] = "1" }
      return .json("{}", status: .notFound, headers: headers)
    }
    let headers = try #require(await client.signInFailure()).userInfo["MSALHTTPHeadersKey"]
    for name in ["Retry-After", "x-ms-request-id", "X-MS-Custom"] { #expect(headers?[name] == "1") }
  }

  @Test(
    "reads an OAuth error from a discovery response only if its status is 400 or 401",
    arguments: ["instance", "metadata"])
  func discoveryStatus(kind: String) async throws {
    let client = try TestClient()
    client.server.state.withLock {
      $0.overrides[kind] = {
        .json(#"{"error":"invalid_instance","error_description":"AADSTS50049: unknown"}"#, status: .notFound)
      }
    }
    let error = try #require(await client.signInFailure())
    #expect(error.internalCode == -42_007)
    #expect(error.oauthError == nil)
    #expect(error.message == "not found")
  }

  @Test(
    "reports network errors with the system's domain and code",
    arguments: [
      (TransportFailure.timedOut("x"), -1001), (.hostNotFound("x"), -1003), (.cannotConnect("x"), -1004),
      (.connectionLost("x"), -1005), (.offline("x"), -1009), (.tls("x"), -1200), (.proxy("x"), -1004),
    ])
  func system(failure: TransportFailure, code: Int) async throws {
    let client = try TestClient()
    client.enqueue({ _, _ in throw failure }, { _, _ in throw failure })
    let error = try #require(await client.signInFailure())
    #expect(error.code == nil)
    #expect(error.json["domain"] == "NSURLErrorDomain")
    #expect(error.json["code"] == .integer(Int64(code)))
    #expect(error.userInfo["MSALInternalErrorCodeKey"] == nil)
  }

  @Test("reports a store failure with the system's status code")
  func store() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    let application = try PublicClientApplication(
      configuration: client.application.configuration,
      environment: ClientEnvironment(
        world: client.simulation.world, http: StubTransport.unreachable(),
        browser: client.server, store: FailingStore(), trace: TraceRecorder(clock: client.simulation.clock)))
    let error = await #expect(throws: MSALError.self) {
      try await application.signOut(SignOutParameters(account: TestClient.megan))
    }
    #expect(error?.json["domain"] == "NSOSStatusErrorDomain")
    #expect(error?.json["code"] == -54)
    #expect(error?.outcomeName == "unexpected")
  }

  @Test(
    "retries a request only once after a transient network error",
    arguments: [
      (TransportFailure.timedOut("x"), "timedOut", 2), (.hostNotFound("x"), "offline", 2),
      (.cannotConnect("x"), "offline", 2),
      (.connectionLost("x"), "offline", 2), (.offline("x"), "offline", 2), (.tls("x"), "offline", 1),
      (.proxy("x"), "offline", 1), (.badResponse("endless"), "invalidResponse", 1), (.canceled, "userCanceled", 1),
    ])
  func network(failure: TransportFailure, outcome: String, attempts: Int) async throws {
    let client = try TestClient()
    let fail: FakeServer.Responder = { _, _ in throw failure }
    client.enqueue(fail, fail, fail)
    let error = try #require(await client.signInFailure())
    #expect(error.outcomeName == outcome)
    #expect(client.server.count("token") == attempts)
  }

  @Test(
    "waits before a retry",
    arguments: [(TransportFailure.offline("x"), 2.0), (.timedOut("x"), 0.5)])
  func retryDelay(failure: TransportFailure, seconds: Double) async throws {
    let client = try TestClient()
    client.enqueue { _, _ in throw failure }
    let before = client.simulation.clock.now
    _ = try await client.signIn()
    let elapsed = (client.simulation.clock.now - before).inSeconds
    #expect(elapsed >= seconds && elapsed < seconds + 0.1)
  }

  @Test("retries a request only once after a server error", arguments: [500, 503, 504])
  func serverError(status: Int) async throws {
    let client = try TestClient()
    let response: FakeServer.Responder = { _, _ in
      .json("{}", status: .init(code: status), headers: [.retryAfter: "7", .setCookie: "secret=1"])
    }
    client.enqueue(response)
    _ = try await client.signIn()
    #expect(client.server.count("token") == 2)
    client.enqueue(response, response)
    let error = try #require(await client.signInFailure())
    #expect(error.outcomeName == "unhandledResponse")
    #expect(error.httpStatus == status)
    #expect(error.httpHeaders["Retry-After"] == "7")
    #expect(error.httpHeaders["Set-Cookie"] == nil)
    #expect(client.server.count("token") == 4)
  }
}
