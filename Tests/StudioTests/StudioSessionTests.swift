import Documents
import Effects
import HTTPTypes
import Testing

@Suite struct StudioSessionTests {
  private static let unsavedScenario: JSON = ["path": "me.yaml", "given": []]

  private func start(_ studio: StudioHarness, _ more: JSON = [:]) async throws -> JSON {
    var body = Self.unsavedScenario
    more.forEachMember { body[$0] = $1 }
    return try await studio.post("/api/session/start", body).json
  }

  private func command(_ studio: StudioHarness, _ name: String) async throws -> JSON {
    try await studio.post("/api/session/command", ["command": .string(name)]).json
  }

  @Test("suspends the run before each step and steps back")
  func steps() async throws {
    let studio = try await StudioHarness()
    #expect(try await studio.get("/api/session") == ["status": "idle"])
    var view = try await start(studio)
    #expect(view["status"] == "stopped", "\(view.text())")
    #expect(view["step"] == "loadAccount")
    #expect(view["file"] == "me.yaml")
    #expect(view["machine"]?.string?.contains("data-step=\"loadAccount\"") == true)
    view = try await command(studio, "next")
    #expect(view["path"] == ["loadAccount.notFound"])
    #expect(view["step"] == "interactive-fallback")
    view = try await command(studio, "stepBack")
    #expect(view["step"] == "loadAccount")
    view = try await command(studio, "continue")
    #expect(view["status"] == "ended")
    #expect(view["passed"] == true, "\(view.text())")
    #expect(view["outcome"] == "success")
    let report = try #require(view["report"]?.string)
    #expect(try await studio.send(report).head.status == .ok)
    #expect(try await studio.post("/api/session/command", ["command": "next"]).status == 400)
  }

  @Test("renders the report only once for each state of the run")
  func rendersOnce() async throws {
    let studio = try await StudioHarness()
    let first = try await start(studio)
    let report = try #require(first["report"]?.string)
    let again = try await studio.get("/api/session")
    #expect(again["report"]?.string == report)
    #expect(again["machine"] == first["machine"])
    let next = try await command(studio, "next")
    #expect(next["report"]?.string != report)
    let ended = try await command(studio, "continue")
    #expect(try await studio.get("/api/session")["report"] == ended["report"])
    #expect(ended["report"]?.string != next["report"]?.string)
    // After a step back, the run has the same number of events as before but a different report.
    _ = try await start(studio)
    _ = try await command(studio, "next")
    let back = try await command(studio, "stepBack")
    #expect(back["step"] == "loadAccount")
    #expect(back["report"]?.string != report)
  }

  @Test("stops at breakpoints and masks secrets in values")
  func stopsAtBreakpoints() async throws {
    let studio = try await StudioHarness()
    let view = try await start(studio, ["stopOnEntry": false, "breakpoints": ["callGraph"]])
    #expect(view["step"] == "callGraph", "\(view.text())")
    #expect(view["reason"] == "function breakpoint")
    let names = view["scopes"]?.array?.compactMap { $0["name"]?.string } ?? []
    #expect(["Account", "Token claims", "Token cache", "Clock", "Emulator"].allSatisfy(names.contains))
    #expect(view["scopes"]?.text().contains("megan@contoso.com") == true)
    // These strings are the start of token headers. An account's client info is not a secret.
    #expect(!view.text().contains("eyJ0eXAi") && !view.text().contains("eyJhbGci"))
    let value = try await studio.post("/api/session/value", ["expression": "loadAccount.outcome"])
    #expect(value.json == ["value": "notFound"])
    let wrong = try await studio.post("/api/session/value", ["expression": "loadAcount.outcome"])
    #expect(wrong.status == 400)
    #expect(try await command(studio, "continue")["status"] == "ended")
  }

  @Test("simulates events during the run, and `before` in a scenario simulates the same events")
  func simulates() async throws {
    let studio = try await StudioHarness()
    _ = try await start(studio, ["given": [["signedIn": "megan@contoso.com"]]])
    _ = try await command(studio, "next")
    var view = try await studio.post("/api/session/simulate", ["event": "offline"]).json
    #expect(view["simulated"] == [["step": "silent", "event": "offline"]], "\(view.text())")
    let wrong = try await studio.post("/api/session/simulate", ["event": "offlin"])
    #expect(wrong.status == 400)
    #expect(wrong.json["error"]?.string?.contains("offline") == true)
    view = try await command(studio, "continue")
    let path = try #require(view["path"]?.array)
    let saved = try await studio.post(
      "/api/try",
      ["path": "me.yaml", "given": [["signedIn": "megan@contoso.com"]], "before": ["silent": ["offline"]]])
    #expect(saved.json["path"]?.array == path, "\(saved.json.text())")
    // After a step back, the event has not occurred yet.
    _ = try await start(studio, ["given": [["signedIn": "megan@contoso.com"]]])
    _ = try await command(studio, "next")
    _ = try await studio.post("/api/session/simulate", ["event": "offline"])
    _ = try await command(studio, "stepBack")
    #expect(try await command(studio, "continue")["outcome"] == "success")
  }

