import Effects
import HTTPTypes
import UserSimulation
import RunTrace
import SimulatedWorld
import Testing

/// Tests visits to small scripted providers: requests, input, and results.
@Suite("Visits")
struct SimulatedBrowserTests {
  private static let redirectURI = "msauth.com.example.app://auth"
  private let start = "https://login.example.com/authorize?client_id=x"

  /// Creates a provider from a closure that maps a method, path, and form to a response.
  private func provider(
    _ response: @escaping @Sendable (_ method: String, _ path: String, _ form: String) -> ResponseMessage
  ) -> StubTransport {
    StubTransport { request in
      response(
        request.head.method.rawValue, request.head.path ?? "", String(decoding: request.body, as: UTF8.self))
    }
  }

  private func visit(
    _ http: StubTransport,
    _ user: SimulatedUser = SimulatedUser(username: "megan@contoso.com", password: Secret("pw", kind: .password)),
    to url: String? = nil, redirectURI: String? = Self.redirectURI, purpose: BrowserVisit.Purpose = .signIn,
    ephemeral: Bool = false, jar: CookieJar = CookieJar(), simulation: Simulation = Simulation()
  ) async throws -> BrowserOutcome {
    let browser = SimulatedBrowser(user, http: http, clock: simulation.clock, cookies: jar)
    let visit = BrowserVisit(url: url ?? start, redirectURI: redirectURI, purpose: purpose, ephemeral: ephemeral)
    return try await simulation.run { await browser.visit(visit) }
  }

  private static func form(_ controls: String, screen: String? = nil, more: String = "", action: String = "/login")
    -> ResponseMessage
  {
    let mark = screen.map { "<meta name=authflow-screen content=\($0)>" } ?? ""
    return .html(
      "<html><head>\(mark)</head><body>\(more)<form method=post action='\(action)'>\(controls)</form></body>")
  }

  private static let home = ResponseMessage.redirect(to: redirectURI + "?code=c1&state=s")

  // MARK: Ordinary sign-ins

