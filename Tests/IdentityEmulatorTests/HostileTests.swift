import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

@Suite("Hostile input")
struct HostileTests {
  private static let script = "\"><script>alert(1)</script>"

  @Test(
    "request parameters are never rendered as markup",
    arguments: [
      ["login_hint": script], ["client_id": script], ["redirect_uri": "https://x.example/\(script)"],
      ["response_mode": "form_post", "prompt": "none", "state": script],
    ] as [Parameters])
  func injection(changes: Parameters) async throws {
    let step = try await PageWalker(Stage()).get(Stage.authorizeURL(changing: changes))
    let page = try #require(step.page)
    #expect(!page.html.contains("<script>alert"))
    #expect(page.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
  }

  @Test("the username is escaped on the page")
  func username() async throws {
    let walker = PageWalker(Stage())
    let first = try #require(try await walker.get(Stage.authorizeURL()).page)
    let page = try #require(try await walker.send(first, ["loginfmt": Self.script]).page)
    #expect(page.code == "AADSTS50034")
    #expect(!page.html.contains("<script>"))
    #expect(page.html.contains("&lt;script&gt;"))
  }

  @Test(
    "rejects redirect URIs that can run scripts",
    arguments: [
      "javascript:alert(1)", "data:text/html,x", "http://evil.example/", "https://user@evil.example/",
      "http://localhost.evil.example/", "https://login.microsoftonline.com.evil.example/\n",
    ])
  func redirects(uri: String) async throws {
    // The app is unknown, so the emulator registers its redirect URIs on the fly.
    let step = try await PageWalker(Stage()).get(
      Stage.authorizeURL(changing: ["client_id": "0a0a0a0a-1111-4222-8333-444444444444", "redirect_uri": uri]))
    #expect(step.page?.code == "AADSTS50011")
  }

  @Test("rejects forms that come from another browser, are older than an hour, or have a modified state")
  func foreignForms() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    let page = try #require(try await walker.get(Stage.authorizeURL()).page)
    let other = try await PageWalker(stage).send(page, ["loginfmt": "megan@contoso.com"])
    #expect(other.page?.code == "AADSTS50089")
    var changed = page
    changed.html = page.html.replacing("name=\"flow\" value=\"", with: "name=\"flow\" value=\"AAAA")
    #expect(try await walker.send(changed, ["loginfmt": "megan@contoso.com"]).page?.code == "AADSTS50089")
    stage.clock.advance(by: .seconds(3700))
    #expect(try await walker.send(page, ["loginfmt": "megan@contoso.com"]).page?.code == "AADSTS50089")
  }

  @Test(
    "rejects invalid URLs without crashing",
    arguments: [
      "/", "//", "/%00/%ff", "/common", "/common/oauth2/v2.0/token?x=%zz", "/tfp", "/tfp/a.b/c/d/e/f",
      "/../../etc/passwd",
      "/common/oauth2/v2.0/authorize?client_id=%00&scope=%00", "/_authflow", "/_authflow/state/../x",
      "/common/oauth2/v2.0/logout?post_logout_redirect_uri=javascript:x", "/error?code=99999999999999999999",
    ])
  func garbage(path: String) async throws {
    let stage = Stage()
    for method in [HTTPRequest.Method.get, .post, .options, .put, .delete] {
      let request = RequestMessage(
        HTTPRequest(method: method, scheme: "https", authority: "login.microsoftonline.com", path: path),
        body: [0, 255, 38, 61, 37])
      let response = await stage.emulator.respond(to: request)
      #expect(response.head.status.code < 500)
    }
  }

  @Test("rejects large requests without parsing them")
  func large() async throws {
    let stage = Stage()
    let body = [UInt8](repeating: 97, count: 5 << 20)
    let response = try await stage.send(
      .post, "https://login.microsoftonline.com/common/oauth2/v2.0/token",
      headers: [.contentType: FormCoding.mediaType], body: body)
    #expect(response.head.status.code == 413)
    #expect(try JSON(parsing: response.body)["error"] == "invalid_request")
    let url = "https://login.microsoftonline.com/common?" + String(repeating: "a", count: 70_000)
    #expect(try await stage.send(.get, url).head.status.code == 414)
  }

  @Test(
    "rejects tokens that the emulator did not issue",
    arguments: [
      "x", "a.b.c", "EwBgarbage", "eyJhbGciOiJub25lIn0.eyJhdWQiOiJodHRwczovL2dyYXBoLm1pY3Jvc29mdC5jb20ifQ.",
    ])
  func forged(token: String) async throws {
    let response = try await Stage().send(
      .get, "https://graph.microsoft.com/v1.0/me", headers: [.authorization: "Bearer \(token)"])
    #expect(response.head.status.code == 401)
    #expect(response.head.headerFields[.wwwAuthenticate]?.hasPrefix("Bearer ") == true)
  }

  @Test("the control interface rejects requests from web pages, and all requests if it is disabled")
  func control() async throws {
    let stage = Stage()
    let url = "https://login.microsoftonline.com/_authflow/events"
    let page = try await stage.send(
      .post, url, headers: [.contentType: "application/json", .origin: "https://evil.example"], body: Array("[]".utf8))
    #expect(page.head.status.code == 403)
    let plain = try await stage.send(.post, url, headers: [.contentType: "text/plain"], body: Array("[]".utf8))
    #expect(plain.head.status.code == 400)
    let off = IdentityPlatformEmulator(clock: HandClock(), randomness: stage.randomness)
    let request = try #require(RequestMessage(url: "https://login.microsoftonline.com/_authflow/state"))
    #expect(await off.respond(to: request).head.status.code == 403)
  }
}