  @Test("lets the user complete the sign-in pages")
  func userSignsIn() async throws {
    let studio = try await StudioHarness()
    var view = try await start(studio, ["stopOnEntry": false, "signIn": true])
    #expect(view["status"] == "page", "\(view.text())")
    var pages = 0
    while view["status"] == "page", pages < 10 {
      pages += 1
      let number = try #require(view["page"]?["number"]?.integer)
      let response = try await studio.send("/sign-in/\(number)")
      let html = String(decoding: response.body, as: UTF8.self)
      #expect(response.head.headerFields[.contentSecurityPolicy]?.contains("frame-ancestors 'self'") == true)
      #expect(!html.contains("<script") && !html.contains("type=\"hidden\""))
      let answer = try await studio.send(
        "/sign-in/\(number)", method: .post,
        headers: [.contentType: "application/x-www-form-urlencoded", .origin: StudioHarness.base],
        body: Self.entries(of: html))
      #expect(answer.head.status == .seeOther)
      view = try await studio.get("/api/session")
    }
    #expect(view["status"] == "ended", "\(view.text())")
    #expect(view["outcome"] == "success", "\(view.text())")
    #expect(pages >= 2)
    #expect(view["scopes"] == nil)
  }

  /// Returns the form data that a browser sends after a user fills in a page.
  private static func entries(of html: String) -> String {
    var entries: [String] = []
    for part in html.split(separator: "<").dropFirst() where part.hasPrefix("input ") {
      guard let name = part.firstMatch(of: /name="(c\d+)"/)?.1 else { continue }
      if part.contains("type=\"checkbox\""), part.contains(" checked") {
        entries.append("\(name)=on")
      } else if part.contains("type=\"password\"") {
        entries.append("\(name)=Fake-Megan-1")
      } else if part.contains("type=\"text\"") || part.contains("type=\"email\"") {
        entries.append("\(name)=megan%40contoso.com")
      }
    }
    for part in html.split(separator: "<") where part.hasPrefix("button ") {
      if let name = part.firstMatch(of: /name="(c\d+)"/)?.1 {
        entries.append("\(name)=")
        break
      }
    }
    return entries.joined(separator: "&")
  }

  @Test("closing a page cancels the sign-in, and an old page has no effect")
  func closesPages() async throws {
    let studio = try await StudioHarness()
    let view = try await start(studio, ["stopOnEntry": false, "signIn": true])
    let number = try #require(view["page"]?["number"]?.integer)
    let closed = try await studio.post("/api/session/close-page", [:]).json
    #expect(closed["path"]?.array?.last == "interactive-fallback.userCanceled", "\(closed.text())")
    let late = try await studio.send(
      "/sign-in/\(number)", method: .post,
      headers: [.contentType: "application/x-www-form-urlencoded", .origin: StudioHarness.base], body: "c0=x")
    #expect(late.head.status == .seeOther)
    #expect(try await studio.get("/api/session")["status"] == "ended")
    #expect(try await studio.post("/api/session/close-page", [:]).status == 400)
    let foreign = try await studio.send(
      "/sign-in/\(number)", method: .post, headers: [.origin: "https://evil.example"], body: "c0=x")
    #expect(foreign.head.status == .forbidden)
  }

  @Test("a new run ends the run that is waiting for a page")
  func replacesRun() async throws {
    let studio = try await StudioHarness()
    _ = try await start(studio, ["stopOnEntry": false, "signIn": true])
    let view = try await start(studio, ["stopOnEntry": false])
    #expect(view["status"] == "ended")
    #expect(view["outcome"] == "success")
    #expect(try await command(studio, "end")["status"] == "ended")
  }

  @Test("runs the demonstrations of the lessons and checks solutions")
  func teaches() async throws {
    let studio = try await StudioHarness()
    let lessons = try await studio.get("/api/lessons").array ?? []
    #expect(lessons.count == 11)
    let lesson = try await studio.get("/api/lesson?name=silent")
    let demonstration = try #require(lesson["parts"]?.array?.compactMap { $0["name"] }.first)
    #expect(lesson["machine"]?.string?.contains("<svg") == true)
    let view = try await studio.post(
      "/api/session/start", ["lesson": "silent", "demonstration": demonstration, "stopOnEntry": true]
    ).json
    #expect(view["status"] == "stopped", "\(view.text())")
    #expect(try await command(studio, "continue")["passed"] == true)
    let exercise = try #require(lesson["exercise"]?.string)
    let unsolved = try await studio.post("/api/exercise", ["lesson": "silent", "text": .string(exercise)]).json
    #expect(unsolved["solved"] == false, "\(unsolved.text())")
    #expect(
      try await studio.post("/api/exercise", ["lesson": "silent", "text": "authflow: ["]).json["solved"] == false)
    #expect(try await studio.send("/api/lesson?name=none").head.status == .notFound)
  }

  @Test("diagnoses pasted text")
  func diagnoses() async throws {
    let studio = try await StudioHarness()
    let result = try await studio.post(
      "/api/diagnose",
      ["text": "AADSTS50011: The redirect URI 'msauth.com.example.app://auth' specified in the request does not match"])
    #expect(result.status == 200)
    #expect(result.json["codes"]?.array?.contains("AADSTS50011") == true)
    #expect(try await studio.post("/api/diagnose", ["text": "all is well"]).status == 400)
  }
}