  @Test("types the username and password, and submits hidden fields")
  func usernameThenPassword() async throws {
    let http = provider { method, _, form in
      switch form {
      case "":
        Self.form(
          "<input type=hidden name=flow value='1 2'><input name=loginfmt><button>Next</button>", screen: "username")
      case "flow=1+2&loginfmt=megan%40contoso.com":
        Self.form(
          "<input type=hidden name=flow value=2><input type=password name=passwd><button>Sign in</button>",
          screen: "password")
      case "flow=2&passwd=pw": Self.home
      default: .html("unexpected \(method) \(form)", status: .badRequest)
      }
    }
    let outcome = try await visit(http)
    #expect(
      outcome
        == BrowserOutcome(.redirected(url: Self.redirectURI + "?code=c1&state=s"), screens: ["username", "password"]))
  }

  @Test("completes another provider's combined sign-in page based on its fields")
  func otherProvider() async throws {
    let http = provider { _, path, form in
      path == "/session" && form == "csrf=t&login=megan%40contoso.com&password=pw&remember=on"
        ? Self.home
        : Self.form(
          """
          <input type=hidden name=csrf value=t><label>Login <input name=login required></label>
          <label>Password <input type=password name=password required></label>
          <input type=checkbox name=remember checked><a href=/forgot>Forgot?</a>
          <button type=submit>Sign in</button>
          """, more: "<form action=/search><input type=search name=q><button>Search</button></form>", action: "/session"
        )
    }
    let outcome = try await visit(http)
    #expect(outcome.result == .redirected(url: Self.redirectURI + "?code=c1&state=s"))
    #expect(outcome.screens == ["password"])
  }

  @Test("skips all pages if the last visit left a session cookie")
  func singleSignOn() async throws {
    let http = StubTransport { request in
      if request.head.headerFields[.cookie]?.contains("session=1") == true { return Self.home }
      if request.head.method == .post {
        return .redirect(to: Self.redirectURI, headers: [.setCookie: "session=1; Path=/; Secure; HttpOnly"])
      }
      return Self.form("<input name=username><input type=password name=password><button>Go</button>")
    }
    let jar = CookieJar()
    #expect(try await visit(http, jar: jar).screens == ["password"])
    #expect(try await visit(http, jar: jar).screens == [])
    // A private window does not use or store cookies.
    #expect(try await visit(http, ephemeral: true, jar: jar).screens == ["password"])
    let restored = CookieJar(json: jar.json(at: Simulation.start))
    #expect(try await visit(http, jar: restored).screens == [])
  }

  @Test("response_mode=form_post: returns the fields of the hidden form in the query")
  func formPost() async throws {
    for page in [
      "<form method=post action='\(Self.redirectURI)'><input type=hidden name=code value='c 1'><input type=hidden name=state value=s><noscript><button>Submit</button></noscript></form><script>document.forms[0].submit();</script>",
      "<body onload='document.forms[0].submit()'><form method=post action='\(Self.redirectURI)'><input type=hidden name=code value='c 1'><input type=hidden name=state value=s></form>",
      "<form method=post action='\(Self.redirectURI)'><input type=hidden name=code value='c 1'><input type=hidden name=state value=s><input type=submit value=Continue></form>",
    ] {
      let outcome = try await visit(provider { _, _, _ in .html(page) })
      #expect(outcome == BrowserOutcome(.redirected(url: Self.redirectURI + "?code=c+1&state=s")))
    }
  }

  @Test("keeps a fragment across redirects without fragments")
  func fragments() async throws {
    let direct = try await visit(provider { _, _, _ in .redirect(to: Self.redirectURI + "#code=1&state=2") })
    #expect(direct.result == .redirected(url: Self.redirectURI + "#code=1&state=2"))
    let redirected = try await visit(
      provider { _, path, _ in path == "/b" ? Self.home : .redirect(to: "/b#x") })
    #expect(redirected.result == .redirected(url: Self.redirectURI + "?code=c1&state=s#x"))
  }

  // MARK: Redirects and requests

  @Test(
    "the status of a redirect determines whether the method changes (RFC 9110)",
    arguments: [
      (301, "GET "), (302, "GET "), (303, "GET "), (307, "POST u=megan%40contoso.com"),
      (308, "POST u=megan%40contoso.com"),
    ])
  func redirects(status: Int, expected: String) async throws {
    let http = provider { method, path, form in
      if path == "/target" {
        #expect("\(method) \(form)" == expected)
        return Self.home
      }
      return method == "POST"
        ? .redirect(to: "target", status: .init(code: status))
        : Self.form("<input name=u autocomplete=username><button>Go</button>")
    }
    #expect(try await visit(http).result == .redirected(url: Self.redirectURI + "?code=c1&state=s"))
    #expect(http.requests.count == 3)
  }

  @Test("sends an origin and a referrer with POST requests, like a browser")
  func origins() async throws {
    let http = provider { method, _, _ in
      method == "POST"
        ? Self.home : Self.form("<input name=username><button>Go</button>", action: "https://other.example.com/x")
    }
    _ = try await visit(http)
    let post = try #require(http.requests.last)
    #expect(post.url == "https://other.example.com/x")
    #expect(post.head.headerFields[.origin] == "https://login.example.com")
    #expect(post.head.headerFields[.referer] == "https://login.example.com/")
    #expect(post.head.headerFields[.contentType] == "application/x-www-form-urlencoded")
  }

  @Test("redirect loops, too many pages, huge pages, and other schemes end the visit")
  func limits() async throws {
    let circle = provider { _, _, _ in .redirect(to: "/again") }
    guard case .failed(.badResponse) = try await visit(circle).result else {
      Issue.record("a redirect loop must fail")
      return
    }
    #expect(circle.requests.count < 50)
    let endless = StubTransport { request in
      .html(
        "<title>\(request.head.path ?? "")</title><p>\(request.head.path ?? "")<form method=post action='\(request.head.path ?? "")x'><button>Continue</button></form>"
      )
    }
    guard case .closed = try await visit(endless).result else {
      Issue.record("endless pages must be closed")
      return
    }
    #expect(endless.requests.count == 40)
    let huge = provider { _, _, _ in .html(String(repeating: "x", count: 5 << 20)) }
    guard case .failed(.badResponse) = try await visit(huge).result else {
      Issue.record("a huge page must fail")
      return
    }
    let elsewhere = try await visit(provider { _, _, _ in .redirect(to: "intent://open?secret=1") })
    #expect(
      elsewhere.result
        == .closed(reason: "the page redirects to intent://open, which is neither the redirect URI nor a web page"))
  }

  @Test("returns transport failures unchanged")
  func transport() async throws {
    let http = StubTransport { _ in throw TransportFailure.offline("no route") }
    #expect(try await visit(http) == BrowserOutcome(.failed(.offline("no route"))))
  }

  @Test("follows a meta refresh after its delay")
  func refresh() async throws {
    let simulation = Simulation()
    let http = provider { _, path, _ in
      path == "/next" ? Self.home : .html("<meta http-equiv=refresh content='5; url=/next'><p>One moment")
    }
    let outcome = try await visit(http, simulation: simulation)
    #expect(outcome == BrowserOutcome(.redirected(url: Self.redirectURI + "?code=c1&state=s")))
    #expect(simulation.clock.now - Simulation.start == .seconds(5))
  }

  // MARK: The user

  @Test(
    "the user's behavior determines the submitted entries",
    arguments: [
      PageInput("picks by name", page: .picker, "account=megan%40contoso.com"),
      PageInput("picks another", page: .picker, "account=another") { $0.picks = "another" },
      PageInput("picks a listed account", page: .picker, "account=adele%40contoso.com") {
        $0.picks = "ADELE@contoso.com"
      },
      PageInput("picks an unlisted account", page: .picker, "account=another") { $0.picks = "lee@contoso.com" },
      PageInput("approves", page: .push, "mfa=approve"),
      PageInput("denies", page: .push, "mfa=deny") { $0.secondFactor = .deny },
      PageInput("types the code", page: .code, "otc=381520") {
        $0.secondFactor = .oneTimeCode(seed: Secret("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", kind: .oneTimeCode))
      },
      PageInput("takes the seed from the directory", page: .code, "otc=381520") {
        $0.credentials.seed = { name in
          name == "megan@contoso.com" ? Secret("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", kind: .oneTimeCode) : nil
        }
      },
      PageInput("consents", page: .consent, "scope=User.Read&scope=https%3A%2F%2Fg%2FCalendars.Read&consent=accept"),
      PageInput("consents to one", page: .consent, "scope=https%3A%2F%2Fg%2FCalendars.Read&consent=accept") {
        $0.consent = .only(["calendars.read"])
      },
      PageInput("declines", page: .consent, "scope=User.Read&scope=https%3A%2F%2Fg%2FCalendars.Read&consent=decline") {
        $0.consent = .decline
      },
      PageInput("changes the password", page: .change, "newpassword=n3w&confirmpassword=n3w") {
        $0.newPassword = Secret("n3w", kind: .password)
      },
      PageInput("changes it with the old password", page: .changeWithOld, "old=pw&new=n3w&again=n3w") {
        $0.newPassword = Secret("n3w", kind: .password)
      },
      PageInput("signs in with a password", page: .customer, "loginfmt=megan%40contoso.com&passwd=pw"),
      PageInput("forgot the password", page: .customer, "loginfmt=&passwd=&forgot=true") { $0.forgetsPassword = true },
      PageInput("signs up", page: .customer, "loginfmt=&passwd=&signup=true") { $0.signsUp = [:] },
      PageInput(
        "creates an account", page: .signUp,
        "loginfmt=megan%40contoso.com&displayname=Megan&newpassword=pw&confirmpassword=pw&signup=true"
      ) {
        $0.signsUp = ["display_name": "Megan"]
      },
    ])
  func submittedEntries(input: PageInput) async throws {
    let http = provider { method, _, _ in method == "POST" ? Self.home : .html(input.page.rawValue) }
    var user = SimulatedUser(username: "megan@contoso.com", password: Secret("pw", kind: .password))
    input.change(&user)
    let outcome = try await visit(http, user)
    #expect(String(decoding: http.requests.last?.body ?? [], as: UTF8.self) == input.sent)
    #expect(outcome.result == .redirected(url: Self.redirectURI + "?code=c1&state=s"))
  }

  @Test("uses the directory's password for any user")
  func knowledge() async throws {
    let http = provider { _, _, form in
      switch form {
      case "": .html(Page.picker.rawValue)
      case "account=adele%40contoso.com":
        Self.form("<input type=password name=passwd><button>Go</button>", screen: "password")
      case "passwd=of+adele%40contoso.com": Self.home
      default: .html("unexpected \(form)", status: .badRequest)
      }
    }
    var user = SimulatedUser(username: "megan@contoso.com")
    user.picks = "adele@contoso.com"
    user.credentials.password = { Secret("of \($0)", kind: .password) }
    #expect(try await visit(http, user).screens == ["pickAccount", "password"])
  }

  @Test("keeps the login hint if the user has no username")
  func hint() async throws {
    let http = provider { method, _, form in
      form == "loginfmt=lee%40contoso.com"
        ? Self.home : Self.form("<input name=loginfmt value=lee@contoso.com><button>Next</button>")
    }
    let hinted = try await visit(http, SimulatedUser())
    #expect(hinted.result == .redirected(url: Self.redirectURI + "?code=c1&state=s"))
    let withoutUsername = try await visit(
      provider { _, _, _ in Self.form("<input name=loginfmt><button>Next</button>") }, SimulatedUser())
    #expect(withoutUsername.result == .closed(reason: "the page requires a username, but the user has none"))
  }

  @Test("waits only once, before the first input")
  func delay() async throws {
    let simulation = Simulation()
    let http = provider { _, _, form in
      form.contains("passwd")
        ? Self.home
        : form.isEmpty
          ? Self.form("<input name=loginfmt><button>Next</button>")
          : Self.form("<input type=password name=passwd><button>Go</button>")
    }
    var user = SimulatedUser(username: "a", password: Secret("b", kind: .password))
    user.delay = .seconds(16 * 60)
    _ = try await visit(http, user, simulation: simulation)
    #expect(simulation.clock.now - Simulation.start == .seconds(960))
  }

  // MARK: Pages that cannot be completed

  @Test(
    "closes the window",
    arguments: [
      Cancellation("immediately", page: Page.push.rawValue, "the user closed the window") { $0.cancels = .atOnce },
      Cancellation("at a screen", page: Page.consent.rawValue, "the user closed the window at consent") {
        $0.cancels = .at("consent")
      },
      Cancellation(
        "when the second factor is ignored", page: Page.push.rawValue, "the user ignored the second-factor request"
      ) {
        $0.secondFactor = .ignore
      },
      Cancellation(
        "without a new password", page: Page.change.rawValue,
        "the page requires a new password, but the user has none (newPassword)"),
      Cancellation(
        "without a seed", page: Page.code.rawValue,
        "the page requires a one-time code, but the user has no seed (mfa: {totp: …})"),
      Cancellation(
        "at an error",
        page:
          "<meta name=authflow-screen content=error><meta name=authflow-code content=AADSTS50011><p role=alert>No such redirect</p>",
        "No such redirect", code: "AADSTS50011"),
      Cancellation(
        "at an error of another provider", page: "<title>Sorry</title><p>AADSTS700016: not found", "Sorry",
        code: "AADSTS700016"),
      Cancellation(
        "at an admin approval page",
        page:
          "<meta name=authflow-screen content=adminApproval><meta name=authflow-code content=AADSTS90094><form method=post><button name=cancel value=true>Return</button></form>",
        "the page requires an administrator's approval", code: "AADSTS90094"),
      Cancellation(
        "at a page that requires JavaScript", page: "<div id=root></div><script src=app.js></script>",
        "the page at login.example.com requires JavaScript, which the simulated user does not support"),
      Cancellation(
        "at a page without an input", page: "<title>Welcome</title><p>Hello", "the page “Welcome” cannot be completed"),
    ])
  func cancellation(test: Cancellation) async throws {
    var user = SimulatedUser(username: "megan@contoso.com", password: Secret("pw", kind: .password))
    test.change(&user)
    let http = provider { _, _, _ in .html(test.page) }
    let outcome = try await visit(http, user)
    #expect(outcome.result == .closed(reason: test.reason))
    #expect(outcome.pageError == test.code)
    #expect(http.requests.count == 1)
  }

  @Test("does not retry a wrong password")
  func wrongPassword() async throws {
    let http = provider { _, _, form in
      Self.form(
        "<input type=hidden name=flow value=\(form.utf8.count)><input type=password name=passwd><button>Go</button>",
        screen: "password",
        more: form.isEmpty
          ? "" : "<meta name=authflow-code content=AADSTS50126><p role=alert>Your password is incorrect.</p>")
    }
    let outcome = try await visit(http)
    #expect(
      outcome
        == BrowserOutcome(
          .closed(reason: "Your password is incorrect."), screens: ["password", "password"], pageError: "AADSTS50126"))
    #expect(http.requests.count == 2)
  }

  @Test(
    "reports responses that are not pages",
    arguments: [
      (
        ResponseMessage.json(
          #"{"error":"invalid_request","error_description":"AADSTS900144: missing"}"#, status: .badRequest),
        "AADSTS900144"
      ),
      (ResponseMessage(.init(code: 502)), nil), (ResponseMessage.html("", status: .internalServerError), nil),
    ] as [(ResponseMessage, String?)])
  func noPage(response: ResponseMessage, code: String?) async throws {
    let outcome = try await visit(provider { _, _, _ in response })
    #expect(
      outcome.result
        == .closed(
          reason: "https://login.example.com/authorize returned \(response.head.status.code) without a page"))
    #expect(outcome.pageError == code)
  }

  // MARK: Other purposes

  @Test("a sign-out ends on the sign-out page or at the redirect URI")
  func signOut() async throws {
    let page = ResponseMessage.html("<meta name=authflow-screen content=signedOut><p>You signed out")
    let finished = try await visit(provider { _, _, _ in page }, redirectURI: nil, purpose: .signOut)
    #expect(finished == BrowserOutcome(.finished, screens: ["signedOut"]))
    let redirected = try await visit(provider { _, _, _ in .redirect(to: Self.redirectURI) }, purpose: .signOut)
    #expect(redirected.result == .redirected(url: Self.redirectURI))
    let nextForm = Self.form("<input name=login><button>Continue</button>")
    #expect(try await visit(provider { _, _, _ in nextForm }, redirectURI: nil, purpose: .signOut).result == .finished)
    let confirmation = provider { method, _, form in
      form == "answer=logout"
        ? .html("<p>Bye")
        : .html(
          "<form method=post><button name=answer value=stay>Stay</button><button name=answer value=logout>Log out</button></form>"
        )
    }
    #expect(try await visit(confirmation, redirectURI: nil, purpose: .signOut).result == .finished)
  }

  @Test("types a device code from the URL and ends the visit when the page confirms the code")
  func deviceCode() async throws {
    let http = provider { _, _, form in
      switch form {
      case "":
        .html(
          "<meta name=authflow-screen content=deviceCode><form method=post action=/d><input name=user_code><button>Next</button><button name=cancel value=true>Cancel</button></form>"
        )
      case "user_code=ABCD1234": Self.form("<input name=loginfmt><button>Next</button>", screen: "username")
      default: .html("<meta name=authflow-done content=true><p>Done")
      }
    }
    let outcome = try await visit(
      http, to: "https://login.example.com/device?user_code=ABCD1234", redirectURI: nil, purpose: .deviceCode)
    #expect(outcome == BrowserOutcome(.finished, screens: ["deviceCode", "username"]))
  }

  @Test("canceling the task ends the visit")
  func cancellation() async throws {
    let simulation = Simulation()
    let http = provider { _, _, _ in Self.form("<input name=loginfmt><button>Next</button>") }
    var user = SimulatedUser(username: "a")
    user.delay = .seconds(60)
    let browser = SimulatedBrowser(user, http: http, clock: simulation.clock, cookies: CookieJar())
    let visit = BrowserVisit(url: start, redirectURI: Self.redirectURI, purpose: .signIn)
    let outcome = try await simulation.run {
      await withTaskGroup(of: BrowserOutcome?.self) { group in
        group.addTask { await browser.visit(visit) }
        group.addTask {
          try? await simulation.clock.sleep(for: .seconds(1))
          return nil
        }
        _ = await group.next()
        group.cancelAll()
        return await group.next() ?? nil
      }
    }
    #expect(outcome?.result == .failed(.canceled))
  }
}

