import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Synchronization
import Testing

@Suite("Unknown scopes")
struct UnknownScopeTests {
  private static func code(_ stage: Stage, _ scope: String) async throws -> Int64? {
    try await stage.post("common/oauth2/v2.0/devicecode", ["scope": scope])["error_codes"]?.array?.first?.integer
  }

  @Test(
    "rejects unknown permissions of Microsoft Graph, even with automatic registration",
    arguments: ["User.Raed", "Foo.Bar", "https://graph.microsoft.com/User.Raed", "Application.ReadWrite.OwnedBy"])
  func unknownPermission(scope: String) async throws {
    #expect(try await Self.code(Stage(), scope) == 70011)
  }

  @Test(
    "accepts published permissions in any letter case",
    arguments: ["User.Read", "user.read", "Sites.Selected", "AuditLogsQuery-Entra.Read.All", "TeamTemplates.Read"])
  func publishedPermission(scope: String) async throws {
    #expect(try await Self.code(Stage(), scope) == nil)
  }

  @Test("accepts a Graph permission that the directory declares")
  func declaredPermission() async throws {
    let text = """
      extends: contoso
      directory: 1
      registersOnTheFly: true
      resources: [{appId: 00000003-0000-0000-c000-000000000000, scopes: [Things.Read]}]
      """
    let document = try #require(DocumentReader.read(Array(text.utf8), named: "directory.yaml").document)
    let directory = try #require(EmulatedDirectory.read(document.root).directory)
    #expect(try await Self.code(Stage(directory: directory), "Things.Read") == nil)
    #expect(try await Self.code(Stage(directory: directory), "Things.Raed") == 70011)
  }

  @Test("rejects an unknown scope of an API whose scopes the directory lists")
  func declaredAPI() async throws {
    let stage = Stage()
    #expect(try await Self.code(stage, "api://orders.contoso.com/Orders.Raed") == 70011)
    #expect(try await Self.code(stage, "api://new.contoso.com/Any.Thing") == nil)
    #expect(try await Self.code(stage, "api://new.contoso.com/Other.Thing") == nil)
  }

  @Test("suggests the most similar permission for an unknown permission")
  func advice() async throws {
    let permissions = Mutex<[UnknownPermission]>([])
    var options = IdentityPlatformEmulator.Options()
    options.advice = { permission in permissions.withLock { $0.append(permission) } }
    let emulator = IdentityPlatformEmulator(clock: HandClock(), randomness: Stage().randomness, options: options)
    let request = try #require(RequestMessage(url: Stage.authorizeURL(scope: "User.Raed")))
    _ = await emulator.respond(to: request)
    #expect(permissions.withLock { $0.first?.name } == "User.Raed")
    #expect(permissions.withLock { $0.first?.help } == "did you mean `User.Read`?")
  }

  @Test("registers only declared APIs if automatic registration is off by default", arguments: [true, false])
  func declaredOnly(isDeclared: Bool) async throws {
    var options = IdentityPlatformEmulator.Options()
    options.registersByDefault = false
    let emulator = IdentityPlatformEmulator(clock: HandClock(), randomness: Stage().randomness, options: options)
    emulator.register(app: RegisteredApp(appId: Stage.clientID, publicRedirectUris: [Stage.redirect]))
    if isDeclared {
      emulator.declare(
        host: "own.b2clogin.com", tenant: "own.onmicrosoft.com", userFlow: "B2C_1_in",
        scopes: ["api://own/Things.Read", "api://own/Things.Write", "User.Read"])
    }
    func text(at url: String) async throws -> String {
      let response = await emulator.respond(to: try #require(RequestMessage(url: url)))
      return (response.head.headerFields[.location] ?? "") + String(decoding: response.body, as: UTF8.self)
    }
    let declared = try await text(at: Stage.authorizeURL(scope: "api://own/Things.Read api://own/Things.Write"))
    #expect(declared.contains("AADSTS500011") != isDeclared)
    #expect(try await text(at: Stage.authorizeURL(scope: "api://others/Things.Read")).contains("AADSTS500011"))
    let page = try await text(
      at:
        "https://own.b2clogin.com/own.onmicrosoft.com/B2C_1_in/v2.0/.well-known/openid-configuration")
    #expect(page.contains("authorization_endpoint") == isDeclared)
    let unknown = "https://login.microsoftonline.com/unknown.example/v2.0/.well-known/openid-configuration"
    #expect(try await text(at: unknown).contains("90002"))
  }
}
