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

@Suite("A refresh token is refused")
struct RefreshRefusalTests {
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
    "Every refusal becomes interactionRequired, except three",
    arguments: [
      Case("invalid_grant", nil, "interactionRequired"),
      Case("invalid_grant", "consent_required", "interactionRequired"),
      Case("interaction_required", nil, "interactionRequired"), Case("INVALID_GRANT", nil, "interactionRequired"),
      Case("invalid_request", nil, "interactionRequired"), Case("unauthorized_client", nil, "interactionRequired"),
      Case("access_denied", nil, "interactionRequired"), Case("server_error", nil, "interactionRequired"),
      Case("temporarily_unavailable", nil, "interactionRequired"), Case("made_up", nil, "interactionRequired"),
      Case("invalid_scope", nil, "invalidScope", -42_005), Case("invalid_client", nil, "invalidClient", -42_003),
      Case("unauthorized_client", "protection_policy_required", "serverProtectionPoliciesRequired"),
    ])
  func refused(it: Case) async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.answer(FakePlatform.refusal(it.error, suberror: it.suberror, codes: [50076], claims: "{}"))
    let error = try #require(await stage.silentFailure { $0.forceRefresh = true })
    #expect(error.outcomeName == it.outcome)
    #expect(error.internalCode == it.internalCode)
    #expect(error.oauthError == it.error)
    #expect(error.suberror == it.suberror)
    #expect(error.stsErrorCodes == [50076])
    #expect(error.serverCode == "AADSTS50076")
    #expect(error.claims == "{}")
    #expect(error.httpStatus == 400)
    #expect((error.underlying != nil) == (it.outcome == "interactionRequired"))
    #expect(error.sent?.parameters["grant_type"] == "refresh_token")
    #expect(stage.platform.count("token") == 2)
  }

  func refreshTokens(_ stage: Stage) throws -> Int {
    try UnifiedTokenCache(store: stage.store).contents().count(.refreshToken)
  }

  @Test(
    "What is kept and what is deleted",
    arguments: [
      (nil, 1), ("token_expired", 1), ("bad_token", 0), ("BAD_TOKEN", 0), ("user_account_deleted", 0),
      ("client_mismatch", 1),
    ] as [(String?, Int)])
  func kept(suberror: String?, left: Int) async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.answer(FakePlatform.refusal("invalid_grant", suberror: suberror))
    _ = await stage.silentFailure { $0.forceRefresh = true }
    #expect(try refreshTokens(stage) == left)
  }

  @Test("A bad token is not deleted where another process has renewed it meanwhile")
  func comparedBeforeDeletion() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    let store = stage.store
    stage.answer { _, _ in
      try store.update { bytes in
        bytes = Array(String(decoding: bytes ?? [], as: UTF8.self).replacing("refresh-1", with: "refresh-other").utf8)
      }
      return .json(#"{"error":"invalid_grant","suberror":"bad_token"}"#, status: .badRequest)
    }
    _ = await stage.silentFailure { $0.forceRefresh = true }
    #expect(try refreshTokens(stage) == 1)
  }

  @Test("A deleted account is forgotten by every client")
  func accountDeleted() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    try UnifiedTokenCache(store: stage.store).update { contents in
      contents.changeAccountMetadata(clientID: "other") { $0.setSignInState(.signedIn, of: FakePlatform.home) }
    }
    stage.answer(FakePlatform.refusal("invalid_grant", suberror: "user_account_deleted"))
    _ = await stage.silentFailure { $0.forceRefresh = true }
    let contents = try UnifiedTokenCache(store: stage.store).contents()
    #expect(contents.accountMetadata(clientID: "other")?.homeAccountIDs == [])
    #expect(try stage.application.accounts().isEmpty)
  }

  // MARK: Families

  /// A cache in which only another app's family token is, written as that app would.
  func otherAppsFamily() async throws -> Stage {
    let store = MemoryBlobStore()
    let other = try Stage(store: store) { $0.clientID = "other-app" }
    other.platform.state.withLock { state in state.claims = { $0["aud"] = "other-app" } }
    other.answer { form, platform in platform.tokens(for: form) { $0["foci"] = "1" } }
    _ = try await other.signIn()
    return try Stage(store: store)
  }

  @Test("An app without a token of its own uses its family's, and joins the family")
  func familyToken() async throws {
    let stage = try await otherAppsFamily()
    #expect(try stage.application.accounts().count == 1)
    stage.answer { form, platform in platform.tokens(for: form) { $0["foci"] = "1" } }
    let result = try await stage.silent()
    #expect(result.source == .refreshToken)
    #expect(stage.events.decisions.contains("refreshToken family 1"))
    #expect(stage.platform.state.withLock { $0.tokenRequests.first?["refresh_token"] } == "refresh-1")
  }

  @Test("client_mismatch: the app leaves the family and does not try it again")
  func clientMismatch() async throws {
    let stage = try await otherAppsFamily()
    stage.answer(FakePlatform.refusal("invalid_grant", suberror: "client_mismatch"))
    #expect(await stage.silentFailure()?.code == .interactionRequired)
    #expect(await stage.silentFailure()?.code == .interactionRequired)
    #expect(stage.platform.count("token") == 1)
    #expect(stage.events.decisions.contains("refreshToken no family"))
  }

  @Test("The app's own token is refused: a different one of the family is tried once", arguments: [true, false])
  func familySecond(isDifferent: Bool) async throws {
    let stage = try Stage()
    stage.answer { form, platform in platform.tokens(for: form) { $0["foci"] = "1" } }
    _ = try await stage.signIn()
    if isDifferent {
      let text = String(decoding: try UnifiedTokenCache(store: stage.store).contents().bytes, as: UTF8.self)
      let family = text.replacing("\"family_id\":\"1\"", with: "\"family_id\":\"1\",\"x\":\"\"")
      // The family's copy is the second one in the file.
      let last = try #require(family.ranges(of: "refresh-1").last)
      let changed = family.replacingCharacters(in: last, with: "refresh-family")
      try stage.store.update { $0 = Array(changed.utf8) }
    }
    stage.answer(FakePlatform.refusal("invalid_grant"))
    if isDifferent {
      #expect(try await stage.silent { $0.forceRefresh = true }.source == .refreshToken)
      #expect(stage.platform.state.withLock { $0.tokenRequests.last?["refresh_token"] } == "refresh-family")
    } else {
      #expect(await stage.silentFailure { $0.forceRefresh = true }?.code == .interactionRequired)
      #expect(stage.platform.count("token") == 2)
    }
  }

  // MARK: Guards

  @Test("A refresh token never goes to another cloud")
  func cloudGuard() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.platform.state.withLock { state in
      state.metadata = { $0["token_endpoint"] = "https://login.evil.example/token" }
    }
    let error = await stage.silentFailure { $0.forceRefresh = true }
    #expect(error?.code == .interactionRequired)
    #expect(stage.platform.count("token") == 1)
    #expect(stage.events.decisions.last == "refreshToken withheld")
  }

  @Test(
    "A refreshed ID token of somebody else, another issuer or a wrong signature is refused and nothing is kept",
    arguments: ["sub", "iss", "aud"])
  func wrongIDToken(claim: String) async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.platform.state.withLock { state in state.claims = { $0[claim] = "wrong" } }
    let error = await stage.silentFailure { $0.forceRefresh = true }
    #expect(error?.outcomeName == "invalidResponse")
    #expect(try await stage.silent().source == .cache)
  }
}

extension String {
  func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
