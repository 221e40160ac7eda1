import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import OrderedCollections
import Testing

@Suite("Reset")
struct ResetTests {
  private static let root = "https://login.microsoftonline.com/_authflow/"

  private static func reset(_ stage: Stage) async throws {
    #expect(try await stage.send(.post, root + "reset").head.status.code == 200)
  }

  /// A directory with an app to which users have consented.
  private static var withApp: EmulatedDirectory {
    var directory = EmulatedDirectory.contoso
    var app = RegisteredApp(
      appId: "5ec0ad00-0000-4000-8000-000000000002", publicRedirectUris: ["http://localhost"])
    app.consent = ["megan@contoso.com": ["User.Read"]]
    app.adminConsent = ["Mail.Read"]
    directory.apps.append(app)
    return directory
  }

  @Test(
    "a revocation also revokes tokens from before a reset or restart", arguments: [true, false])
  func generations(isSame: Bool) async throws {
    let stage = Stage()
    let revocation: JSON = [["sessionsRevoked": "megan@contoso.com"]]
    try await stage.simulate(revocation)
    let tokens = try await stage.signIn()
    #expect(try await stage.refresh(tokens).status == 200)
    let next = isSame ? stage : Stage(seed: 2)
    if !isSame { next.clock.advance(by: .seconds(60)) }
    try await Self.reset(next)
    _ = try await next.signIn()
    #expect(try await next.refresh(tokens).status == 200, "a reset revokes nothing")
    try await next.simulate(revocation)
    #expect(try await next.refresh(tokens).json["error_codes"] == [50173])
    #expect(try await next.refresh(try await next.signIn()).status == 200)
  }

  @Test("resetting repeatedly does not add the directory's apps to the snapshot")
  func directoryApps() async throws {
    let stage = Stage(directory: Self.withApp, servesEveryHost: true)
    func registrations() -> [JSON?] { stage.emulator.snapshot()["registrations"]?.array?.map { $0["appId"] } ?? [] }
    #expect(registrations() == [.string(Stage.clientID)])
    try await stage.simulate([["appDisabled": ["client": .string("5ec0ad00-0000-4000-8000-000000000002")]]])
    let consents = stage.emulator.snapshot()["consents"]
    for _ in 0..<3 { try await Self.reset(stage) }
    #expect(registrations() == [.string(Stage.clientID)])
    #expect(stage.emulator.snapshot()["consents"] == consents)
    #expect(stage.emulator.snapshot()["disabledApps"] == nil)
  }

  @Test("a reset enables an app that an event disabled", arguments: [nil, false, true] as [Bool?])
  func disabled(isRegistered: Bool?) async throws {
    let stage = Stage(directory: Self.withApp)
    let id =
      switch isRegistered {
      case nil: "5ec0ad00-0000-4000-8000-000000000002"
      case false?: "5ec0ad00-0000-4000-8000-000000000003"
      case true?: Stage.clientID
      }
    func device() async throws -> JSON {
      try await stage.token(["client_id": id, "grant_type": "refresh_token", "refresh_token": "x", "scope": "openid"])
        .json["error_codes"] ?? .null
    }
    let before = try await device()
    try await stage.simulate([["appDisabled": ["client": .string(id)]]])
    #expect(try await device() == [7_000_112])
    try await Self.reset(stage)
    #expect(try await device() == before)
  }

  @Test("a snapshot preserves a disabled app until the reset")
  func disabledApp() async throws {
    let stage = Stage(servesEveryHost: true)
    let id = "5ec0ad00-0000-4000-8000-000000000004"
    try await stage.simulate([["appDisabled": ["client": .string(id)]]])
    let again = Stage(snapshot: stage.emulator.snapshot(), servesEveryHost: true)
    let form: Parameters = ["client_id": id, "grant_type": "refresh_token", "refresh_token": "x", "scope": "openid"]
    #expect(try await again.token(form).json["error_codes"] == [7_000_112])
    try await Self.reset(again)
    #expect(try await again.token(form).json["error_codes"] != [7_000_112])
  }

  @Test("a snapshot does not contain user flows from the directory")
  func userFlows() async throws {
    let stage = Stage(servesEveryHost: true)
    #expect(stage.emulator.snapshot()["userFlows"] == nil)
    var snapshot = stage.emulator.snapshot()
    let id = try #require(EmulatedDirectory.contoso.completed().tenants.first { !$0.userFlows.isEmpty }?.id)
    let added: JSON = .object([id: ["B2C_1_added"]])
    snapshot["userFlows"] = added
    #expect(Stage(snapshot: snapshot, servesEveryHost: true).emulator.snapshot()["userFlows"] == added)
  }
}

@Suite("Front-channel sign-out")
struct FrontChannelTests {
  @Test("apps are notified of every ended session")
  func sessions() async throws {
    let stage = Stage(app: { $0.logoutUrl = "https://app.example/out" })
    let walker = PageWalker(stage)
    var ids: Set<String> = []
    for name in ["megan@contoso.com", "alex@contoso.com"] {
      let tokens = try await stage.signIn(name, browser: walker, changing: ["prompt": "select_account"])
      let claims = try UnverifiedJWT(parsing: try #require(tokens["id_token"]?.string)).claims
      ids.insert(try #require(claims["sid"]?.string))
    }
    let picker = try #require(
      try await walker.get("https://login.microsoftonline.com/common/oauth2/v2.0/logout").page)
    let page = try #require(try await walker.send(picker, ["account": "all"]).page)
    let frames = page.html.between("<iframe src=\"", "\"").map(PageWalker.Page.unescape)
    #expect(frames.count == 2)
    #expect(Set(frames.compactMap { URLReference($0).parameters["sid"] }) == ids)
  }
}