/// Pages that are similar to the emulator's pages.
enum Page: String, Sendable {
  case picker =
    """
    <meta name=authflow-screen content=pickAccount><form method=post><button name=account value=adele@contoso.com>Adele
    <small>adele@contoso.com</small></button><button name=account value=megan@contoso.com>Another Megan</button>
    <button name=account value=another>Use another account</button><button name=cancel value=true>Cancel</button></form>
    """
  case push =
    """
    <meta name=authflow-screen content=mfa><form method=post><button name=mfa value=approve>Approve</button>
    <button name=mfa value=deny>Deny</button><button name=cancel value=true>Cancel</button></form>
    """
  case code =
    """
    <meta name=authflow-screen content=mfa><form method=post><label>Code<input name=otc required></label>
    <button>Verify</button><button name=cancel value=true>Cancel</button></form>
    """
  case consent =
    """
    <meta name=authflow-screen content=consent><form method=post><input type=checkbox name=scope value=User.Read checked>
    <input type=checkbox name=scope value=https://g/Calendars.Read checked>
    <input type=checkbox name=fororganization value=true><button name=consent value=accept>Accept</button>
    <button name=consent value=decline>Cancel</button></form>
    """
  case change =
    """
    <meta name=authflow-screen content=changePassword><form method=post><input type=password name=newpassword required>
    <input type=password name=confirmpassword required><button>Change</button></form>
    """
  case changeWithOld =
    """
    <form method=post><input type=password name=old><input type=password name=new><input type=password name=again>
    <button>Change password</button></form>
    """
  case customer =
    """
    <meta name=authflow-screen content=username><form method=post><input name=loginfmt required>
    <input type=password name=passwd><button name=forgot value=true>Forgot your password?</button>
    <p>No account? <button name=signup value=true>Create one</button></p><button>Sign in</button>
    <button name=cancel value=true>Cancel</button></form>
    """
  case signUp =
    """
    <meta name=authflow-screen content=signUp><form method=post><input name=loginfmt required><input name=displayname>
    <input type=password name=newpassword><input type=password name=confirmpassword>
    <button name=signup value=true>Create</button><button name=cancel value=true>Cancel</button></form>
    """
}

/// A page, with the entries that the user submits.
struct PageInput: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var page: Page
  /// The posted body.
  var sent: String
  var change: @Sendable (inout SimulatedUser) -> Void

  init(_ name: String, page: Page, _ sent: String, change: @escaping @Sendable (inout SimulatedUser) -> Void = { _ in })
  {
    testDescription = name
    self.page = page
    self.sent = sent
    self.change = change
  }
}

/// A page on which the user closes the window.
struct Cancellation: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var page: String
  var reason: String
  var code: String?
  var change: @Sendable (inout SimulatedUser) -> Void

  init(
    _ name: String, page: String, _ reason: String, code: String? = nil,
    change: @escaping @Sendable (inout SimulatedUser) -> Void = { _ in }
  ) {
    testDescription = name
    self.page = page
    self.reason = reason
    self.code = code
    self.change = change
  }
}
