import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

@Suite("Interactive sign-in")
struct SignInTests {
  @Test("the first sign-in shows username, password, and consent, and returns a code")
  func firstSignIn() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    let end = try await walker.signIn(Stage.authorizeURL(), as: "megan@contoso.com")
    #expect(walker.screens == ["username", "password", "consent"])
    #expect(end.parameters["state"] == "st&te=1")
    #expect(end.parameters["session_state"] != nil)
    let clientInfo = try ClientInfo(encoded: try #require(end.parameters["client_info"]))
    #expect(clientInfo.utid == "c0a70500-7e4a-4c00-8000-000000000001")

    let tokens = try await stage.redeem(try #require(end.parameters["code"]))
    #expect(tokens.status == 200)
    #expect(tokens.json["scope"]?.string == "email openid profile User.Read")
    #expect(tokens.json["expires_in"] == 3599)
    #expect(tokens.json["ext_expires_in"] == 3599)
    #expect(tokens.json["client_info"]?.string == clientInfo.encoded)
    #expect(tokens.headers[.cacheControl] == "no-store, no-cache")
    let idToken = try UnverifiedJWT(parsing: try #require(tokens.json["id_token"]?.string))
    #expect(idToken.claims["nonce"] == "n-1")
    #expect(idToken.claims["aud"]?.string == Stage.clientID)
    #expect(idToken.claims["iss"] == "https://login.microsoftonline.com/c0a70500-7e4a-4c00-8000-000000000001/v2.0")
    #expect(idToken.claims["preferred_username"] == "megan@contoso.com")
    #expect(idToken.claims["ver"] == "2.0")
  }

  @Test("the published keys verify token signatures before and after a key rotation")
  func signatures() async throws {
    let stage = Stage()
    let before = try await stage.signIn()
    try await stage.simulate(["keysRotated"])
    let after = try await stage.refresh(before).json
    let set = try #require(JWKSet(try await stage.json("https://login.microsoftonline.com/common/discovery/v2.0/keys")))
    #expect(set.unusable.isEmpty)
    var keyIDs: Set<String> = []
    for tokens in [before, after] {
      let token = try UnverifiedJWT(parsing: try #require(tokens["id_token"]?.string))
      let keyID = try #require(token.header["kid"]?.string)
      let key = try #require(set.keys.first { $0.keyID == keyID })
      #expect(key.verifies(token.signature, over: token.signingInput, by: .rs256))
      #expect(key.certificates.count == 1)
      keyIDs.insert(keyID)
    }
    #expect(keyIDs.count == 2)
  }

  @Test("a second sign-in in the same browser does not show pages")
  func singleSignOn() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    _ = try await stage.signIn(browser: walker)
    let shown = walker.screens.count
    let end = try await walker.get(Stage.authorizeURL())
    #expect(end.parameters["code"] != nil)
    #expect(walker.screens.count == shown)
    let silent = try await walker.get(Stage.authorizeURL(changing: ["prompt": "none"]))
    #expect(silent.parameters["code"] != nil)
  }

  @Test(
    "the prompt parameter determines the first page",
    arguments: [
      ("select_account", "pickAccount"), ("login", "username"), ("consent", "consent"),
    ])
  func prompts(prompt: String, screen: String) async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    _ = try await stage.signIn(browser: walker)
    let step = try await walker.get(Stage.authorizeURL(changing: ["prompt": prompt]))
    #expect(step.page?.screen == screen)
  }

  @Test("the account picker lists the accounts in the session")
  func picker() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    _ = try await stage.signIn(browser: walker)
    _ = try await stage.signIn("alex@contoso.com", browser: walker, changing: ["prompt": "select_account"])
    let page = try #require(try await walker.get(Stage.authorizeURL()).page)
    #expect(page.screen == "pickAccount")
    #expect(page.html.contains("value=\"megan@contoso.com\""))
    #expect(page.html.contains("value=\"alex@contoso.com\""))
    #expect(page.html.contains("value=\"another\""))
    let chosen = try await walker.send(page, ["account": "megan@contoso.com"])
    let tokens = try await stage.redeem(try #require(chosen.parameters["code"])).json
    let claims = try UnverifiedJWT(parsing: try #require(tokens["id_token"]?.string)).claims
    #expect(claims["preferred_username"] == "megan@contoso.com")
    // A silent request fails with two accounts and no hint.
    let silent = try await walker.get(Stage.authorizeURL(changing: ["prompt": "none"]))
    #expect(silent.parameters["error"] == "interaction_required")
    let hinted = try await walker.get(
      Stage.authorizeURL(changing: ["prompt": "none", "login_hint": "alex@contoso.com"]))
    #expect(hinted.parameters["code"] != nil)
  }

  @Test("a login hint skips the username page")
  func loginHint() async throws {
    let stage = Stage()
    let page = try #require(
      try await PageWalker(stage).get(Stage.authorizeURL(changing: ["login_hint": "megan@contoso.com"])).page)
    #expect(page.screen == "password")
    #expect(page.html.contains("megan@contoso.com"))
  }

  @Test(
    "users with a second factor are prompted for it",
    arguments: [("mona@contoso.com", true), ("otto@contoso.com", true), ("megan@contoso.com", false)])
  func secondFactor(username: String, isAsked: Bool) async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    let tokens = try await stage.signIn(username, browser: walker)
    #expect(walker.screens.contains("mfa") == isAsked)
    let claims = try UnverifiedJWT(parsing: try #require(tokens["access_token"]?.string)).claims
    #expect(claims["amr"] == (isAsked ? ["pwd", "mfa"] : ["pwd"]))
  }

  @Test("an expired password must be changed during sign-in")
  func expiredPassword() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    _ = try await stage.signIn("paul@contoso.com", browser: walker)
    #expect(walker.screens == ["username", "password", "changePassword", "consent"])
    let again = try await PageWalker(stage).signIn(
      Stage.authorizeURL(), as: "paul@contoso.com", password: "Fake-New-Password-2")
    #expect(again.parameters["code"] != nil)
  }

