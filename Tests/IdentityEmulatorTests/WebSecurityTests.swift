import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

@Suite("Web security")
struct WebSecurityTests {
  private static let base = "https://login.microsoftonline.com"
  private static let device = base + "/common/oauth2/deviceauth"

  /// Strings that attempt to inject markup, headers, or URLs.
  static let payloads = [
    "\"><script>alert(1)</script>", "'><img src=x onerror=alert(1)>", "</title><script>alert(1)</script>",
    "</style><script>alert(1)</script>", "</textarea><svg/onload=alert(1)>", "\" autofocus onfocus=alert(1) x=\"",
    "javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "x\r\nSet-Cookie: a=b", "x\r\n\r\n<script>",
    "x\u{0}<script>", "&lt;script&gt;", "\u{202E}<script>", "{{7*7}}", "`${alert(1)}`", "<!--", "]]>", "\\\"><script>",
  ]

  /// The parameters of the authorization request that appear in responses.
  static let fields = [
    "login_hint", "state", "client_id", "redirect_uri", "scope", "response_type", "response_mode", "prompt", "nonce",
    "domain_hint", "claims", "code_challenge", "code_challenge_method", "max_age", "ui_locales", "client-request-id",
  ]

  /// Checks the invariants of every response.
  private static func check(_ response: ResponseMessage, _ note: String) {
    let html = String(decoding: response.body, as: UTF8.self)
    for mark in ["<script>alert", "<script>x", "<img src", "<svg", "onfocus=alert(1) x=\"\"", "<!--"] {
      #expect(!html.contains(mark), "\(note): \(mark)")
    }
    for field in response.head.headerFields {
      let hasLineEnd = field.value.utf8.contains { $0 == 10 || $0 == 13 }
      #expect(!hasLineEnd, "\(note): \(field.name)")
      #expect(field.name.canonicalName != "set-cookie" || !field.value.hasPrefix("a=b"), "\(note)")
    }
    if let location = response.head.headerFields[.location] {
      let url = URLReference(location)
      #expect(
        location.hasPrefix(Stage.redirect) || location.hasPrefix("http://localhost")
          || url.host == "login.microsoftonline.com", "\(note): \(location)")
    }
    guard response.head.headerFields[.contentType]?.hasPrefix("text/html") == true else { return }
    // The only script submits the form, and its hash is in the policy.
    #expect(html.ranges(of: "<script").count <= 1, "\(note)")
    let policy = response.head.headerFields[.contentSecurityPolicy] ?? ""
    for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "style-src 'sha256-"] {
      #expect(policy.contains(part), "\(note): \(policy)")
    }
    #expect(!policy.contains("unsafe"), "\(note)")
    #expect(response.head.headerFields[.xContentTypeOptions] == "nosniff")
    #expect(response.head.headerFields[.frameOptionsOfTests] == "DENY")
    #expect(response.head.headerFields[.cacheControl]?.contains("no-store") == true)
    let referrer = response.head.headerFields[.referrerPolicyOfTests]
    #expect(referrer == "no-referrer" || policy.contains("script-src") && referrer == "strict-origin")
  }

  @Test("request parameters are never rendered as markup, headers, or URLs", arguments: fields)
  func authorize(field: String) async throws {
    for payload in Self.payloads {
      for mode in ["", "form_post"] {
        var changes: Parameters = [field: payload]
        if !mode.isEmpty, field != "response_mode" { changes.set("response_mode", mode) }
        if field == "state" { changes.set("prompt", "none") }
        let stage = Stage()
        let response = try await stage.send(.get, Stage.authorizeURL(changing: changes))
        Self.check(response, "\(field)=\(payload) \(mode)")
      }
    }
  }

  @Test("the app's name and redirect URI are escaped")
  func appName() async throws {
    for payload in Self.payloads {
      let stage = Stage(app: { $0.name = payload })
      let walker = PageWalker(stage)
      var step = try await walker.get(Stage.authorizeURL())
      for fields in [["loginfmt": "megan@contoso.com"], ["passwd": "Fake-Megan-1"]] as [Parameters] {
        let page = try #require(step.page)
        Self.check(ResponseMessage(.ok, headers: page.headers, body: Array(page.html.utf8)), payload)
        step = try await walker.send(page, fields)
      }
      #expect(step.page?.screen == "consent")
      Self.check(
        ResponseMessage(.ok, headers: step.page?.headers ?? [:], body: Array((step.page?.html ?? "").utf8)), payload)
    }
  }

  @Test("user input is escaped", arguments: ["loginfmt", "user_code"])
  func typed(field: String) async throws {
    for payload in Self.payloads {
      let walker = PageWalker(Stage())
      let start = field == "user_code" ? Self.device : Stage.authorizeURL()
      let page = try #require(try await walker.get(start).page)
      let next = try #require(try await walker.send(page, [field: payload]).page)
      Self.check(ResponseMessage(.ok, headers: next.headers, body: Array(next.html.utf8)), payload)
    }
    let prefilled = try await Stage().send(
      .get, Self.device + "?user_code=" + FormCoding.encode("\"><script>alert(1)</script>"))
    Self.check(prefilled, "prefilled")
  }

  @Test("sign-out redirects only to registered URIs")
  func openRedirect() async throws {
    let targets =
      Self.payloads + [
        "https://evil.example/", "//evil.example", "/\\evil.example", "https:evil.example",
        "http://localhost.evil.example/", "http://localhost@evil.example/", "http://evil.example#http://localhost",
        "http://localhost:80\\@evil.example/", "HTTP://LOCALHOST.evil.example",
        "msauth.com.contoso.graphtutorial.evil://auth",
        "msauth.com.contoso.graphtutorial://auth.evil.example", "\thttps://evil.example",
      ]
    for target in targets {
      let stage = Stage()
      let walker = PageWalker(stage)
      _ = try await stage.signIn(browser: walker)
      let step = try await walker.get(
        "\(Self.base)/common/oauth2/v2.0/logout?post_logout_redirect_uri=\(FormCoding.encode(target))&state="
          + FormCoding.encode("\"><script>alert(1)</script>"))
      let page = try #require(step.page, "\(target)")
      #expect(page.screen == "signedOut", "\(target)")
      Self.check(ResponseMessage(.ok, headers: page.headers, body: Array(page.html.utf8)), target)
    }
  }

  @Test(
    "errors are redirected only to registered URIs",
    arguments: [
      "https://evil.example/", "javascript:alert(1)//", "data:text/html,x", "http://localhost.evil.example/",
      "http://localhost@evil.example/", "http://localhost:1\\.evil.example/", "\(Stage.redirect)/../../evil",
      "\(Stage.redirect)?x=1", "\(Stage.redirect)#x", " \(Stage.redirect)", "//evil.example/", "/relative",
      "http://[::1]/", "http://127.0.0.1.evil.example/", "http://localhost%2eevil.example/",
      "\(Stage.redirect)\r\nX: y",
    ])
  func errorRedirect(uri: String) async throws {
    // If the request contains a second error, the emulator must not redirect that error to the unverified URI either.
    let response = try await Stage().send(
      .get, Stage.authorizeURL(changing: ["redirect_uri": uri, "response_type": "invalid"]))
    #expect(response.head.headerFields[.location] == nil)
    #expect(response.head.status.code == 200)
  }

  // MARK: Cross-site request forgery

  @Test("forms on other sites cannot sign in, consent, or approve a device")
  func forgedForms() async throws {
    let stage = Stage()
    let victim = PageWalker(stage)
    _ = try await stage.signIn(browser: victim)
    // The attacker's own pages contain flows and tokens that are valid in the attacker's browser.
    let attacker = PageWalker(stage)
    let login = try #require(try await attacker.get(Stage.authorizeURL(changing: ["prompt": "login"])).page)
    let forged = try await victim.send(login, ["loginfmt": "mona@contoso.com"])
    #expect(forged.page?.code == "AADSTS50089")

    var consentStep = try await attacker.get(Stage.authorizeURL(scope: "openid Mail.Read"))
    for fields in [["loginfmt": "alex@contoso.com"], ["passwd": "Fake-Alex-1"]] as [Parameters] {
      consentStep = try await attacker.send(try #require(consentStep.page), fields)
    }
    let consent = try #require(consentStep.page)
    #expect(consent.screen == "consent")
    let accepted = try await victim.send(consent, ["consent": "accept", "scope": "Mail.Read"])
    #expect(accepted.page?.code == "AADSTS50089")

    let start = try await stage.send(
      .post, "\(Self.base)/common/oauth2/v2.0/devicecode", headers: [.contentType: FormCoding.mediaType],
      body: Array(FormCoding.serialize(["client_id": Stage.clientID, "scope": "User.Read"]).utf8))
    let code = try #require(try JSON(parsing: start.body)["user_code"]?.string)
    let devicePage = try #require(try await attacker.get(Self.device).page)
    let typed = try #require(try await victim.send(devicePage, ["user_code": code]).page)
    #expect(typed.screen == "deviceCode" && typed.code == "AADSTS50089")
    // A form without a token is rejected too.
    var bare = devicePage
    bare.html = bare.html.replacing("name=\"canary\"", with: "name=\"x\"")
    #expect(try await victim.send(bare, ["user_code": code]).page?.code == "AADSTS50089")
  }

  @Test("a device sign-in requires user interaction even if the browser is signed in")
  func deviceAsks() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    _ = try await stage.signIn(browser: walker)
    let start = try await stage.send(
      .post, "\(Self.base)/common/oauth2/v2.0/devicecode", headers: [.contentType: FormCoding.mediaType],
      body: Array(FormCoding.serialize(["client_id": Stage.clientID, "scope": "User.Read"]).utf8))
    let code = try #require(try JSON(parsing: start.body)["user_code"]?.string)
    let page = try #require(try await walker.get(Self.device + "?user_code=\(code)").page)
    let picker = try #require(try await walker.send(page, ["user_code": code]).page)
    #expect(picker.screen == "pickAccount")
    #expect(picker.html.contains("another device"))
    let done = try await walker.send(picker, ["account": "megan@contoso.com"])
    #expect(done.page?.meta("authflow-done") == "true")
  }

  @Test(
    "a background sign-out request requires confirmation",
    arguments: [
      (HTTPRequest.Method.get, ["sec-fetch-mode": "no-cors", "sec-fetch-site": "cross-site"], false),
      (.post, ["origin": "https://evil.example"], false),
      (.post, ["sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"], false),
      (.post, ["origin": "null"], false),
      (.get, ["sec-fetch-mode": "navigate", "sec-fetch-site": "cross-site"], true), (.get, [:], true),
    ])
  func forgedLogout(method: HTTPRequest.Method, headers: [String: String], acts: Bool) async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    _ = try await stage.signIn(browser: walker)
    var fields: HTTPFields = [:]
    for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
    let url = "\(Self.base)/common/oauth2/v2.0/logout"
    let page = try #require(try await walker.go(method, url, body: method == .post ? [:] : nil, headers: fields).page)
    let silent = try await walker.get(Stage.authorizeURL(changing: ["prompt": "none"]))
    #expect((silent.parameters["error"] == "login_required") == acts)
    guard !acts else { return }
    #expect(page.html.contains("Sign out?"))
    #expect(try await walker.send(page, ["account": "all"]).page?.screen == "signedOut")
    let after = try await walker.get(Stage.authorizeURL(changing: ["prompt": "none"]))
    #expect(after.parameters["error"] == "login_required")
  }

  // MARK: Cookies and sessions

  @Test("cookies are restricted to the host over TLS", arguments: [true, false])
  func cookies(isSecure: Bool) async throws {
    let stage = Stage(servesEveryHost: true)
    let walker = PageWalker(stage)
    let base = isSecure ? Self.base : "http://login.test:8400"
    let url = Stage.authorizeURL().replacing(Self.base, with: base)
    let end = try await walker.signIn(url, as: "megan@contoso.com")
    #expect(end.parameters["code"] != nil)
    let cookies = walker.setCookies
    let names = ["esctx=", "ESTSAUTHPERSISTENT="]
    for name in names { #expect(cookies.count { $0.contains(name) } > 0) }
    for cookie in cookies {
      #expect(cookie.contains("; HttpOnly") && cookie.contains("; Path=/") && !cookie.contains("Domain"), "\(cookie)")
      #expect(cookie.hasPrefix("__Host-") == isSecure && cookie.contains("; Secure") == isSecure, "\(cookie)")
      #expect(cookie.contains("esctx=") == !cookie.contains("SameSite=None") || !isSecure, "\(cookie)")
    }
  }

  @Test("sign-in replaces an existing session ID to prevent session fixation")
  func fixation() async throws {
    let stage = Stage()
    let attacker = PageWalker(stage)
    _ = try await stage.signIn("alex@contoso.com", browser: attacker)
    let victim = PageWalker(stage)
    victim.copyCookies(from: attacker)
    _ = try await stage.signIn(browser: victim, changing: ["prompt": "login"])
    let result = try await attacker.get(
      Stage.authorizeURL(changing: ["prompt": "none", "login_hint": "megan@contoso.com"]))
    #expect(result.parameters["error"] == "login_required")
    let own = try await victim.get(
      Stage.authorizeURL(changing: ["prompt": "none", "login_hint": "megan@contoso.com"]))
    #expect(own.parameters["code"] != nil)
  }

  @Test("a password never appears on a page or in a URL")
  func password() async throws {
    let walker = PageWalker(Stage())
    var step = try await walker.get(Stage.authorizeURL())
    step = try await walker.send(try #require(step.page), ["loginfmt": "megan@contoso.com"])
    step = try await walker.send(try #require(step.page), ["passwd": "Wrong-Secret-7"])
    let page = try #require(step.page)
    #expect(page.code == "AADSTS50126")
    #expect(!page.html.contains("Wrong-Secret-7") && !page.url.contains("Wrong-Secret-7"))
    for field in page.headers { #expect(!field.value.contains("Wrong-Secret-7")) }
  }

  @Test("logout frames load only HTTP URLs, and the policy does not allow other frames")
  func frames() async throws {
    let stage = Stage(app: { $0.logoutUrl = "javascript:alert(1)" })
    var second = RegisteredApp(appId: "5ec0ad00-0000-4000-8000-000000000001", publicRedirectUris: [])
    second.logoutUrl = "https://app.example/out?a=\"><script>"
    stage.emulator.register(app: second)
    let walker = PageWalker(stage)
    _ = try await stage.signIn(browser: walker)
    let page = try #require(try await walker.get("\(Self.base)/common/oauth2/v2.0/logout").page)
    #expect(page.html.contains("<iframe src=\"https://app.example/out?") && !page.html.contains("javascript:"))
    #expect(!page.html.contains("<script>"))
    #expect(page.headers[.contentSecurityPolicy]?.contains("frame-src https://app.example") == true)
  }
}

extension HTTPField.Name {
  fileprivate static let frameOptionsOfTests = HTTPField.Name("x-frame-options") ?? .location
  fileprivate static let referrerPolicyOfTests = HTTPField.Name("referrer-policy") ?? .location
}
