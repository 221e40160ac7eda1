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
  @Test("The authorize request's parameters, in MSAL's order")
  func authorize() async throws {
    let stage = try Stage {
      $0.multipleCloudsSupported = true
      $0.clientApplicationCapabilities = ["CP1"]
      $0.sliceConfig = SliceConfiguration(slice: "testslice", dataCenter: "prod-wst")
      $0.extraQueryParameters = ["a": "1", "client_id": "never"]
      $0.appVersion = "7"
    }
    let result = try await stage.signIn {
      $0.promptType = .selectAccount
      $0.loginHint = "megan@contoso.com"
      $0.domainHint = "contoso.com"
      $0.extraScopesToConsent = ["Mail.Send", "user.read"]
      $0.token.extraQueryParameters = ["b": "2 3"]
      $0.token.correlationID = "c-1"
      $0.preferredAuthMethod = .qrPIN
    }
    let visit = try #require(stage.platform.state.withLock { $0.visits.first })
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
      "client_id": FakePlatform.clientID, "redirect_uri": FakePlatform.redirectURI, "response_type": "code",
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
    #expect(visit.redirectURI == FakePlatform.redirectURI)
    #expect(stage.platform.last("token")?.url.hasSuffix("&b=2%203") == true)
    #expect(result.source == .authorizationCode)
    #expect(result.screens == ["username", "password"])
    #expect(result.sent?.prompt == "select_account")
    #expect(result.sent?.host == "login.microsoftonline.com")
    #expect(result.sent?.headers["client-request-id"] == "c-1")
    #expect(result.correlationID == "c-1")
  }

  @Test("The code exchange, byte for byte, with the verifier of the challenge")
  func exchange() async throws {
    let stage = try Stage()
    _ = try await stage.signIn { $0.extraScopesToConsent = ["Mail.Send"] }
    let form = try #require(stage.platform.state.withLock { $0.tokenRequests.first })
    let challenge = stage.platform.state.withLock { URLReference($0.visits[0].url).parameters["code_challenge"] }
    let verifier = try #require(form["code_verifier"])
    #expect(PKCE.isVerifier(verifier))
    #expect(verifier.utf8.count == 43)
    #expect(PKCE.challenge(for: verifier, method: .s256) == challenge)
    #expect(
      FormCoding.serialize(form)
        == "client_id=\(FakePlatform.clientID)&scope=User.Read+openid+profile+offline_access&grant_type=authorization_code"
        + "&client_info=1&code=code-1&redirect_uri=msauth.com.contoso.mail%3A%2F%2Fauth&code_verifier=\(verifier)")
  }

  @Test("What the endpoint's own query holds is kept and never overwritten")
  func endpointQuery() async throws {
    let stage = try Stage()
    stage.platform.state.withLock { state in
      state.metadata = {
        $0["authorization_endpoint"] = "https://login.microsoftonline.com/common/authorize?p=flow&haschrome=0"
      }
    }
    let result = try await stage.signIn()
    #expect(result.sent?.path == "/common/authorize")
    #expect(result.sent?.parameters.names.first == "p")
    #expect(result.sent?.parameters.values(of: "haschrome") == ["0"])
  }

  @Test("State, nonce and verifier are fresh each time")
  func fresh() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    _ = try await stage.signIn()
    let (one, two) = stage.platform.state.withLock {
      (URLReference($0.visits[0].url).parameters, URLReference($0.visits[1].url).parameters)
    }
    for name in ["state", "nonce", "code_challenge"] { #expect(one[name] != two[name], "\(name)") }
  }

  @Test(
    "Prompts on the wire",
    arguments: [
      (PromptType.selectAccount, "select_account"), (.login, "login"), (.consent, "consent"), (.create, "create"),
      (.promptIfNecessary, nil), (.never, "none"),
    ] as [(PromptType, String?)])
  func prompts(type: PromptType, value: String?) async throws {
    let stage = try Stage()
    let result = try await stage.signIn { $0.promptType = type }
    #expect(result.sent?.prompt == value)
  }

  @Test("With an account, its name and ids are sent; after signing out it must sign in visibly")
  func withAccount() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    let result = try await stage.signIn { $0.token.account = Stage.megan }
    #expect(result.sent?.parameters["login_hint"] == "megan@contoso.com")
    #expect(result.sent?.parameters["login_req"] == FakePlatform.uid)
    #expect(result.sent?.parameters["domain_req"] == FakePlatform.utid)
    #expect(result.sent?.parameters["X-AnchorMailbox"] == "Oid:\(FakePlatform.uid)@\(FakePlatform.utid)")
    #expect(result.sent?.prompt == nil)
    _ = try await stage.application.signOut(SignOutParameters(account: Stage.megan))
    #expect(try await stage.signIn { $0.token.account = Stage.megan }.sent?.prompt == "login")
    _ = try await stage.application.signOut(SignOutParameters(account: Stage.megan))
    let consent = try await stage.signIn {
      $0.token.account = Stage.megan
      $0.promptType = .consent
    }
    #expect(consent.sent?.prompt == "consent")
  }

  struct Ending: Sendable, CustomTestStringConvertible {
    var ending: BrowserOutcome.Result
    var outcome: String
    var testDescription: String { outcome }
  }

  @Test(
    "How a visit may end",
    arguments: [
      Ending(ending: .closed(reason: "cancelled"), outcome: "userCanceled"),
      Ending(ending: .finished, outcome: "userCanceled"),
      Ending(ending: .unavailable(reason: "none"), outcome: "noViewController"),
      Ending(ending: .failed(.hostNotFound("x")), outcome: "offline"),
      Ending(ending: .failed(.timedOut("x")), outcome: "timedOut"),
      Ending(ending: .redirected(url: "msauth.com.contoso.mail://auth?code=1"), outcome: "invalidState"),
      Ending(ending: .redirected(url: "msauth.com.contoso.mail://auth?code=1&state=b3RoZXI"), outcome: "invalidState"),
      Ending(ending: .redirected(url: "msauth://wpj?username=megan"), outcome: "workplaceJoinRequired"),
      Ending(ending: .redirected(url: "msauth://UpgradeReg?username=megan"), outcome: "insufficientDeviceStrength"),
      Ending(ending: .redirected(url: "browser://example.com"), outcome: "userCanceled"),
    ])
  func endings(it: Ending) async throws {
    let stage = try Stage()
    stage.platform.state.withLock { $0.ending = it.ending }
    let error = try #require(await stage.signInFailure())
    #expect(error.outcomeName == it.outcome)
    #expect(error.screens == ["username"])
    #expect(error.sent?.scope == "User.Read openid profile offline_access")
    #expect(stage.platform.count("token") == 0)
  }

  @Test(
    "Errors of the redirect",
    arguments: [
      ("access_denied", nil, "userCanceled"), ("interaction_required", nil, "interactionRequired"),
      ("invalid_request", nil, "invalidRequest"), ("server_error", nil, "serverError"),
      ("login_required", nil, "authorizationFailed"), ("consent_required", nil, "authorizationFailed"),
      ("invalid_grant", "transfer_token_expired", "userCanceled"), ("invalid_scope", nil, "invalidScope"),
      ("invalid_grant", "insufficient_device_strength", "insufficientDeviceStrength"),
    ] as [(String, String?, String)])
  func redirectErrors(error: String, suberror: String?, outcome: String) async throws {
    let stage = try Stage()
    stage.platform.state.withLock { state in
      state.redirect = {
        $0.remove("code")
        $0.append("error", error)
        $0.append("error_description", "AADSTS65004: the user said no")
        $0.append("suberror", ifPresent: suberror)
      }
    }
    let failure = await stage.signInFailure()
    #expect(failure?.outcomeName == outcome)
    #expect(failure?.oauthError == error)
    #expect(failure?.serverCode == "AADSTS65004")
  }

  @Test("A redirect without code or error is no answer")
  func noCode() async throws {
    let stage = try Stage()
    stage.platform.state.withLock { state in state.redirect = { $0.remove("code") } }
    #expect(await stage.signInFailure()?.outcomeName == "invalidResponse")
  }

  @Test(
    "An announced issuer must be in the redirect, and be the right one",
    arguments: [nil, "https://evil.example", "right"] as [String?])
  func issuer(named: String?) async throws {
    let authority = "https://login.microsoftonline.com/\(FakePlatform.utid)"
    let stage = try Stage(authority: authority)
    stage.platform.state.withLock { state in
      state.metadata = { $0["authorization_response_iss_parameter_supported"] = true }
      state.redirect = { $0.append("iss", ifPresent: named == "right" ? authority + "/v2.0" : named) }
    }
    #expect(await stage.signInFailure()?.outcomeName == (named == "right" ? nil : "invalidResponse"))
    #expect(stage.platform.count("token") == (named == "right" ? 1 : 0))
  }

  // MARK: The ID token

  @Test(
    "An ID token that is not right is refused, and nothing is kept",
    arguments: [
      ("iss", "https://evil.example"), ("sub", nil), ("aud", "other"), ("aud", nil), ("exp", 1), ("iat", nil),
      ("nonce", "other"), ("nonce", nil), ("at_hash", "wrong"), ("tid", "not a tenant"),
    ] as [(String, JSON?)])
  func wrongIDToken(claim: String, value: JSON?) async throws {
    let stage = try Stage()
    stage.platform.state.withLock { state in state.claims = { $0[claim] = value } }
    let error = await stage.signInFailure()
    #expect(error?.outcomeName == "invalidResponse")
    #expect(try stage.store.load() == nil)
    #expect(stage.events.decisions.last == "idToken refused")
  }

  @Test("The provider's keys were changed: they are fetched again, once")
  func rotation() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.platform.state.withLock {
      $0.key = 2
      $0.publishedKey = 2
    }
    _ = try await stage.signIn()
    #expect(stage.platform.count("keys") == 2)
    stage.platform.state.withLock { $0.key = 3 }
    #expect(await stage.signInFailure()?.outcomeName == "invalidResponse")
    #expect(stage.platform.count("keys") == 3)
  }

  @Test("An ID token is demanded, in signed form", arguments: [nil, "e30.e30.", "x"] as [String?])
  func noIDToken(text: String?) async throws {
    let stage = try Stage()
    stage.answer { form, platform in platform.tokens(for: form) { $0["id_token"] = text.map { .string($0) } } }
    #expect(await stage.signInFailure()?.outcomeName == "invalidResponse")
  }

  // MARK: The answer

  @Test(
    "Answers that make no sense",
    arguments: [
      (#"{"token_type":"Bearer"}"#, 200, "unexpected"), ("not json", 200, "invalidResponse"),
      ("[]", 200, "invalidResponse"),
      (#"{"access_token":"x","token_type":"pop","client_info":"e30"}"#, 200, "unexpected"),
      (#"{"access_token":"x","token_type":"Bearer"}"#, 200, "unexpected"), ("", 302, "unhandledResponse"),
      ("<html>", 404, "unhandledResponse"), ("{}", 403, "unhandledResponse"), ("{}", 429, "unhandledResponse"),
    ])
  func badAnswers(body: String, status: Int, outcome: String) async throws {
    let stage = try Stage()
    stage.answer { _, _ in .json(body, status: .init(code: status)) }
    let error = await stage.signInFailure()
    #expect(error?.outcomeName == outcome)
    #expect(stage.platform.count("token") == 1)
  }

  @Test("Another token type than Bearer is refused")
  func tokenType() async throws {
    let stage = try Stage()
    stage.answer { form, platform in platform.tokens(for: form) { $0["token_type"] = "pop" } }
    #expect(await stage.signInFailure()?.outcomeName == "invalidResponse")
  }

  @Test("Fewer scopes than asked: the error tells which, and the tokens are kept")
  func declined() async throws {
    let stage = try Stage()
    stage.answer { form, platform in platform.tokens(for: form) { $0["scope"] = "openid user.read Profile" } }
    let error = try #require(await stage.signInFailure(["Mail.Send", "User.Read", "email"]))
    #expect(error.outcomeName == "serverDeclinedScopes")
    #expect(error.code?.rawValue == -50_003)
    #expect(error.grantedScopes == ["user.read"])
    #expect(error.declinedScopes == ["Mail.Send", "email"])
    #expect(error.invalidResult?.accessToken.isEmpty == false)
    #expect(try await stage.silent(["User.Read"]).source == .cache)
  }

  @Test("email alone never counts as declined")
  func email() async throws {
    let stage = try Stage()
    stage.answer { form, platform in platform.tokens(for: form) { $0["scope"] = "User.Read" } }
    #expect(try await stage.signIn(["User.Read", "email"]).scopes == ["User.Read"])
  }

  @Test("Signing in as somebody else than asked gives the other account, and the trace says so")
  func somebodyElse() async throws {
    let stage = try Stage()
    let other = Account(identifier: "a.b", username: "alex@contoso.com", environment: "login.windows.net")
    #expect(try await stage.signIn { $0.token.account = other }.account.username == "megan@contoso.com")
    #expect(stage.events.decisions.contains("account another"))
  }

  @Test("Nested app authentication takes both parameters", arguments: [true, false])
  func nested(hasBoth: Bool) async throws {
    let stage = try Stage {
      $0.nestedAuthBrokerClientID = "broker"
      $0.nestedAuthBrokerRedirectURI = hasBoth ? "brk://auth" : nil
    }
    let sent = try await stage.signIn().sent
    #expect(sent?.parameters["brk_client_id"] == (hasBoth ? "broker" : nil))
    #expect(sent?.parameters["brk_redirect_uri"] == (hasBoth ? "brk://auth" : nil))
  }

  @Test("A web view without a window is the app's mistake, and no session")
  func noWindow() async throws {
    let stage = try Stage()
    let error = await stage.signInFailure { $0.webview.hasParentViewController = false }
    #expect(error?.internalCode == -42_000)
    #expect(stage.platform.total == 0)
  }

  @Test("A page for signing out is a page: there is one at a time among all application objects of a world")
  func oneSessionForAll() async throws {
    let (store, process, simulation) = (MemoryBlobStore(), ClientProcess(), Simulation())
    let one = try Stage(store: store, process: process, simulation: simulation)
    _ = try await one.signIn()
    let two = try Stage(store: store, process: process, simulation: simulation)
    let outcome = try await simulation.run {
      async let signingIn = Self.outcome {
        try await one.application.acquireToken(InteractiveParameters(TokenParameters(scopes: ["User.Read"])))
      }
      async let signingOut = Self.name {
        var parameters = SignOutParameters(account: Stage.megan)
        parameters.signoutFromBrowser = true
        try await two.application.signOut(parameters)
      }
      return await [signingIn, signingOut]
    }
    #expect(outcome == ["success", "interactiveSessionAlreadyRunning"])
    // The local part of signing out comes first.
    #expect(await one.silentFailure(["Mail.Send"])?.outcomeName != "interactiveSessionAlreadyRunning")
  }

  static func name(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return "success"
    } catch {
      return (error as? MSALError)?.outcomeName ?? "\(error)"
    }
  }

  @Test("The redirect URI is the one that the browser awaits, at every leg")
  func chosenPort() async throws {
    let platform = FakePlatform()
    platform.state.withLock { $0.port = 4711 }
    let stage = try Stage(platform: platform) {
      $0.authority = try Authority(parsing: "https://login.microsoftonline.com/consumers")
      $0.redirectURI = "http://localhost/cb"
    }
    platform.state.withLock { state in
      state.metadata = { $0["issuer"] = "https://login.microsoftonline.com/\(FakePlatform.utid)/v2.0" }
    }
    _ = try await stage.signIn()
    let visit = platform.state.withLock { $0.visits.first }
    #expect(visit?.redirectURI == "http://localhost:4711/cb")
    #expect(URLReference(visit?.url ?? "").parameters["redirect_uri"] == "http://localhost:4711/cb")
    #expect(platform.state.withLock { $0.tokenRequests.first?["redirect_uri"] } == "http://localhost:4711/cb")
    var parameters = SignOutParameters(account: Stage.megan)
    parameters.signoutFromBrowser = true
    let prepared = parameters
    let outcome = try await stage.simulation.run { try await stage.application.signOut(prepared) }
    #expect(outcome.sent?.parameters["post_logout_redirect_uri"] == "http://localhost:4711/cb")
  }

  @Test("One page at a time")
  func oneSession() async throws {
    let stage = try Stage()
    let outcomes = try await stage.simulation.run {
      let parameters = InteractiveParameters(TokenParameters(scopes: ["User.Read"]))
      async let one = Self.outcome { try await stage.application.acquireToken(parameters) }
      async let two = Self.outcome { try await stage.application.acquireToken(parameters) }
      return await [one, two]
    }
    #expect(Set(outcomes) == ["success", "interactiveSessionAlreadyRunning"])
    _ = try await stage.signIn()
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
    "The response may hand over to another cloud that is trusted",
    arguments: ["login.microsoftonline.us", "login.evil.example"])
  func otherCloud(host: String) async throws {
    let stage = try Stage { $0.multipleCloudsSupported = true }
    stage.platform.state.withLock { state in state.redirect = { $0.append("cloud_instance_host_name", host) } }
    let result = try await stage.signIn()
    let isTrusted = host.hasSuffix(".us")
    #expect(result.account.environment == (isTrusted ? "login.microsoftonline.us" : "login.windows.net"))
    #expect(result.authority.contains(host) == isTrusted)
    #expect(stage.events.decisions.contains(isTrusted ? "cloud handed over" : "cloud ignored"))
  }
}
