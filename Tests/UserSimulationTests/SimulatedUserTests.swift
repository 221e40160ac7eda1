import Effects
import HTTPTypes
import UserSimulation
import RunTrace
import SimulatedWorld
import Testing

@Suite("Simulated user")
struct UserBehaviorTests {
  private let cancel = "<button name=cancel value=true>Cancel</button>"

  @Test("records each screen of a complete sign-in once, in order")
  func completeSignIn() async throws {
    let visited = try await StubSite.visit { request in
      let body = String(decoding: request.body, as: UTF8.self)
      switch (request.head.path ?? "", body) {
      case ("/start", ""):
        return .html(StubSite.page(screen: "username", StubSite.form("<input name=loginfmt><button>Next</button>")))
      case ("/next", "loginfmt=megan%40contoso.com"):
        let form = StubSite.form("<input type=hidden name=ctx value=7><input type=password name=passwd>")
        return .html(StubSite.page(screen: "password", form))
      case ("/next", "ctx=7&passwd=Fake-1"):
        let buttons = "<button name=mfa value=approve>Approve</button><button name=mfa value=deny>Deny</button>"
        return .html(StubSite.page(screen: "mfa", StubSite.form(buttons)))
      case ("/next", "mfa=approve"):
        let form = StubSite.form(
          "<input type=checkbox name=scope value=User.Read checked><button name=consent value=accept>Accept</button>"
            + "<button name=consent value=decline>Cancel</button>")
        return .html(StubSite.page(screen: "consent", form))
      case ("/next", "scope=User.Read&consent=accept"): return .redirect(to: "app://done?code=1")
      default: return .html("<p>unexpected: \(body)</p>", status: .badRequest)
      }
    }
    #expect(visited.redirect == "app://done?code=1")
    #expect(visited.outcome.screens == ["username", "password", "mfa", "consent"])
  }

  @Test("prefers the password in the user behavior to the password in the directory")
  func passwords() async throws {
    let page = StubSite.page(screen: "password", StubSite.form("<input type=password name=passwd>"))
    func sent(_ user: SimulatedUser) async throws -> String {
      try await StubSite.visit(page: page, as: user).sent
    }
    var user = SimulatedUser(username: "otto@contoso.com")
    user.credentials = .init(password: { $0 == "otto@contoso.com" ? Secret("known", kind: .password) : nil })
    #expect(try await sent(user) == "passwd=known")
    user.password = Secret("own", kind: .password)
    #expect(try await sent(user) == "passwd=own")
    let withoutPassword = try await StubSite.visit(page: page, as: SimulatedUser(username: "dora@contoso.com"))
    #expect(withoutPassword.reason != nil)
    #expect(withoutPassword.requests.count == 1)
  }

  @Test("keeps a username that the page filled in")
  func hint() async throws {
    let page = StubSite.form("<input name=loginfmt value=adele@contoso.com>")
    #expect(try await StubSite.visit(page: page, as: SimulatedUser()).sent == "loginfmt=adele%40contoso.com")
  }

  @Test(
    "picks an account by its username, or uses another account",
    arguments: [
      (nil, "account=megan%40contoso.com"), ("alex@contoso.com", "account=alex%40contoso.com"),
      ("ALEX@contoso.com", "account=alex%40contoso.com"), ("another", "account=another"),
      ("stranger@contoso.com", "account=another"),
    ] as [(String?, String)])
  func picks(_ picks: String?, _ expected: String) async throws {
    let accounts = ["alex@contoso.com", "megan@contoso.com", "another"]
      .map { "<button name=account value=\($0)>\($0 == "another" ? "Use another account" : $0)</button>" }.joined()
    let page = StubSite.page(screen: "pickAccount", StubSite.form(accounts + cancel))
    #expect(try await StubSite.visit(page: page, as: StubSite.megan { $0.picks = picks }).sent == expected)
  }

  @Test("approves, denies, or ignores a push notification")
  func push() async throws {
    let page = StubSite.page(
      screen:
        "mfa",
      StubSite.form("<button name=mfa value=approve>Yes</button><button name=mfa value=deny>No</button>" + cancel))
    func visited(_ factor: SimulatedUser.SecondFactor) async throws -> Visited {
      try await StubSite.visit(page: page, as: StubSite.megan { $0.secondFactor = factor })
    }
    #expect(try await visited(.approve).sent == "mfa=approve")
    #expect(try await visited(.deny).sent == "mfa=deny")
    let ignored = try await visited(.ignore)
    #expect(ignored.reason != nil)
    #expect(ignored.requests.count == 1)
    #expect(ignored.outcome.screens == ["mfa"])
  }