  @Test("canceling returns access_denied with a subcode")
  func canceling() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    let username = try #require(try await walker.get(Stage.authorizeURL()).page)
    let cancelled = try await walker.send(username, ["cancel": "true"])
    #expect(cancelled.parameters["error"] == "access_denied")
    #expect(cancelled.parameters["error_subcode"] == "cancel")
    #expect(cancelled.parameters["error_description"] == nil)

    let password = try #require(try await walker.send(username, ["loginfmt": "megan@contoso.com"]).page)
    let consent = try #require(try await walker.send(password, ["passwd": "Fake-Megan-1"]).page)
    #expect(consent.screen == "consent")
    let declined = try await walker.send(consent, ["consent": "decline"])
    #expect(declined.parameters["error"] == "access_denied")
    #expect(declined.parameters["error_description"]?.hasPrefix("AADSTS65004") == true)
  }

  @Test("incremental consent shows only new permissions")
  func incrementalConsent() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    let tokens = try await stage.signIn(browser: walker)
    let rejected = try await stage.refresh(tokens, scope: "openid profile offline_access Calendars.Read")
    #expect(rejected.status == 400)
    #expect(rejected.json["error"] == "invalid_grant")
    #expect(rejected.json["suberror"] == "consent_required")
    #expect(rejected.json["error_codes"] == [65001])
    let page = try #require(
      try await walker.get(Stage.authorizeURL(scope: "openid profile offline_access Calendars.Read")).page)
    #expect(page.screen == "consent")
    #expect(page.scopes == ["Calendars.Read"])
    let end = try await walker.send(page, ["consent": "accept", "scope": "Calendars.Read"])
    let more = try await stage.redeem(try #require(end.parameters["code"])).json
    #expect(more["scope"] == "email openid profile Calendars.Read User.Read")
  }

  @Test("a deselected scope is not granted")
  func partialConsent() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    let scope = "openid profile offline_access User.Read Calendars.Read"
    var step = try await walker.get(Stage.authorizeURL(scope: scope))
    step = try await walker.send(try #require(step.page), ["loginfmt": "megan@contoso.com"])
    step = try await walker.send(try #require(step.page), ["passwd": "Fake-Megan-1"])
    let page = try #require(step.page)
    #expect(page.scopes == ["User.Read", "Calendars.Read"])
    step = try await walker.send(page, ["consent": "accept", "scope": "User.Read"])
    let tokens = try await stage.redeem(try #require(step.parameters["code"])).json
    #expect(tokens["scope"] == "email openid profile User.Read")
  }

  @Test("admin-only permissions show the approval page until an administrator consents")
  func adminConsent() async throws {
    let stage = Stage()
    let scope = "openid profile offline_access User.Read.All"
    let walker = PageWalker(stage)
    var step = try await walker.get(Stage.authorizeURL(scope: scope))
    step = try await walker.send(try #require(step.page), ["loginfmt": "megan@contoso.com"])
    step = try await walker.send(try #require(step.page), ["passwd": "Fake-Megan-1"])
    #expect(step.page?.screen == "adminApproval")
    #expect(step.page?.code == "AADSTS90094")

    let admin = PageWalker(stage)
    step = try await admin.get(Stage.authorizeURL(scope: scope))
    step = try await admin.send(try #require(step.page), ["loginfmt": "adele@contoso.com"])
    step = try await admin.send(try #require(step.page), ["passwd": "Fake-Adele-1"])
    let page = try #require(step.page)
    #expect(page.screen == "consent")
    step = try await admin.send(page, ["consent": "accept", "scope": "User.Read.All", "fororganization": "true"])
    #expect(step.parameters["code"] != nil)
    let after = try await walker.get(Stage.authorizeURL(scope: scope))
    #expect(after.parameters["code"] != nil)
  }

  @Test("if users cannot consent, all permissions require an administrator")
  func noUserConsent() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    let step = try await walker.signIn(Stage.authorizeURL(), as: "nora@adatum.com")
    #expect(step.page?.screen == "adminApproval")
  }

  @Test(
    "supports the query and fragment response modes",
    arguments: [("query", "?code="), ("fragment", "#code=")])
  func responseModes(mode: String, mark: String) async throws {
    let stage = Stage()
    let end = try await PageWalker(stage).signIn(
      Stage.authorizeURL(changing: ["response_mode": mode, "redirect_uri": "http://localhost:53211"]),
      as: "megan@contoso.com")
    guard case .left(let url) = end else {
      Issue.record("no redirect")
      return
    }
    // A redirect URI without a path gets a slash, and any port matches on localhost.
    #expect(url.hasPrefix("http://localhost:53211/\(mark)"))
    #expect(url.hasSuffix("#") == (mode == "query"))
  }

  @Test("form_post returns a page that submits itself")
  func formPost() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    var step = try await walker.get(
      Stage.authorizeURL(changing: ["response_mode": "form_post", "redirect_uri": "http://localhost:53211"]))
    step = try await walker.send(try #require(step.page), ["loginfmt": "megan@contoso.com"])
    step = try await walker.send(try #require(step.page), ["passwd": "Fake-Megan-1"])
    step = try await walker.send(try #require(step.page), ["consent": "accept", "scope": "User.Read"])
    let page = try #require(step.page)
    #expect(page.action == "http://localhost:53211")
    #expect(page.hidden["code"] != nil)
    #expect(page.hidden["state"] == "st&te=1")
  }

  @Test("a guest gets tokens from the resource tenant with the home account ID")
  func guest() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn("gina@fabrikam.com", tenant: "contoso.com")
    let claims = try UnverifiedJWT(parsing: try #require(tokens["id_token"]?.string)).claims
    #expect(claims["tid"] == "c0a70500-7e4a-4c00-8000-000000000001")
    #expect(claims["idp"] == "https://sts.windows.net/fab12ca0-7e4a-4c00-8000-000000000001/")
    #expect(claims["oid"] != "fab12ca0-05e4-4c00-8000-000000000001")
    let info = try ClientInfo(encoded: try #require(tokens["client_info"]?.string))
    #expect(info.uid == "fab12ca0-05e4-4c00-8000-000000000001")
    #expect(info.utid == "fab12ca0-7e4a-4c00-8000-000000000001")
  }

  @Test("a personal account belongs to the consumer tenant and gets opaque Graph tokens")
  func personal() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn("pat@outlook.com")
    let claims = try UnverifiedJWT(parsing: try #require(tokens["id_token"]?.string)).claims
    #expect(claims["tid"]?.string == Tenant.personalID)
    #expect(claims["oid"]?.string?.hasPrefix("00000000-0000-0000-") == true)
    let accessToken = try #require(tokens["access_token"]?.string)
    #expect(accessToken.hasPrefix("EwB"))
    let me = try await stage.json("https://graph.microsoft.com/v1.0/me", bearer: accessToken)
    #expect(me["displayName"] == "Pat Doe")
  }

  @Test("an issued token can read the user's profile")
  func graph() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn()
    let me = try await stage.json(
      "https://graph.microsoft.com/v1.0/me", bearer: try #require(tokens["access_token"]?.string))
    #expect(me["displayName"] == "Megan Bowen")
    #expect(me["userPrincipalName"] == "megan@contoso.com")
  }

  @Test("sign-out ends the session and redirects only to registered URIs")
  func signOut() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    _ = try await stage.signIn(browser: walker)
    let base = "https://login.microsoftonline.com/common/oauth2/v2.0/logout?post_logout_redirect_uri="
    let foreign = try await walker.get(base + PercentEncoding.encode("https://evil.example/"))
    #expect(foreign.page?.screen == "signedOut")
    let home = try await walker.get(base + PercentEncoding.encode(Stage.redirect))
    #expect(home.page == nil)
    let silent = try await walker.get(Stage.authorizeURL(changing: ["prompt": "none"]))
    #expect(silent.parameters["error"] == "login_required")
    #expect(silent.parameters["error_description"]?.hasPrefix("AADSTS50058") == true)
  }

  @Test("a hint selects the account to sign out", arguments: ["id_token_hint", "logout_hint"])
  func selectedAccount(parameter: String) async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    let megan = try await stage.signIn(browser: walker)
    let selectAccount: Parameters = ["prompt": "select_account"]
    _ = try await stage.signIn("adele@contoso.com", browser: walker, changing: selectAccount)
    // An expired ID token is a valid hint.
    stage.clock.advance(by: .seconds(2 * 86_400))
    let hint = parameter == "id_token_hint" ? megan["id_token"]?.string : "megan@contoso.com"
    let query: Parameters = [parameter: try #require(hint), "post_logout_redirect_uri": Stage.redirect]
    let left = try await walker.get(
      "https://login.microsoftonline.com/common/oauth2/v2.0/logout?\(FormCoding.serialize(query))")
    #expect(left.page == nil)
    for (name, error) in [("adele@contoso.com", nil), ("megan@contoso.com", "login_required")] as [(String, String?)] {
      let end = try await walker.get(Stage.authorizeURL(changing: ["prompt": "none", "login_hint": name]))
      #expect(end.parameters["error"] == error, "\(name): \(end.parameters.entries)")
    }
  }
}

@Suite("Conditional Access during sign-in")
struct PolicyTests {
  @Test("a sign-in fails until the user completes a required password change")
  func passwordChange() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn()
    try await stage.simulate([["policyAdded": ["name": "Password", "require": "passwordChange"]]])
    let walker = PageWalker(stage)
    var step = try await walker.get(Stage.authorizeURL(changing: ["login_hint": "megan@contoso.com"]))
    step = try await walker.send(try #require(step.page), ["passwd": "Fake-Megan-1"])
    #expect(step.page?.screen == "changePassword")
    #expect(try await stage.refresh(tokens).json["error_codes"] == [50125])
    step = try await walker.send(
      try #require(step.page), ["newpassword": "Fake-Megan-2", "confirmpassword": "Fake-Megan-2"])
    #expect(step.parameters["code"] != nil)
    #expect(try await stage.refresh(tokens).status == 200)
  }

  @Test("a user without a second factor sets one up if a policy requires it")
  func enrolment() async throws {
    let stage = Stage()
    try await stage.simulate([["policyAdded": ["name": "MFA", "require": "mfa"]]])
    let walker = PageWalker(stage)
    let tokens = try await stage.signIn(browser: walker)
    #expect(walker.screens == ["username", "password", "mfa", "consent"])
    #expect(try await stage.refresh(tokens).status == 200)
  }

  @Test("a sign-in frequency policy requires the password again after its period")
  func frequency() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    _ = try await stage.signIn(browser: walker)
    try await stage.simulate([["policyAdded": ["name": "Often", "signInFrequency": "1h"]]])
    #expect(try await walker.get(Stage.authorizeURL()).parameters["code"] != nil)
    stage.clock.advance(by: .seconds(3601))
    let step = try await walker.get(Stage.authorizeURL())
    #expect(step.page?.screen == "password")
    let end = try await walker.send(try #require(step.page), ["passwd": "Fake-Megan-1"])
    #expect(end.parameters["code"] != nil)
  }

  @Test("an unapproved app receives a token error, and a blocked user sees an error page")
  func unapprovedApp() async throws {
    let stage = Stage()
    try await stage.simulate([["policyAdded": ["name": "App", "require": "approvedApp"]]])
    let end = try await PageWalker(stage).signIn(Stage.authorizeURL(), as: "megan@contoso.com")
    let response = try await stage.redeem(try #require(end.parameters["code"]))
    #expect(response.json["error"] == "unauthorized_client")
    #expect(response.json["suberror"] == "protection_policy_required")
    try await stage.simulate([["policyRemoved": "App"], ["policyAdded": ["name": "Stop", "require": "block"]]])
    let blocked = try await PageWalker(stage).signIn(Stage.authorizeURL(), as: "megan@contoso.com")
    #expect(blocked.page?.screen == "error")
    #expect(blocked.page?.code == "AADSTS53003")
  }
}
