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

@Suite("Error tables")
struct ErrorTableTests {
  @Test(
    "Every code of the layer below, and what MSAL makes of it",
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

  @Test("The table is complete")
  func complete() {
    #expect(IdentityCoreError.allCases.count == 38)
  }

  @Test(
    "Errors of the token endpoint, in the interactive flow where they surface as they are",
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
    let stage = try Stage()
    stage.answer(FakePlatform.refusal(error, suberror: suberror, codes: codes))
    let failure = try #require(await stage.signInFailure())
    #expect(failure.outcomeName == outcome)
    #expect(failure.internalCode == internalCode)
    #expect(failure.oauthError == error)
    #expect(failure.screens == ["username", "password"])
    #expect(failure.isInternal == (internalCode != nil))
  }

  @Test("The user-info of an error")
  func userInfo() async throws {
    let stage = try Stage()
    stage.answer(FakePlatform.refusal("invalid_grant", suberror: "basic_action", codes: [50076]))
    let failure = try #require(await stage.signInFailure { $0.token.correlationID = "c-9" })
    #expect(failure.userInfo["MSALOAuthErrorKey"] == "invalid_grant")
    #expect(failure.userInfo["MSALOAuthSubErrorKey"] == "basic_action")
    #expect(failure.userInfo["MSALSTSErrorCodesKey"] == [50076])
    #expect(failure.userInfo["MSALInternalErrorCodeKey"] == -42_004)
    #expect(failure.userInfo["MSALHTTPResponseCodeKey"] == nil)
    #expect(failure.userInfo["MSALHTTPHeadersKey"] == nil)
    #expect(failure.httpStatus == 400)
    #expect(failure.userInfo["MSALErrorDescriptionKey"] == "AADSTS50076: refused")
    #expect(failure.userInfo["MSALCorrelationIDKey"] == "c-9")
    #expect(failure.userInfo["MSALGrantedScopesKey"] == nil)
    #expect(failure.symbol == "MSALErrorInternal")
    #expect(failure.internalSymbol == "MSALInternalErrorInvalidGrant")
    #expect(failure.json["domain"] == "MSALErrorDomain")
    stage.answer(FakePlatform.refusal("invalid_grant"))
    let plain = try #require(await stage.signInFailure())
    #expect(plain.userInfo["MSALSTSErrorCodesKey"] == nil)
  }

  @Test("What an underlying error knows is lifted, once, and the description is decoded as a form")
  func lifted() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.answer { _, _ in
      .json(
        #"{"error":"invalid_grant","error_description":"AADSTS70008%3A+the+token%27s+over","error_codes":[70008],"suberror_description":"more","correlation_id":"the server's own"}"#,
        status: .badRequest)
    }
    let error = try #require(
      await stage.silentFailure {
        $0.forceRefresh = true
        $0.token.correlationID = "c-4"
      })
    #expect(error.userInfo["MSALCorrelationIDKey"] == "c-4")
    #expect(error.userInfo["MSALErrorDescriptionKey"] == "AADSTS70008: the token's over")
    #expect(error.userInfo["MSALSTSErrorCodesKey"] == [70008])
    let underlying = error.userInfo["NSUnderlyingErrorKey"]
    #expect(underlying?["code"] == -50_000)
    #expect(underlying?["userInfo"]?["MSALInternalErrorCodeKey"] == -42_004)
    #expect(underlying?["userInfo"]?["MSALSTSErrorCodesKey"] == [70008])
    #expect(underlying?["userInfo"]?["MSALOAuthSubErrorDescriptionKey"] == "more")
    #expect(error.serverCode == "AADSTS70008")
  }

  @Test("error_codes count only where all are numbers")
  func codes() async throws {
    let stage = try Stage()
    stage.answer { _, _ in .json(#"{"error":"x","error_codes":[1,"2"]}"#, status: .badRequest) }
    #expect(await stage.signInFailure()?.userInfo["MSALSTSErrorCodesKey"] == nil)
  }

  @Test("Protection policies name the account, by the answer or by the call")
  func protection() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.answer { _, _ in
      .json(
        #"{"error":"unauthorized_client","suberror":"protection_policy_required","adi":"megan@contoso.com"}"#,
        status: .badRequest)
    }
    let error = try #require(await stage.silentFailure { $0.forceRefresh = true })
    #expect(error.code?.rawValue == -50_004)
    #expect(error.userInfo["MSALDisplayableUserIdKey"] == "megan@contoso.com")
    #expect(error.userInfo["MSALHomeAccountIdKey"] == .string(FakePlatform.home))
  }

  @Test("Fewer scopes than asked: the result is in the user-info, its secrets are not")
  func invalidResult() async throws {
    let stage = try Stage()
    stage.answer { form, platform in platform.tokens(for: form) { $0["scope"] = "User.Read" } }
    let error = try #require(await stage.signInFailure(["User.Read", "Mail.Send"]))
    #expect(error.userInfo["MSALGrantedScopesKey"] == ["User.Read"])
    #expect(error.userInfo["MSALDeclinedScopesKey"] == ["Mail.Send"])
    #expect(error.userInfo["MSALInvalidResultKey"]?["account"]?["username"] == "megan@contoso.com")
    #expect(!error.userInfo.text().contains("access-1"))
  }

  @Test(
    "describes an HTTP error by its status alone; only 403 and 404 have an underlying error",
    arguments: [
      (403, "{}", "forbidden"), (404, #"{"error":"x","error_description":"AADSTS1: no+such%20thing"}"#, "not found"),
      (429, "", "too many requests"), (500, "<html>", "internal server error"),
      (503, #"{"error_description":"AADSTS90033: down"}"#, "service unavailable"),
    ])
  func status(number: Int, body: String, words: String) async throws {
    let stage = try Stage()
    let answer: FakePlatform.Answer = { _, _ in
      .json(body, status: .init(code: number), headers: [.retryAfter: "7"])
    }
    stage.answer(answer, answer)
    let error = try #require(await stage.signInFailure())
    #expect(error.internalCode == -42_007)
    #expect(error.userInfo["MSALErrorDescriptionKey"] == .string(words))
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

  @Test("spells `Retry-After` as Apple does, also if the server sends it in lower case; other names stay as sent")
  func headerNames() async throws {
    let stage = try Stage()
    let names = ["retry-after", "x-ms-request-id", "X-MS-Custom"].compactMap { HTTPField.Name($0) }
    stage.answer { _, _ in
      var headers = HTTPFields()
      for name in names { headers[name] = "1" }
      return .json("{}", status: .notFound, headers: headers)
    }
    let headers = try #require(await stage.signInFailure()).userInfo["MSALHTTPHeadersKey"]
    for name in ["Retry-After", "x-ms-request-id", "X-MS-Custom"] { #expect(headers?[name] == "1") }
  }

  @Test(
    "reads no OAuth error from a discovery document with another status than 400 and 401",
    arguments: ["instance", "metadata"])
  func discoveryStatus(kind: String) async throws {
    let stage = try Stage()
    stage.platform.state.withLock {
      $0.special[kind] = {
        .json(#"{"error":"invalid_instance","error_description":"AADSTS50049: unknown"}"#, status: .notFound)
      }
    }
    let error = try #require(await stage.signInFailure())
    #expect(error.internalCode == -42_007)
    #expect(error.oauthError == nil)
    #expect(error.message == "not found")
  }

  @Test(
    "Errors of the network keep the system's domain and code",
    arguments: [
      (TransportFailure.timedOut("x"), -1001), (.hostNotFound("x"), -1003), (.cannotConnect("x"), -1004),
      (.connectionLost("x"), -1005), (.offline("x"), -1009), (.tls("x"), -1200), (.proxy("x"), -1004),
    ])
  func system(failure: TransportFailure, code: Int) async throws {
    let stage = try Stage()
    stage.answer({ _, _ in throw failure }, { _, _ in throw failure })
    let error = try #require(await stage.signInFailure())
    #expect(error.code == nil)
    #expect(error.json["domain"] == "NSURLErrorDomain")
    #expect(error.json["code"] == .integer(Int64(code)))
    #expect(error.userInfo["MSALInternalErrorCodeKey"] == nil)
  }

  @Test("A store that fails gives the system's status, and signing out says so")
  func store() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    let application = try PublicClientApplication(
      configuration: stage.application.configuration, world: stage.simulation.world, http: StubTransport.nobody(),
      browser: stage.platform, store: FailingStore(), trace: TraceRecorder(clock: stage.simulation.clock))
    let error = await #expect(throws: MSALError.self) {
      try await application.signOut(SignOutParameters(account: Stage.megan))
    }
    #expect(error?.json["domain"] == "NSOSStatusErrorDomain")
    #expect(error?.json["code"] == -54)
    #expect(error?.outcomeName == "unexpected")
  }

  @Test(
    "Network failures pass through and are tried again once, except where that cannot help",
    arguments: [
      (TransportFailure.timedOut("x"), "timedOut", 2), (.hostNotFound("x"), "offline", 2),
      (.cannotConnect("x"), "offline", 2),
      (.connectionLost("x"), "offline", 2), (.offline("x"), "offline", 2), (.tls("x"), "offline", 1),
      (.proxy("x"), "offline", 1), (.badResponse("endless"), "invalidResponse", 1), (.cancelled, "userCanceled", 1),
    ])
  func network(failure: TransportFailure, outcome: String, attempts: Int) async throws {
    let stage = try Stage()
    let fail: FakePlatform.Answer = { _, _ in throw failure }
    stage.answer(fail, fail, fail)
    let error = try #require(await stage.signInFailure())
    #expect(error.outcomeName == outcome)
    #expect(stage.platform.count("token") == attempts)
  }

  @Test(
    "How long is waited before the second attempt",
    arguments: [(TransportFailure.offline("x"), 2.0), (.timedOut("x"), 0.5)])
  func waiting(failure: TransportFailure, seconds: Double) async throws {
    let stage = try Stage()
    stage.answer { _, _ in throw failure }
    let before = stage.simulation.clock.now
    _ = try await stage.signIn()
    let taken = (stage.simulation.clock.now - before).inSeconds
    #expect(taken >= seconds && taken < seconds + 0.1)
  }

  @Test("A server's fault is tried again once after half a second", arguments: [500, 503, 504])
  func serverFault(status: Int) async throws {
    let stage = try Stage()
    let fault: FakePlatform.Answer = { _, _ in
      .json("{}", status: .init(code: status), headers: [.retryAfter: "7", .setCookie: "secret=1"])
    }
    stage.answer(fault)
    _ = try await stage.signIn()
    #expect(stage.platform.count("token") == 2)
    stage.answer(fault, fault)
    let error = try #require(await stage.signInFailure())
    #expect(error.outcomeName == "unhandledResponse")
    #expect(error.httpStatus == status)
    #expect(error.httpHeaders["Retry-After"] == "7")
    #expect(error.httpHeaders["Set-Cookie"] == nil)
    #expect(stage.platform.count("token") == 4)
  }
}
