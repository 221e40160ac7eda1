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

@Suite("Interactive requests")
struct InteractiveTests {
  @Test("sends the parameters of the authorization request in MSAL's order")
  func authorize() async throws {
    let client = try TestClient {
      $0.multipleCloudsSupported = true
      $0.clientApplicationCapabilities = ["CP1"]
      $0.sliceConfig = SliceConfiguration(slice: "testslice", dataCenter: "prod-wst")
      $0.extraQueryParameters = ["a": "1", "client_id": "ignored"]
      $0.appVersion = "7"
    }
    let result = try await client.signIn {
      $0.promptType = .selectAccount
      $0.loginHint = "megan@contoso.com"
      $0.domainHint = "contoso.com"
      $0.extraScopesToConsent = ["Mail.Send", "user.read"]
      $0.token.extraQueryParameters = ["b": "2 3"]
      $0.token.correlationID = "c-1"
      $0.preferredAuthMethod = .qrPIN
    }
    let visit = try #require(client.server.state.withLock { $0.visits.first })
    let url = URLReference(visit.url)
    #expect(url.host == "login.microsoftonline.com")
    #expect(url.path == "/common/oauth2/v2.0/authorize")
    #expect(
      url.parameters.names == [
        "client_id", "redirect_uri", "response_type", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "client_info", "haschrome", "return-client-request-id", "client-request-id", "prompt",
        "login_hint", "domain_hint", "claims", "instance_aware", "pc", "x-client-SKU", "x-client-Ver", "x-client-OS",
        "x-client-CPU", "x-app-name", "x-app-ver", "X-AnchorMailbox", "slice", "dc", "a", "b",
      ])
    let expected = [
      "client_id": FakeServer.clientID, "redirect_uri": FakeServer.redirectURI, "response_type": "code",
      "scope": "User.Read openid profile offline_access Mail.Send user.read", "code_challenge_method": "S256",
      "client_info": "1",
      "haschrome": "1", "client-request-id": "c-1", "prompt": "select_account", "login_hint": "megan@contoso.com",
      "domain_hint": "contoso.com", "claims": #"{"access_token":{"xms_cc":{"values":["CP1"]}}}"#,
      "instance_aware": "true", "pc": "18", "x-client-SKU": "MSAL.OSX", "x-app-name": "com.contoso.mail",
      "X-AnchorMailbox": "UPN:megan@contoso.com", "dc": "prod-wst", "a": "1",
    ]
    for (name, value) in expected { #expect(url.parameters[name] == value, "\(name)") }
    #expect(url.parameters.repeatedNames == [])
    #expect(visit.url.contains("&scope=User.Read%20openid%20profile%20offline_access%20Mail.Send%20user.read&"))
    #expect(visit.redirectURI == FakeServer.redirectURI)
    #expect(client.server.last("token")?.url.hasSuffix("&b=2%203") == true)
    #expect(result.source == .authorizationCode)
    #expect(result.screens == ["username", "password"])
    #expect(result.sent?.prompt == "select_account")
    #expect(result.sent?.host == "login.microsoftonline.com")
    #expect(result.sent?.headers["client-request-id"] == "c-1")
    #expect(result.correlationID == "c-1")
  }

