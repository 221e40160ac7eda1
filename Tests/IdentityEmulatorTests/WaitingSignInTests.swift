import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

/// Tests sign-ins that a control request completes while the page is open.
@Suite("Waiting sign-ins")
struct WaitingSignInTests {
  private static let host = "localhost:8400"

  private static func authorize(_ changes: Parameters = [:]) -> String {
    Stage.authorizeURL(host: host, changing: changes).replacing("https://", with: "http://")
  }

  private static func list(_ stage: Stage) async throws -> [JSON] {
    try #require(try await StartPageTests.control(stage, .get, "sign-ins").json["signIns"]?.array)
  }

  private static func resolve(_ stage: Stage, _ path: String, _ body: JSON? = nil) async throws -> Int {
    try await StartPageTests.control(stage, .post, "sign-ins/\(path)", body: body).status
  }

  @Test("approval grants all consents and signs in the user in the browser that shows the page")
  func approve() async throws {
    let stage = Stage(servesEveryHost: true)
    let walker = PageWalker(stage)
    let page = try #require(try await walker.get(Self.authorize()).page)
    let signIn = try #require(try await Self.list(stage).first)
    #expect(signIn["client"]?.string == Stage.clientID)
    #expect(signIn["page"]?.string == "username" && signIn["outcome"]?.string == "waiting")
    let id = try #require(signIn["id"]?.string)
    #expect(page.html.between("name=\"signin\" value=\"", "\"") == [id])
    #expect(try await Self.resolve(stage, "\(id)/approve", ["user": "mona@contoso.com"]) == 200)
    let polled = try await StartPageTests.control(
      stage, .get, "sign-ins/\(id)", headers: [StartPageTests.fetchSite: "same-origin"])
    #expect(polled.json["outcome"]?.string == "approved")

    let thief = PageWalker(stage)
    #expect(try await thief.send(page, ["resume": "true"]).page?.meta("authflow-code") == "AADSTS50089")
    let end = try await walker.send(page, ["resume": "true"])
    let code = try #require(end.parameters["code"], "\(end)")
    let tokens = try await stage.redeem(code)
    #expect(tokens.status == 200, "\(tokens.json)")
    let idToken = try UnverifiedJWT(parsing: try #require(tokens.json["id_token"]?.string))
    #expect(idToken.claims["preferred_username"]?.string == "mona@contoso.com")
    #expect(try await Self.list(stage).isEmpty)
  }

  @Test("submitting the page without a decision shows the username page again")
  func undecided() async throws {
    let stage = Stage(servesEveryHost: true)
    let walker = PageWalker(stage)
    let page = try #require(try await walker.get(Self.authorize()).page)
    let again = try await walker.send(page, ["resume": "true"])
    #expect(again.page?.meta("authflow-screen") == "username")
  }

  @Test("approval does not bypass administrator approval, a password change, or a sign-in error")
  func limits() async throws {
    let stage = Stage(servesEveryHost: true)
    for (user, scope, expected) in [
      ("megan@contoso.com", "openid User.ReadWrite.All", "adminApproval"),
      ("paul@contoso.com", "openid", "changePassword"),
      ("dora@contoso.com", "openid", "error"),
    ] {
      let walker = PageWalker(stage)
      let page = try #require(try await walker.get(Self.authorize(["scope": scope])).page)
      let id = try #require(page.html.between("name=\"signin\" value=\"", "\"").first)
      #expect(try await Self.resolve(stage, "\(id)/approve", ["user": .string(user)]) == 200)
      let next = try await walker.send(page, ["resume": "true"])
      #expect(next.page?.meta("authflow-screen") == expected, "\(user)")
    }
  }

  @Test("declining sends the app an error")
  func decline() async throws {
    let stage = Stage(servesEveryHost: true)
    let walker = PageWalker(stage)
    let page = try #require(try await walker.get(Self.authorize()).page)
    let id = try #require(try await Self.list(stage).first?["id"]?.string)
    #expect(try await Self.resolve(stage, "\(id)/decline") == 200)
    #expect(try await walker.send(page, ["resume": "true"]).parameters["error"] == "access_denied")
    #expect(try await Self.list(stage).isEmpty)
  }

  @Test("rejects unknown sign-ins, users, and actions")
  func invalid() async throws {
    let stage = Stage(servesEveryHost: true)
    _ = try await PageWalker(stage).get(Self.authorize())
    let id = try #require(try await Self.list(stage).first?["id"]?.string)
    #expect(try await Self.resolve(stage, "\(id)/approve", ["user": "nobody@contoso.com"]) == 400)
    #expect(try await Self.resolve(stage, "\(id)/approve", ["name": "megan@contoso.com"]) == 400)
    #expect(try await Self.resolve(stage, "\(id)/expire") == 400)
    #expect(try await Self.resolve(stage, "unknown/approve") == 404)
    #expect(try await StartPageTests.control(stage, .get, "sign-ins/unknown").status == 404)
  }

  @Test("keeps the newest 100 sign-ins for one hour")
  func bounds() async throws {
    let stage = Stage(servesEveryHost: true)
    for number in 0..<101 { _ = try await PageWalker(stage).get(Self.authorize(["state": "\(number)"])) }
    #expect(try await Self.list(stage).count == 100)
    try await stage.simulate([["wait": "2h"]])
    #expect(try await Self.list(stage).isEmpty)
  }

  @Test("pages of an in-process emulator have no script")
  func inProcess() async throws {
    let page = try #require(try await PageWalker(Stage()).get(Stage.authorizeURL()).page)
    #expect(!page.html.contains("<script"))
  }
}
