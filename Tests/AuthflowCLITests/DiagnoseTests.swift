import AuthflowCLI
import Diagnosis
import Documents
import SimulatedWorld
import TestSupport
import Testing

@Suite struct DiagnoseTests {
  private static let revoked = "invalid_grant: AADSTS50173: The provided grant has expired due to it being revoked."

  @Test func `prints the cause, the line, and the fix`() async throws {
    let session = try TerminalSession(files: ["app.log": "start\n\(Self.revoked)\n"])
    let result = try await session.run("diagnose", "app.log")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.hasPrefix("session or grant revoked (grant-revoked"))
    #expect(result.output.contains("app.log:2:"))
    #expect(result.output.contains("^^^"))
    #expect(result.output.contains("acquire a token interactively"))
  }

  @Test func `the exit status distinguishes determined causes, undetermined causes, and invalid input`() async throws {
    let session = try TerminalSession(
      files: ["a.log": Self.revoked, "b.log": "MSAL error: unknown problem", "c.log": "all is well", "d.log": ""])
    #expect(try await session.run("diagnose", "a.log").status == .success)
    let undetermined = try await session.run("diagnose", "b.log")
    #expect(undetermined.status == .failed)
    #expect(undetermined.output.contains("Needed:"))
    #expect(try await session.run("diagnose", "c.log").status == .usageError)
    let empty = try await session.run("diagnose", "d.log")
    #expect(empty.status == .usageError)
    #expect(empty.error.contains("d.log is empty"))
    #expect(try await session.run("diagnose", "missing.log").status == .usageError)
    #expect(try await session.run("diagnose").status == .usageError)
  }

  @Test func `prints one JSON object`() async throws {
    let session = try TerminalSession(files: ["app.log": Self.revoked])
    let result = try await session.run("diagnose", "app.log", "--format", "json")
    let json = try JSON(parsing: result.output)
    #expect(json["determined"]?.bool == true)
    #expect(json["cause"]?.string == "grant-revoked")
    #expect((json["confidence"]?.number ?? 0) > 0.9)
    #expect(json["candidates"]?.array?.first?["cause"]?.string == "grant-revoked")
    #expect(json["evidence"]?.array?.first?["line"]?.integer == 1)
    #expect(json["codes"]?.array?.contains { $0.string == "AADSTS50173" } == true)
    #expect(json["failures"]?.array?.count == 1)
    #expect(json["findings"]?.array?.isEmpty == true)
    #expect(json["scenario"]?.string?.contains("sessionsRevoked") == true)
  }

  @Test func `masks secrets and personal data in all formats`() async throws {
    let text = "user ella.fake@contoso.example refresh_token=0.fake-refresh-token-value \(Self.revoked)"
    let session = try TerminalSession(files: ["app.log": text])
    for format in ["text", "markdown", "json"] {
      let result = try await session.run("diagnose", "app.log", "--format", format)
      #expect(!result.output.contains("ella.fake") && !result.output.contains("fake-refresh"), "\(format)")
    }
  }

  @Test func `writes the workflow and protects other files`() async throws {
    let session = try TerminalSession(files: ["app.log": Self.revoked, "notes.txt": "my notes"])
    let written = try await session.run("diagnose", "app.log", "--write", "repro.yaml")
    #expect(written.status == .success, "\(written.error)")
    #expect(try await session.run("test", "repro.yaml").status == .success)
    let refused = try await session.run("diagnose", "app.log", "--write", "notes.txt")
    #expect(refused.status == .usageError)
    #expect(refused.error.contains("exists and is not a workflow"))
  }

  private static func archive(_ url: String, body: String = "", headers: String = "") -> String {
    """
    {"log": {"version": "1.2", "entries": [{"request": {"method": "GET", "url": "\(url)", "headers": [\(headers)],
    "postData": {"text": "\(body)"}}}]}}
    """
  }

  private static let login = "https://login.microsoftonline.com/common/oauth2/v2.0"

  @Test(arguments: [
    ("\(login)/authorize?client_id=x&response_type=code&state=1", "", "traffic-pkce-missing"),
    ("\(login)/authorize?client_id=x&response_type=code&code_challenge=c", "", "traffic-state-missing"),
    ("\(login)/authorize?client_id=x&response_type=id_token&state=1", "", "traffic-nonce-missing"),
    ("\(login)/authorize?client_id=x&response_type=token&state=1", "", "traffic-implicit-flow"),
    ("\(login)/token", "grant_type=password&client_id=x", "traffic-password-grant"),
    ("\(login)/token", "grant_type=authorization_code&client_id=x&code=1", "traffic-pkce-missing"),
    ("https://api.contoso.example/?access_token=x", "", "traffic-secret-in-url"),
    ("https://api.contoso.example/", "refresh_token=x", "traffic-refresh-token-host"),
    ("https://graph.windows.net/contoso.com/users", "", "traffic-retired-endpoint"),
    (
      "\(login)/authorize?client_id=11111111-2222-3333-4444-555555555555&state=1&response_type=code&code_challenge=c",
      "",
      "traffic-client-id"
    ),
  ]) func `finds differences between traffic and project`(url: String, body: String, rule: String) async throws {
    let session = try TerminalSession(
      files: ["traffic.har": Self.archive(url, body: body), "app/AuthSettings.yaml": TerminalSession.plainSettings])
    let result = try await session.run("diagnose", "traffic.har", "--project", "app", "--format", "json")
    let rules = try JSON(parsing: result.output)["findings"]?.array?.compactMap { $0["rule"]?.string } ?? []
    #expect(rules.contains(rule), "\(rules) \(result.error)")
    let sarif = try await session.run("diagnose", "traffic.har", "--project", "app", "--format", "sarif")
    #expect(sarif.output.contains(rule))
  }

  @Test(
    arguments: [
      ("scope=User.Read", "traffic-workflow-scope"),
      ("scope=Mail.Read%20Contacts.Read", "traffic-scope-without-workflow"),
      ("scope=Mail.Read", "traffic-workflow-prompt"),
      ("scope=Mail.Read&prompt=select_account", "traffic-prompt-without-workflow"),
      ("scope=Mail.Read&prompt=login", nil),
    ] as [(String, String?)])
  func `finds differences between traffic and workflows`(query: String, rule: String?) async throws {
    let url = "\(Self.login)/authorize?client_id=6731de76-14a6-49ae-97bc-6eba6914391e&response_type=code&state=1"
    let workflow = """
      authflow: 1
      settings: { AppId: 6731de76-14a6-49ae-97bc-6eba6914391e, BundleId: com.contoso.app, GraphScopes: [Contacts.Read] }
      steps:
        - interactive: { scopes: [Mail.Read], prompt: login }
      """
    let session = try TerminalSession(
      files: ["traffic.har": Self.archive("\(url)&code_challenge=c&\(query)"), "app/flow.yaml": workflow])
    let result = try await session.run("diagnose", "traffic.har", "--project", "app", "--format", "json")
    let findings = try JSON(parsing: result.output)["findings"]?.array ?? []
    let rules = findings.compactMap { $0["rule"]?.string }.filter {
      $0.hasPrefix("traffic-workflow") || $0.hasSuffix("-workflow")
    }
    #expect(rule.map(rules.contains) ?? rules.isEmpty, "\(rules) \(result.error)")
  }

  @Test func `the fix contains the file and line in the project`() async throws {
    let manifest = """
      {"id": "11111111-2222-4333-8444-555555555555", "appId": "6731de76-14a6-49ae-97bc-6eba6914391e",
       "displayName": "Notes", "signInAudience": "AzureADMyOrg",
       "publicClient": {"redirectUris": ["msauth.com.contoso.other://auth"]}}
      """
    let settings = "AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\nRedirectUri: msauth.com.contoso.app://auth\n"
    let session = try TerminalSession(files: [
      "app.log": "AADSTS50011: The redirect URI specified in the request does not match the redirect URIs configured",
      "app/AuthSettings.yaml": settings, "app/manifest.json": manifest,
    ])
    let result = try await session.run("diagnose", "app.log", "--project", "app")
    #expect(result.output.contains("In your project:"), "\(result.output)\(result.error)")
    #expect(result.output.contains("app/AuthSettings.yaml:2:14: redirect URI `msauth.com.contoso.app://auth`"))
    #expect(result.output.contains("app/manifest.json:3:36: registered redirect URI `msauth.com.contoso.other://auth`"))
    let json = try JSON(
      parsing: try await session.run("diagnose", "app.log", "--project", "app", "--format", "json").output)
    #expect(json["places"]?.array?.contains { $0["line"]?.integer == 2 } == true)
    let markdown = try await session.run("diagnose", "app.log", "--project", "app", "--format", "markdown")
    #expect(markdown.output.contains("- app/AuthSettings.yaml:2:14: "))
  }

  @Test func `the fix contains the missing Info.plist key`() async throws {
    let plist = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
      <dict>
        <key>CFBundleIdentifier</key><string>com.contoso.app</string>
        <key>LSRequiresIPhoneOS</key><true/>
      </dict>
      </plist>
      """
    let session = try TerminalSession(files: [
      "app.log": "The required query scheme \"msauthv2\" is not registered in the app's info.plist file.",
      "app/Info.plist": plist,
    ])
    let result = try await session.run("diagnose", "app.log", "--project", "app")
    #expect(
      result.output.contains("app/Info.plist:3:1: `LSApplicationQueriesSchemes` is missing"),
      "\(result.output)\(result.error)")
  }

  @Test func `SARIF requires a project`() async throws {
    let session = try TerminalSession(files: ["app.log": Self.revoked])
    #expect(try await session.run("diagnose", "app.log", "--format", "sarif").status == .usageError)
  }
}
