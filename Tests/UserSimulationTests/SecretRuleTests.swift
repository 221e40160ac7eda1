import Effects
import HTTPTypes
import UserSimulation
import RunTrace
import SimulatedWorld
import Testing

@Suite("Secret rule")
struct SecretRuleTests {
  private static let seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
  /// A page for each type of secret. Tests replace `FORM` with the form's attributes.
  private static let pages = [
    "<form FORM><input name=login><input type=password name=p><button>Sign in</button></form>",
    "<form FORM><input name=otc autocomplete=one-time-code><button>Verify</button></form>",
    "<form FORM><input type=password name=p autocomplete=one-time-code><button>Verify</button></form>",
    "<form FORM><input type=password name=old><input type=password name=new><button>Change</button></form>",
    signUp("<input type=password name=p>"), signUp("<input name=password>"),
  ]

  private static func signUp(_ password: String) -> String {
    StubSite.page(screen: "signUp", "<form FORM><input name=login>\(password)<button>Join</button></form>")
  }

  private static let user = StubSite.megan {
    $0.secondFactor = .oneTimeCode(seed: .init(seed, kind: .oneTimeCode))
    $0.newPassword = .init("Fake-2", kind: .password)
    $0.signsUp = ["password": "Fake-3"]
  }

  private func visit(_ page: String, _ form: String, at url: String) async throws -> Visited {
    let html = page.replacing("FORM", with: form)
    return try await StubSite.visit(url, as: Self.user) { request in
      request.url == url && request.head.method == .get ? .html(html) : .redirect(to: StubSite.home)
    }
  }

  @Test("submits secrets by POST over https, and to this machine", arguments: pages)
  func allowed(page: String) async throws {
    for url in [
      "https://id.example/start", "http://localhost:8400/start", "http://a.localhost/start", "http://127.0.0.2/start",
      "http://[::1]:8400/start",
    ] {
      let visited = try await visit(page, "method=post action=/next", at: url)
      #expect(visited.redirect == StubSite.home, "\(url) \(visited.outcome)")
      #expect(visited.requests.count == 2)
    }
  }

  @Test("does not enter a secret on a page without https", arguments: pages)
  func clearPage(page: String) async throws {
    for url in ["http://id.example/start", "http://localhost.example/start", "http://127.0.0.1.example/start"] {
      let visited = try await visit(page, "method=post action=https://id.example/next", at: url)
      #expect(visited.requests.count == 1)
      #expect(visited.reason?.hasPrefix("the page \(url) is not https, so the simulated user does not enter") == true)
    }
  }

  @Test(
    "does not submit a secret to a URL that does not use https",
    arguments: ["http://id.example/next", "http://localhost@id.example/next", "//id.example/next"])
  func clearAction(action: String) async throws {
    for page in Self.pages {
      // A reference without a scheme uses the scheme of the page. Here, the page uses http, but the reference's host is
      // not this machine.
      let url = action.hasPrefix("//") ? "http://localhost/start" : "https://id.example/start"
      let visited = try await visit(page, "method=post action='\(action)'", at: url)
      #expect(visited.requests.count == 1)
      #expect(visited.reason?.contains("which is not https, so the simulated user does not") == true)
    }
  }

  @Test("does not submit a secret if a button's action or the `base` does not use https")
  func clearButton() async throws {
    let password = "<input type=password name=p>"
    for page in [
      StubSite.form("\(password)<button formaction='http://id.example/next'>Sign in</button>"),
      "<base href='http://id.example/'><form method=post action=next>\(password)</form>",
    ] {
      let visited = try await StubSite.visit(page: page, as: Self.user)
      #expect(visited.requests.count == 1)
      #expect(visited.reason?.contains("submits to http://id.example/next, which is not https") == true)
    }
  }

  @Test("does not submit a secret by GET", arguments: pages)
  func get(page: String) async throws {
    for form in ["action=/next", "method=get action=/next", "method=dialogue action=/next"] {
      let visited = try await visit(page, form, at: StubSite.start)
      #expect(visited.requests.count == 1)
      #expect(visited.reason?.hasPrefix("the form at https://id.example/start uses GET, so the simulated user") == true)
    }
    let button = page.replacing("<button>", with: "<button formmethod=get>")
    #expect(try await visit(button, "method=post action=/next", at: StubSite.start).requests.count == 1)
  }

  @Test("does not follow a redirect from https to http", arguments: [301, 302, 303, 307, 308])
  func downgrade(status: Int) async throws {
    let visited = try await StubSite.visit(as: Self.user) { request in
      switch request.url {
      case StubSite.start: .html(StubSite.form("<input type=password name=p>"))
      case "https://id.example/next": .redirect(to: "http://id.example/login?x=1", status: .init(code: status))
      default: .redirect(to: StubSite.home)
      }
    }
    #expect(visited.urls == [StubSite.start, "https://id.example/next"])
    #expect(
      visited.reason
        == "https://id.example/next navigates to http://id.example/login, which is not https; use an https or loopback URL"
    )
  }

  @Test(
    "does not follow a link, a refresh, or a form from https to http",
    arguments: [
      "<a href='http://id.example/login'>Continue</a>",
      "<meta http-equiv=refresh content='0;url=http://id.example/login'>",
      "<form method=post action='http://id.example/login'><input name=login></form>",
      """
      <body onload='document.forms[0].submit()'><form method=post action='http://id.example/login'>
      <input type=hidden name=code value=1></form>
      """,
    ])
  func downgradeByPage(page: String) async throws {
    let visited = try await StubSite.visit(page: page)
    #expect(visited.requests.count == 1)
    #expect(visited.reason?.contains("navigates to http://id.example/login, which is not https") == true)
  }

  @Test("follows redirects to this machine, and types a user code on any page")
  func exceptions() async throws {
    let local = try await StubSite.visit { request in
      request.url == StubSite.start ? .redirect(to: "http://127.0.0.1:1/x") : .redirect(to: StubSite.home)
    }
    #expect(local.redirect == StubSite.home)
    let device = try await StubSite.visit(
      "https://id.example/device?user_code=A-1", redirectURI: nil, purpose: .deviceCode
    ) { request in
      request.head.path?.hasPrefix("/next") == true
        ? .html("<p>Done</p>") : .html("<form action=/next><input name=user_code><button>Next</button></form>")
    }
    #expect(device.urls.last == "https://id.example/next?user_code=A-1")
  }

  @Test("rejects a redirect with a duplicate parameter", arguments: ["state", "code", "iss"])
  func repeated(name: String) async throws {
    let query = "code=c&state=s&iss=i"
    let good = try await StubSite.visit { _ in .redirect(to: "\(StubSite.home)?\(query)") }
    #expect(good.redirect == "\(StubSite.home)?\(query)")
    let failure = TransportFailure.badResponse("the redirect contains `\(name)` more than once (RFC 6749 §3.1)")
    for location in ["?\(query)&\(name)=x", "#\(query)&\(name)=x"] {
      let visited = try await StubSite.visit { _ in .redirect(to: StubSite.home + location) }
      #expect(visited.outcome.result == .failed(failure))
    }
    // Both the action and the form contain the parameter.
    let page = """
      <body onload="document.forms[0].submit()"><form method=post action="\(StubSite.home)?\(name)=x">
      <input type=hidden name=\(name) value=y><input type=hidden name=state2 value=z></form></body>
      """
    #expect(try await StubSite.visit(page: page).outcome.result == .failed(failure))
  }
}