  /// The last six digits of the test vectors in RFC 6238, appendix B. The last vector is omitted, because its date
  /// (2603) is outside the clock's range.
  @Test(
    "generates one-time codes for the time of the virtual clock",
    arguments: [
      (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
      (2_000_000_000, "279037"),
    ])
  func oneTimeCodes(_ seconds: Int64, _ code: String) async throws {
    let page = StubSite.page(screen: "mfa", StubSite.form("<input name=otc>"))
    for seed in ["GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", "gezd gnbv gy3t qojq gezd-gnbv-gy3t-qojq"] {
      let user = StubSite.megan { $0.secondFactor = .oneTimeCode(seed: Secret(seed, kind: .named)) }
      let visited = try await StubSite.visit(page: page, as: user, at: Instant(secondsSince1970: seconds))
      #expect(visited.sent == "otc=\(code)")
    }
  }

  @Test("an invalid seed, or a code prompt without a seed, ends the visit")
  func noSeed() async throws {
    let page = StubSite.page(screen: "mfa", StubSite.form("<input name=otc>"))
    let wrong = StubSite.megan { $0.secondFactor = .oneTimeCode(seed: Secret("018", kind: .named)) }
    for user in [wrong, StubSite.megan()] {
      let visited = try await StubSite.visit(page: page, as: user)
      #expect(visited.reason != nil)
      #expect(visited.requests.count == 1)
    }
  }

  @Test("chooses whether to stay signed in", arguments: [(true, "stay=yes"), (false, "stay=no")])
  func staySignedIn(stays: Bool, sent: String) async throws {
    let buttons = "<button name=stay value=yes>Yes</button><button name=stay value=no>No</button>"
    var user = SimulatedUser(username: "megan@contoso.com")
    user.staysSignedIn = stays
    let page = StubSite.page(screen: "staySignedIn", StubSite.form(buttons))
    #expect(try await StubSite.visit(page: page, as: user).sent == sent)
  }

  @Test("grants all or some permissions, or declines with the page's button")
  func consent() async throws {
    let boxes = ["User.Read", "https://graph.example/Mail.Read"]
      .map { "<input type=checkbox name=scope value=\($0) checked>" }.joined()
    let page = StubSite.page(
      screen:
        "consent",
      StubSite.form(
        boxes + "<button name=consent value=accept>Accept</button><button name=consent value=decline>Cancel</button>"))
    func sent(_ consent: SimulatedUser.Consent) async throws -> String {
      try await StubSite.visit(page: page, as: StubSite.megan { $0.consent = consent }).sent
    }
    let both = "scope=User.Read&scope=https%3A%2F%2Fgraph.example%2FMail.Read"
    #expect(try await sent(.accept) == both + "&consent=accept")
    #expect(try await sent(.decline) == both + "&consent=decline")
    #expect(try await sent(.only(["user.read"])) == "scope=User.Read&consent=accept")
    #expect(try await sent(.only(["Mail.Read"])) == "scope=https%3A%2F%2Fgraph.example%2FMail.Read&consent=accept")
  }

  @Test("closes the window immediately or on a specific screen, without submitting")
  func cancels() async throws {
    let page = StubSite.page(screen: "username", StubSite.form("<input name=loginfmt>" + cancel))
    for canceling in [SimulatedUser.Cancellation.atOnce, .at("username")] {
      let visited = try await StubSite.visit(page: page, as: StubSite.megan { $0.cancels = canceling })
      #expect(visited.reason != nil)
      #expect(visited.requests.count == 1)
      #expect(visited.outcome.screens == ["username"])
    }
    let elsewhere = try await StubSite.visit(page: page, as: StubSite.megan { $0.cancels = .at("consent") })
    #expect(elsewhere.redirect == StubSite.home)
  }

  @Test("a slow user waits only once: before the first input")
  func delay() async throws {
    let visited = try await StubSite.visit(as: StubSite.megan { $0.delay = .seconds(16 * 60) }) { request in
      switch request.head.path {
      case "/start": .html(StubSite.form("<input name=login>"))
      case "/next": .html("<form method=post action=/last><input type=password name=p></form>")
      default: .redirect(to: StubSite.home)
      }
    }
    #expect(visited.elapsed == .seconds(960))
    #expect(visited.redirect == StubSite.home)
  }

  @Test("types the new password twice, and the old password if the page has a field for it")
  func changePassword() async throws {
    let fields =
      "<input type=password name=oldpassword><input type=password name=newpassword>"
      + "<input type=password name=confirmpassword>"
    let page = StubSite.page(screen: "changePassword", StubSite.form(fields))
    let user = StubSite.megan { $0.newPassword = Secret("Fake-2", kind: .password) }
    #expect(
      try await StubSite.visit(page: page, as: user).sent
        == "oldpassword=Fake-1&newpassword=Fake-2&confirmpassword=Fake-2")
    #expect(try await StubSite.visit(page: page).reason != nil)
  }