  @Test("redeems the code with the challenge's verifier and sends exactly the same form as MSAL")
  func redemption() async throws {
    let client = try TestClient()
    _ = try await client.signIn { $0.extraScopesToConsent = ["Mail.Send"] }
    let form = try #require(client.server.state.withLock { $0.tokenRequests.first })
    let challenge = client.server.state.withLock { URLReference($0.visits[0].url).parameters["code_challenge"] }
    let verifier = try #require(form["code_verifier"])
    #expect(PKCE.isVerifier(verifier))
    #expect(verifier.utf8.count == 43)
    #expect(PKCE.challenge(for: verifier, method: .s256) == challenge)
    #expect(
      FormCoding.serialize(form)
        == "client_id=\(FakeServer.clientID)&scope=User.Read+openid+profile+offline_access&grant_type=authorization_code"
        + "&client_info=1&code=code-1&redirect_uri=msauth.com.contoso.mail%3A%2F%2Fauth&code_verifier=\(verifier)")
  }

  @Test("keeps the query parameters of the authorization endpoint")
  func endpointQuery() async throws {
    let client = try TestClient()
    client.server.state.withLock { state in
      state.metadata = {
        $0["authorization_endpoint"] = "https://login.microsoftonline.com/common/authorize?p=flow&haschrome=0"
      }
    }
    let result = try await client.signIn()
    #expect(result.sent?.path == "/common/authorize")
    #expect(result.sent?.parameters.names.first == "p")
    #expect(result.sent?.parameters.values(of: "haschrome") == ["0"])
  }

  @Test("creates a new state, nonce, and verifier for each request")
  func fresh() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    _ = try await client.signIn()
    let (one, two) = client.server.state.withLock {
      (URLReference($0.visits[0].url).parameters, URLReference($0.visits[1].url).parameters)
    }
    for name in ["state", "nonce", "code_challenge"] { #expect(one[name] != two[name], "\(name)") }
  }

  @Test(
    "sends the prompt type",
    arguments: [
      (PromptType.selectAccount, "select_account"), (.login, "login"), (.consent, "consent"), (.create, "create"),
      (.promptIfNecessary, nil), (.never, "none"),
    ] as [(PromptType, String?)])
  func prompts(type: PromptType, value: String?) async throws {
    let client = try TestClient()
    let result = try await client.signIn { $0.promptType = type }
    #expect(result.sent?.prompt == value)
  }

  @Test("sends the account's username and IDs, and prompts for a login after sign-out")
  func withAccount() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    let result = try await client.signIn { $0.token.account = TestClient.megan }
    #expect(result.sent?.parameters["login_hint"] == "megan@contoso.com")
    #expect(result.sent?.parameters["login_req"] == FakeServer.uid)
    #expect(result.sent?.parameters["domain_req"] == FakeServer.utid)
    #expect(result.sent?.parameters["X-AnchorMailbox"] == "Oid:\(FakeServer.uid)@\(FakeServer.utid)")
    #expect(result.sent?.prompt == nil)
    _ = try await client.application.signOut(SignOutParameters(account: TestClient.megan))
    #expect(try await client.signIn { $0.token.account = TestClient.megan }.sent?.prompt == "login")
    _ = try await client.application.signOut(SignOutParameters(account: TestClient.megan))
    let consent = try await client.signIn {
      $0.token.account = TestClient.megan
      $0.promptType = .consent
    }
    #expect(consent.sent?.prompt == "consent")
  }

  struct BrowserCase: Sendable, CustomTestStringConvertible {
    var result: BrowserOutcome.Result
    var outcome: String
    var testDescription: String { outcome }
  }

  @Test(
    "maps the result of a browser visit to an outcome",
    arguments: [
      BrowserCase(result: .closed(reason: "canceled"), outcome: "userCanceled"),
      BrowserCase(result: .finished, outcome: "userCanceled"),
      BrowserCase(result: .unavailable(reason: "none"), outcome: "noViewController"),
      BrowserCase(result: .failed(.hostNotFound("x")), outcome: "offline"),
      BrowserCase(result: .failed(.timedOut("x")), outcome: "timedOut"),
      BrowserCase(result: .redirected(url: "msauth.com.contoso.mail://auth?code=1"), outcome: "invalidState"),
      BrowserCase(
        result: .redirected(url: "msauth.com.contoso.mail://auth?code=1&state=b3RoZXI"), outcome: "invalidState"),
      BrowserCase(result: .redirected(url: "msauth://wpj?username=megan"), outcome: "workplaceJoinRequired"),
      BrowserCase(
        result: .redirected(url: "msauth://UpgradeReg?username=megan"), outcome: "insufficientDeviceStrength"),
      BrowserCase(result: .redirected(url: "browser://example.com"), outcome: "userCanceled"),
    ])
  func browserResults(testCase: BrowserCase) async throws {
    let client = try TestClient()
    client.server.state.withLock { $0.browserResult = testCase.result }
    let error = try #require(await client.signInFailure())
    #expect(error.outcomeName == testCase.outcome)
    #expect(error.screens == ["username"])
    #expect(error.sent?.scope == "User.Read openid profile offline_access")
    #expect(client.server.count("token") == 0)
  }

  @Test(
    "maps an error in the redirect to an outcome",
    arguments: [
      ("access_denied", nil, "userCanceled"), ("interaction_required", nil, "interactionRequired"),
      ("invalid_request", nil, "invalidRequest"), ("server_error", nil, "serverError"),
      ("login_required", nil, "authorizationFailed"), ("consent_required", nil, "authorizationFailed"),
      ("invalid_grant", "transfer_token_expired", "userCanceled"), ("invalid_scope", nil, "invalidScope"),
      ("invalid_grant", "insufficient_device_strength", "insufficientDeviceStrength"),
    ] as [(String, String?, String)])
  func redirectErrors(error: String, suberror: String?, outcome: String) async throws {
    let client = try TestClient()
    client.server.state.withLock { state in
      state.redirect = {
        $0.remove("code")
        $0.append("error", error)
        $0.append("error_description", "AADSTS65004: the user declined consent")
        $0.append("suberror", ifPresent: suberror)
      }
    }
    let failure = await client.signInFailure()
    #expect(failure?.outcomeName == outcome)
    #expect(failure?.oauthError == error)
    #expect(failure?.serverCode == "AADSTS65004")
  }

  @Test("rejects a redirect with neither a code nor an error")
  func noCode() async throws {
    let client = try TestClient()
    client.server.state.withLock { state in state.redirect = { $0.remove("code") } }
    #expect(await client.signInFailure()?.outcomeName == "invalidResponse")
  }

  @Test(
    "requires the issuer in the redirect if the provider declares support for it",
    arguments: [nil, "https://evil.example", "valid"] as [String?])
  func issuer(_ issuer: String?) async throws {
    let authority = "https://login.microsoftonline.com/\(FakeServer.utid)"
    let client = try TestClient(authority: authority)
    client.server.state.withLock { state in
      state.metadata = { $0["authorization_response_iss_parameter_supported"] = true }
      state.redirect = { $0.append("iss", ifPresent: issuer == "valid" ? authority + "/v2.0" : issuer) }
    }
    #expect(await client.signInFailure()?.outcomeName == (issuer == "valid" ? nil : "invalidResponse"))
    #expect(client.server.count("token") == (issuer == "valid" ? 1 : 0))
  }

  // MARK: ID tokens

  @Test(
    "rejects an invalid ID token and saves nothing",
    arguments: [
      ("iss", "https://evil.example"), ("sub", nil), ("aud", "other"), ("aud", nil), ("exp", 1), ("iat", nil),
      ("nonce", "other"), ("nonce", nil), ("at_hash", "wrong"), ("tid", "not a tenant"),
    ] as [(String, JSON?)])
  func invalidIDToken(claim: String, value: JSON?) async throws {
    let client = try TestClient()
    client.server.state.withLock { state in state.claims = { $0[claim] = value } }
    let error = await client.signInFailure()
    #expect(error?.outcomeName == "invalidResponse")
    #expect(try client.store.load() == nil)
    #expect(client.events.decisions.last == "idToken rejected")
  }

  @Test("loads the provider's keys one more time if a key is unknown")
  func keyRotation() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.server.state.withLock {
      $0.key = 2
      $0.publishedKey = 2
    }
    _ = try await client.signIn()
    #expect(client.server.count("keys") == 2)
    client.server.state.withLock { $0.key = 3 }
    #expect(await client.signInFailure()?.outcomeName == "invalidResponse")
    #expect(client.server.count("keys") == 3)
  }

  @Test("requires a signed ID token", arguments: [nil, "e30.e30.", "x"] as [String?])
  func missingIDToken(text: String?) async throws {
    let client = try TestClient()
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["id_token"] = text.map { .string($0) } } }
    #expect(await client.signInFailure()?.outcomeName == "invalidResponse")
  }

  // MARK: Token responses

  @Test(
    "rejects an invalid token response",
    arguments: [
      (#"{"token_type":"Bearer"}"#, 200, "unexpected"), ("not json", 200, "invalidResponse"),
      ("[]", 200, "invalidResponse"),
      (#"{"access_token":"x","token_type":"pop","client_info":"e30"}"#, 200, "unexpected"),
      (#"{"access_token":"x","token_type":"Bearer"}"#, 200, "unexpected"), ("", 302, "unhandledResponse"),
      ("<html>", 404, "unhandledResponse"), ("{}", 403, "unhandledResponse"), ("{}", 429, "unhandledResponse"),
    ])
  func invalidResponses(body: String, status: Int, outcome: String) async throws {
    let client = try TestClient()
    client.enqueue { _, _ in .json(body, status: .init(code: status)) }
    let error = await client.signInFailure()
    #expect(error?.outcomeName == outcome)
    #expect(client.server.count("token") == 1)
  }

  @Test("rejects token types other than Bearer")
  func tokenType() async throws {
    let client = try TestClient()
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["token_type"] = "pop" } }
    #expect(await client.signInFailure()?.outcomeName == "invalidResponse")
  }

  @Test("reports declined scopes and saves the tokens")
  func declinedScopes() async throws {
    let client = try TestClient()
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["scope"] = "openid user.read Profile" } }
    let error = try #require(await client.signInFailure(["Mail.Send", "User.Read", "email"]))
    #expect(error.outcomeName == "serverDeclinedScopes")
    #expect(error.code?.rawValue == -50_003)
    #expect(error.grantedScopes == ["user.read"])
    #expect(error.declinedScopes == ["Mail.Send", "email"])
    #expect(error.invalidResult?.accessToken.isEmpty == false)
    #expect(try await client.silent(["User.Read"]).source == .cache)
  }

  @Test("does not report a missing `email` scope as declined")
  func email() async throws {
    let client = try TestClient()
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["scope"] = "User.Read" } }
    #expect(try await client.signIn(["User.Read", "email"]).scopes == ["User.Read"])
  }

  @Test("returns the account that signed in, even if the request was for another account")
  func differentAccount() async throws {
    let client = try TestClient()
    let other = Account(identifier: "a.b", username: "alex@contoso.com", environment: "login.windows.net")
    #expect(try await client.signIn { $0.token.account = other }.account.username == "megan@contoso.com")
    #expect(client.events.decisions.contains("account different"))
  }

  @Test("sends the broker parameters of nested app authentication only if both are set", arguments: [true, false])
  func nested(hasBoth: Bool) async throws {
    let client = try TestClient {
      $0.nestedAuthBrokerClientID = "broker"
      $0.nestedAuthBrokerRedirectURI = hasBoth ? "brk://auth" : nil
    }
    let sent = try await client.signIn().sent
    #expect(sent?.parameters["brk_client_id"] == (hasBoth ? "broker" : nil))
    #expect(sent?.parameters["brk_redirect_uri"] == (hasBoth ? "brk://auth" : nil))
  }

  @Test("rejects a web view without a window and does not send a request")
  func missingWindow() async throws {
    let client = try TestClient()
    let error = await client.signInFailure { $0.webview.hasParentViewController = false }
    #expect(error?.internalCode == -42_000)
    #expect(client.server.total == 0)
  }

  @Test("allows one sign-in or sign-out page at a time for all clients in a process")
  func sharedSession() async throws {
    let (store, process, simulation) = (MemoryBlobStore(), ClientProcess(), Simulation())
    let one = try TestClient(store: store, process: process, simulation: simulation)
    _ = try await one.signIn()
    let two = try TestClient(store: store, process: process, simulation: simulation)
    let outcome = try await simulation.run {
      async let signingIn = Self.outcome {
        try await one.application.acquireToken(InteractiveParameters(TokenParameters(scopes: ["User.Read"])))
      }
      async let signingOut = Self.outcomeName {
        var parameters = SignOutParameters(account: TestClient.megan)
        parameters.signoutFromBrowser = true
        try await two.application.signOut(parameters)
      }
      return await [signingIn, signingOut]
    }
    #expect(outcome == ["success", "interactiveSessionAlreadyRunning"])
    // The app removes the tokens before it opens the sign-out page.
    #expect(await one.silentFailure(["Mail.Send"])?.outcomeName != "interactiveSessionAlreadyRunning")
  }

  static func outcomeName(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return "success"
    } catch {
      return (error as? MSALError)?.outcomeName ?? "\(error)"
    }
  }

  @Test("sends the redirect URI with the browser's port in all requests")
  func loopbackPort() async throws {
    let server = FakeServer()
    server.state.withLock { $0.port = 4711 }
    let client = try TestClient(server: server) {
      $0.authority = try Authority(parsing: "https://login.microsoftonline.com/consumers")
      $0.redirectURI = "http://localhost/cb"
    }
    server.state.withLock { state in
      state.metadata = { $0["issuer"] = "https://login.microsoftonline.com/\(FakeServer.utid)/v2.0" }
    }
    _ = try await client.signIn()
    let visit = server.state.withLock { $0.visits.first }
    #expect(visit?.redirectURI == "http://localhost:4711/cb")
    #expect(URLReference(visit?.url ?? "").parameters["redirect_uri"] == "http://localhost:4711/cb")
    #expect(server.state.withLock { $0.tokenRequests.first?["redirect_uri"] } == "http://localhost:4711/cb")
    var parameters = SignOutParameters(account: TestClient.megan)
    parameters.signoutFromBrowser = true
    let prepared = parameters
    let outcome = try await client.simulation.run { try await client.application.signOut(prepared) }
    #expect(outcome.sent?.parameters["post_logout_redirect_uri"] == "http://localhost:4711/cb")
  }

  @Test("allows one sign-in page at a time")
  func oneSession() async throws {
    let client = try TestClient()
    let outcomes = try await client.simulation.run {
      let parameters = InteractiveParameters(TokenParameters(scopes: ["User.Read"]))
      async let one = Self.outcome { try await client.application.acquireToken(parameters) }
      async let two = Self.outcome { try await client.application.acquireToken(parameters) }
      return await [one, two]
    }
    #expect(Set(outcomes) == ["success", "interactiveSessionAlreadyRunning"])
    _ = try await client.signIn()
  }

  static func outcome(_ body: () async throws -> TokenResult) async -> String {
    do {
      _ = try await body()
      return "success"
    } catch {
      return (error as? MSALError)?.outcomeName ?? "\(error)"
    }
  }

  @Test(
    "switches to the cloud in the redirect if its host is trusted",
    arguments: ["login.microsoftonline.us", "login.evil.example"])
  func otherCloud(host: String) async throws {
    let client = try TestClient { $0.multipleCloudsSupported = true }
    client.server.state.withLock { state in state.redirect = { $0.append("cloud_instance_host_name", host) } }
    let result = try await client.signIn()
    let isTrusted = host.hasSuffix(".us")
    #expect(result.account.environment == (isTrusted ? "login.microsoftonline.us" : "login.windows.net"))
    #expect(result.authority.contains(host) == isTrusted)
    #expect(client.events.decisions.contains(isTrusted ? "cloud switched" : "cloud ignored"))
  }
}
