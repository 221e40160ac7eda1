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

@Suite("Refresh token errors")
struct RefreshErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var error: String
    var suberror: String?
    var outcome: String
    var internalCode: Int?
    init(_ error: String, _ suberror: String?, _ outcome: String, _ internalCode: Int? = nil) {
      self.error = error
      self.suberror = suberror
      self.outcome = outcome
      self.internalCode = internalCode
    }
    var testDescription: String { "\(error) \(suberror ?? "")" }
  }

  @Test(
    "requires interaction after an error from the token endpoint, with three exceptions",
    arguments: [
      Case("invalid_grant", nil, "interactionRequired"),
      Case("invalid_grant", "consent_required", "interactionRequired"),
      Case("interaction_required", nil, "interactionRequired"), Case("INVALID_GRANT", nil, "interactionRequired"),
      Case("invalid_request", nil, "interactionRequired"), Case("unauthorized_client", nil, "interactionRequired"),
      Case("access_denied", nil, "interactionRequired"), Case("server_error", nil, "interactionRequired"),
      Case("temporarily_unavailable", nil, "interactionRequired"), Case("unknown_error", nil, "interactionRequired"),
      Case("invalid_scope", nil, "invalidScope", -42_005), Case("invalid_client", nil, "invalidClient", -42_003),
      Case("unauthorized_client", "protection_policy_required", "serverProtectionPoliciesRequired"),
    ])
  func outcomes(testCase: Case) async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.enqueue(FakeServer.oauthError(testCase.error, suberror: testCase.suberror, codes: [50076], claims: "{}"))
    let error = try #require(await client.silentFailure { $0.forceRefresh = true })
    #expect(error.outcomeName == testCase.outcome)
    #expect(error.internalCode == testCase.internalCode)
    #expect(error.oauthError == testCase.error)
    #expect(error.suberror == testCase.suberror)
    #expect(error.stsErrorCodes == [50076])
    #expect(error.serverCode == "AADSTS50076")
    #expect(error.claims == "{}")
    #expect(error.httpStatus == 400)
    #expect((error.underlying != nil) == (testCase.outcome == "interactionRequired"))
    #expect(error.sent?.parameters["grant_type"] == "refresh_token")
    #expect(client.server.count("token") == 2)
  }

  func refreshTokenCount(_ client: TestClient) throws -> Int {
    try UnifiedTokenCache(store: client.store).contents().count(.refreshToken)
  }

  @Test(
    "deletes the refresh token only after some suberrors",
    arguments: [
      (nil, 1), ("token_expired", 1), ("bad_token", 0), ("BAD_TOKEN", 0), ("user_account_deleted", 0),
      ("client_mismatch", 1),
    ] as [(String?, Int)])
  func cleanup(suberror: String?, remaining: Int) async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.enqueue(FakeServer.oauthError("invalid_grant", suberror: suberror))
    _ = await client.silentFailure { $0.forceRefresh = true }
    #expect(try refreshTokenCount(client) == remaining)
  }

  @Test("does not delete a rejected refresh token that another process has replaced")
  func replacedToken() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    let store = client.store
    client.enqueue { _, _ in
      try store.update { bytes in
        bytes = Array(String(decoding: bytes ?? [], as: UTF8.self).replacing("refresh-1", with: "refresh-other").utf8)
      }
      return .json(#"{"error":"invalid_grant","suberror":"bad_token"}"#, status: .badRequest)
    }
    _ = await client.silentFailure { $0.forceRefresh = true }
    #expect(try refreshTokenCount(client) == 1)
  }

  @Test("removes a deleted account from every app")
  func deletedAccount() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    try UnifiedTokenCache(store: client.store).update { contents in
      contents.changeAccountMetadata(clientID: "other") { $0.setSignInState(.signedIn, of: FakeServer.homeAccountID) }
    }
    client.enqueue(FakeServer.oauthError("invalid_grant", suberror: "user_account_deleted"))
    _ = await client.silentFailure { $0.forceRefresh = true }
    let contents = try UnifiedTokenCache(store: client.store).contents()
    #expect(contents.accountMetadata(clientID: "other")?.homeAccountIDs == [])
    #expect(try client.application.accounts().isEmpty)
  }

  // MARK: Family refresh tokens

  /// Returns a client whose cache contains only another app's family refresh token.
  func familyMember() async throws -> TestClient {
    let store = MemoryBlobStore()
    let other = try TestClient(store: store) { $0.clientID = "other-app" }
    other.server.state.withLock { state in state.claims = { $0["aud"] = "other-app" } }
    other.enqueue { form, server in server.tokenResponse(for: form) { $0["foci"] = "1" } }
    _ = try await other.signIn()
    return try TestClient(store: store)
  }

  @Test("redeems the family refresh token if the app has no refresh token")
  func familyToken() async throws {
    let client = try await familyMember()
    #expect(try client.application.accounts().count == 1)
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["foci"] = "1" } }
    let result = try await client.silent()
    #expect(result.source == .refreshToken)
    #expect(client.events.decisions.contains("refreshToken family 1"))
    #expect(client.server.state.withLock { $0.tokenRequests.first?["refresh_token"] } == "refresh-1")
  }

  @Test("does not retry the family refresh token after `client_mismatch`")
  func clientMismatch() async throws {
    let client = try await familyMember()
    client.enqueue(FakeServer.oauthError("invalid_grant", suberror: "client_mismatch"))
    #expect(await client.silentFailure()?.code == .interactionRequired)
    #expect(await client.silentFailure()?.code == .interactionRequired)
    #expect(client.server.count("token") == 1)
    #expect(client.events.decisions.contains("refreshToken no family"))
  }

  @Test("redeems a different family refresh token after the app's token is rejected", arguments: [true, false])
  func familyTokenAfterRejection(isDifferent: Bool) async throws {
    let client = try TestClient()
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["foci"] = "1" } }
    _ = try await client.signIn()
    if isDifferent {
      let text = String(decoding: try UnifiedTokenCache(store: client.store).contents().bytes, as: UTF8.self)
      let family = text.replacing("\"family_id\":\"1\"", with: "\"family_id\":\"1\",\"x\":\"\"")
      // The second occurrence is the family refresh token.
      let last = try #require(family.ranges(of: "refresh-1").last)
      let changed = family.replacingCharacters(in: last, with: "refresh-family")
      try client.store.update { $0 = Array(changed.utf8) }
    }
    client.enqueue(FakeServer.oauthError("invalid_grant"))
    if isDifferent {
      #expect(try await client.silent { $0.forceRefresh = true }.source == .refreshToken)
      #expect(client.server.state.withLock { $0.tokenRequests.last?["refresh_token"] } == "refresh-family")
    } else {
      #expect(await client.silentFailure { $0.forceRefresh = true }?.code == .interactionRequired)
      #expect(client.server.count("token") == 2)
    }
  }

  // MARK: Validation

  @Test("does not send a refresh token to another cloud")
  func otherCloud() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.server.state.withLock { state in
      state.metadata = { $0["token_endpoint"] = "https://login.evil.example/token" }
    }
    let error = await client.silentFailure { $0.forceRefresh = true }
    #expect(error?.code == .interactionRequired)
    #expect(client.server.count("token") == 1)
    #expect(client.events.decisions.last == "refreshToken not sent")
  }

  @Test(
    "rejects a refreshed ID token with a different subject, issuer, or audience and saves nothing",
    arguments: ["sub", "iss", "aud"])
  func invalidIDToken(claim: String) async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.server.state.withLock { state in state.claims = { $0[claim] = "wrong" } }
    let error = await client.silentFailure { $0.forceRefresh = true }
    #expect(error?.outcomeName == "invalidResponse")
    #expect(try await client.silent().source == .cache)
  }
}

extension String {
  func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