  @Test("follows the link for a forgotten password only once")
  func forgets() async throws {
    let page = StubSite.page(
      screen:
        "username",
      StubSite.form(
        "<input name=loginfmt><input type=password name=passwd><button>Next</button>"
          + "<button name=forgot value=true>Forgot your password?</button>"))
    let visited = try await StubSite.visit(as: StubSite.megan { $0.forgetsPassword = true }) { request in
      String(decoding: request.body, as: UTF8.self).contains("megan") ? .redirect(to: StubSite.home) : .html(page)
    }
    #expect(String(decoding: visited.requests[1].body, as: UTF8.self).contains("forgot=true"))
    #expect(visited.sent == "loginfmt=megan%40contoso.com&passwd=Fake-1")
    #expect(visited.outcome.screens == ["username", "username"])
  }

  @Test("follows the sign-up link and types the attributes")
  func signsUp() async throws {
    let first = StubSite.page(
      screen:
        "username",
      StubSite.form("<input name=loginfmt><button>Next</button><button name=signup value=true>Sign up</button>"))
    let fields =
      "<input name=loginfmt><input name=displayname><input type=password name=newpassword>"
      + "<input type=password name=confirmpassword><button name=signup value=true>Create</button>"
    let visited = try await StubSite.visit(
      as: StubSite.megan {
        $0.signsUp = ["displayName": "Megan B", "username": "new@example.com"]
        $0.newPassword = Secret("Fake-3", kind: .password)
      }
    ) { request in
      let body = String(decoding: request.body, as: UTF8.self)
      if body.isEmpty { return .html(first) }
      return body.contains("displayname")
        ? .redirect(to: StubSite.home) : .html(StubSite.page(screen: "signUp", StubSite.form(fields)))
    }
    #expect(String(decoding: visited.requests[1].body, as: UTF8.self).contains("signup=true"))
    #expect(
      visited.sent
        == "loginfmt=new%40example.com&displayname=Megan+B&newpassword=Fake-3&confirmpassword=Fake-3&signup=true")
  }

  @Test("ends the visit at an error page, with the error code from its element or text")
  func errorPage() async throws {
    let pages = [
      StubSite.page(screen: "error", "<p role=alert>Wrong reply address</p>", code: "AADSTS50011"),
      StubSite.page(screen: "error", "<p>AADSTS50011: the reply address is wrong</p>"),
    ]
    for page in pages {
      let visited = try await StubSite.visit { _ in .html(page, status: .badRequest) }
      #expect(visited.reason != nil)
      #expect(visited.outcome.pageError == "AADSTS50011")
      #expect(visited.outcome.screens == ["error"])
      #expect(visited.requests.count == 1)
    }
  }

  @Test("closes the window if the same input leads to the same page again")
  func wrongPassword() async throws {
    let page = StubSite.page(
      screen:
        "password", "<p role=alert>Your password is wrong</p>" + StubSite.form("<input type=password name=passwd>"),
      code: "AADSTS50126")
    let visited = try await StubSite.visit { _ in .html(page) }
    #expect(visited.reason == "Your password is wrong")
    #expect(visited.outcome.pageError == "AADSTS50126")
    #expect(visited.requests.count == 2)
  }

  @Test("does not include secrets in the reason for closing the window", arguments: ["password", "mfa", "consent"])
  func secrets(_ screen: String) async throws {
    let page = StubSite.page(screen: screen, StubSite.form("<input type=password name=passwd>"))
    let visited = try await StubSite.visit("https://id.example/start?code=sealed") { _ in .html(page) }
    let reason = try #require(visited.reason)
    #expect(!reason.contains("Fake-1"))
    #expect(!reason.contains("sealed"))
  }

  @Test("ends sign-out and device code visits on the final page")
  func finished() async throws {
    let out = try await StubSite.visit(redirectURI: nil, purpose: .signOut) { _ in
      .html(StubSite.page(screen: "signedOut", "<p>You signed out</p>"))
    }
    #expect(out.outcome == BrowserOutcome(.finished, screens: ["signedOut"]))
    let device = try await StubSite.visit(
      "https://id.example/device?user_code=ABCD-1234", redirectURI: nil, purpose: .deviceCode
    ) { request in
      request.head.method == .get
        ? .html(StubSite.page(screen: "deviceCode", StubSite.form("<input name=user_code>")))
        : .html("<meta name=authflow-done content=true><p>You may close this window</p>")
    }
    #expect(device.sent == "user_code=ABCD-1234")
    #expect(device.outcome == BrowserOutcome(.finished, screens: ["deviceCode"]))
  }

  @Test("reports that a page requires scripts")
  func scripts() async throws {
    let visited = try await StubSite.visit { _ in .html("<div id=root></div><script src=/app.js></script>") }
    #expect(visited.reason?.contains("JavaScript") == true)
  }
}
