import AuthflowCLI
import Effects
import SimulatedWorld
import Testing

/// `authflow init`: what it finds out, what it asks, what it writes, and that all of it works.
@Suite struct InitCommandTests {
  static let id = "4165a581-6134-4585-babc-beea5647754a"
  static let tenant = "7bcd2220-f576-41b0-b47a-de4b6f2ebac1"

  static func text(_ session: TerminalSession, _ path: String) throws -> String {
    String(decoding: try session.files.read(path, limit: 1 << 20), as: UTF8.self)
  }

  static func asking(_ answers: [String], files: [String: String] = [:]) throws -> TerminalSession {
    try TerminalSession(
      files: files.merging(["README.md": "an app"]) { first, _ in first },
      console: BufferedConsole(input: answers, terminals: [.error]))
  }

  // MARK: What is written works

  static let plans: [[String]] = [
    [], ["--format", "yaml"], ["--format", "json"], ["--tenant", tenant], ["--tenant", "contoso.onmicrosoft.com"],
    ["--audience", "AzureADMultipleOrgs"], ["--audience", "AzureADMyOrg", "--tenant", tenant],
    ["--audience", "PersonalMicrosoftAccount"], ["--platform", "macOS"],
    ["--scopes", "User.Read", "Mail.Read"], ["--scopes", "api://6731de76-14a6-49ae-97bc-6eba6914391e/tasks.read"],
    ["--scopes", "Directory.Read.All User.Read"],
  ]

  @Test(arguments: plans) func whatIsWrittenIsValidAndRunsAtOnce(options: [String]) async throws {
    let session = try Self.asking([])
    let base = ["init", "--yes", "--client-id", Self.id, "--bundle-id", "com.contoso.app"]
    let result = try await session.run(base + options)
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("authflow run Workflows/me.yaml"))
    let validated = try await session.run("validate", ".", "--strict")
    #expect(validated.status == .success, "\(validated.error)")
    let ran = try await session.run("run", "Workflows/me.yaml")
    #expect(ran.status == .success, "\(ran.output)\(ran.error)")
    #expect(ran.output.contains("callGraph"))
  }

  @Test(arguments: ["iOS", "macOS"]) func theFragmentMakesAGoodInfoPlistAndEntitlements(platform: String) async throws {
    let session = try Self.asking([])
    _ = try await session.run([
      "init", "--yes", "--client-id", Self.id, "--bundle-id", "com.contoso.app", "--platform", platform,
    ])
    let parts = try Self.text(session, "AuthSettings-Info.plist.fragment").split(separator: "\n\n", maxSplits: 1)
    func plist(_ content: String) -> String {
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n\(content)</dict>\n</plist>\n"
    }
    var identity = "<key>CFBundleIdentifier</key><string>com.contoso.app</string>\n"
    if platform == "macOS" { identity += "<key>LSMinimumSystemVersion</key><string>14.0</string>\n" }
    let app = try TerminalSession(files: [
      "AuthSettings.plist": try Self.text(session, "AuthSettings.plist"),
      "Info.plist": plist(identity + String(parts[0])), "App.entitlements": plist(String(parts[1])),
    ])
    let result = try await app.run("validate", ".", "--strict")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("3 files checked: 0 errors, 0 warnings"))
  }

  // MARK: What the folder says

  @Test func anAppsOwnFilesAnswer() async throws {
    let session = try Self.asking(
      [],
      files: [
        "ios/App/Info.plist": """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
        <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key><array>
        <string>msauth.com.contoso.tasks</string></array></dict></array>
        <key>LSApplicationQueriesSchemes</key><array><string>msauthv2</string><string>msauthv3</string></array>
        </dict></plist>
        """,
        "manifest.json": """
        {"appId": "\(Self.id)", "signInAudience": "AzureADMultipleOrgs", "replyUrlsWithType": [],
         "requiredResourceAccess": [{"resourceAppId": "00000003-0000-0000-c000-000000000000",
           "resourceAccess": [{"id": "e1fe6dd8-ba31-4d61-89e7-88639da4683d", "type": "Scope"}]}]}
        """,
      ])
    let result = try await session.run("init", "--yes", "--format", "yaml")
    #expect(result.status == .success, "\(result.error)")
    let settings = try Self.text(session, "AuthSettings.yaml")
    for words in [Self.id, "com.contoso.tasks", "/organizations", "iOS", "User.Read"] {
      #expect(settings.contains(words), "\(words) in \(settings)")
    }
  }

  @Test func anAndroidConfigurationAnswers() async throws {
    let session = try Self.asking(
      [],
      files: [
        "app/src/main/res/raw/auth_config.json": """
        {"client_id": "\(Self.id)", "redirect_uri": "msauth://com.contoso.tasks/1wIqXSqBj7w%2Bh11ZifsnqwgyKrY%3D",
         "authorities": [{"type": "AAD", "audience": {"type": "AzureADMyOrg", "tenant_id": "\(Self.tenant)"}}]}
        """
      ])
    let result = try await session.run("init", "--yes", "--bundle-id", "com.contoso.tasks", "--format", "yaml")
    #expect(result.status == .success, "\(result.error)")
    let settings = try Self.text(session, "AuthSettings.yaml")
    #expect(settings.contains(Self.id) && settings.contains(Self.tenant))
  }

  // MARK: Questions

  @Test func wrongAnswersAreAskedAgain() async throws {
    let session = try Self.asking([
      "YOUR_APP_ID", "nope", Self.id, "my tenant", "contoso.com", "windows", "macos", "com.contoso.tasks", "openid",
      "User.Raed", "User.Read Mail.Read",
    ])
    let result = try await session.run("init", "--format", "yaml")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.error.contains("placeholder") && result.error.contains("is neither iOS nor macOS"))
    #expect(result.error.contains("did you mean User.Read?"))
    let settings = try Self.text(session, "AuthSettings.yaml")
    for words in [Self.id, "contoso.com", "macOS", "com.contoso.tasks", "Mail.Read"] {
      #expect(settings.contains(words))
    }
  }

  @Test func nothingButReturnIsAnAnswerToo() async throws {
    let session = try Self.asking(["", "", "", "", ""])
    #expect(try await session.run("init").status == .success)
    #expect(try await session.run("run", "Workflows/me.yaml").status == .success)
  }

  @Test(arguments: 0..<5) func whenTheAnswersEndNothingIsWritten(count: Int) async throws {
    let session = try Self.asking(Array(repeating: "", count: count))
    let result = try await session.run("init")
    #expect(result.status == .usageError)
    #expect(result.error.contains("nothing was written"))
    #expect(try session.files.list(TerminalSession.workingDirectory) == ["README.md"])
  }

  @Test func whoIsInterruptedLeavesNothingBehind() async throws {
    let session = try Self.asking(["", "", "", "", ""])
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await session.run("init")
    }
    let result = try await task.value
    #expect(result.status == .interrupted)
    #expect(try session.files.list(TerminalSession.workingDirectory) == ["README.md"])
  }

  @Test func aQuestionFitsOnANarrowTerminal() async throws {
    let result = try await Self.asking(["", "", "", "", ""]).run("init")
    #expect(
      result.error.split(separator: "\n").allSatisfy { line in
        line.split(separator: ": ").allSatisfy { $0.count < 80 }
      })
    #expect(result.error.contains("\n  [6731de76"))
  }

  // MARK: Authorities of other kinds

  static func android(_ type: String, _ authority: String) -> [String: String] {
    [
      "app/src/main/res/raw/auth_config.json": """
      {"client_id": "\(id)", "redirect_uri": "msauth://com.contoso.tasks/AAAAAAAAAAAAAAAAAAAAAAAAAAA%3D",
       "authorities": [{"type": "\(type)", "authority_url": "\(authority)", "default": true}]}
      """
    ]
  }

  @Test(arguments: [
    ("B2C", "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_susi"),
    ("B2C", "https://login.contoso.com/contoso.onmicrosoft.com/B2C_1_susi"),
    ("CIAM", "https://contoso.ciamlogin.com/contoso.onmicrosoft.com"),
    ("AAD", "https://login.microsoftonline.us/organizations"),
  ])
  func anAuthorityOfTheAppsIsKept(type: String, authority: String) async throws {
    let session = try Self.asking([], files: Self.android(type, authority))
    let result = try await session.run("init", "--yes", "--bundle-id", "com.contoso.tasks", "--format", "yaml")
    #expect(result.status == .success, "\(result.error)")
    #expect(try Self.text(session, "AuthSettings.yaml").contains("Authority: \(authority)"))
    #expect(try await session.run("validate", "AuthSettings.yaml", "Workflows/me.yaml", "--strict").status == .success)
    guard !authority.contains("login.contoso.com") else {
      #expect(result.error.contains("does not answer for login.contoso.com"))
      return
    }
    let ran = try await session.run("run", "Workflows/me.yaml")
    #expect(ran.status == .success, "\(ran.output)\(ran.error)")
  }

  @Test(arguments: [("ADFS", "https://adfs.contoso.com/adfs"), ("AAD", "https://login.microsoftonline.de/common")])
  func anAuthorityThatCannotBeUsedIsNotReplacedInSilence(type: String, authority: String) async throws {
    let session = try Self.asking([], files: Self.android(type, authority))
    let arguments = ["init", "--yes", "--bundle-id", "com.contoso.tasks"]
    let refused = try await session.run(arguments)
    #expect(refused.status == .usageError)
    #expect(refused.error.contains("left out: \(authority)") && refused.error.contains("  --tenant: "))
    #expect(try await session.run(arguments + ["--tenant", "contoso.com"]).status == .success)
  }

  // MARK: Without questions

  @Test func whatIsMissingIsToldAtOnce() async throws {
    for session in [try Self.asking([]), try TerminalSession(files: ["README.md": ""])] {
      let result = try await session.run("init", "--yes")
      #expect(result.status == .usageError)
      #expect(result.error.contains("--client-id") && result.error.contains("--bundle-id"))
      #expect(try session.files.list(TerminalSession.workingDirectory) == ["README.md"])
    }
  }

  @Test(arguments: [
    (["--client-id", "nope"], "--client-id"), (["--tenant", "<tenant>"], "--tenant"),
    (["--platform", "BeOS"], "--platform"),
    (["--bundle-id", "com.contoso.my_app"], "--bundle-id"), (["--scopes", "offline_access"], "--scopes"),
    (["--audience", "everybody"], "--audience"), (["--audience", "AzureADMyOrg"], "--audience"),
    (["--audience", "AzureADMultipleOrgs", "--tenant", "contoso.com"], "--audience"),
  ])
  func aWrongOptionIsNamed(options: [String], name: String) async throws {
    let session = try Self.asking([])
    var arguments = ["init", "--yes"] + options
    if !options.contains("--client-id") { arguments += ["--client-id", Self.id] }
    if !options.contains("--bundle-id") { arguments += ["--bundle-id", "com.contoso.app"] }
    let result = try await session.run(arguments)
    #expect(result.status == .usageError)
    #expect(result.error.hasPrefix("error: \(name): "), "\(result.error)")
    #expect(try session.files.list(TerminalSession.workingDirectory) == ["README.md"])
  }

  // MARK: Files

  @Test func whatIsThereIsOverwrittenOnlyByForce() async throws {
    let session = try Self.asking([], files: ["AuthSettings.plist": "mine"])
    let arguments = ["init", "--yes", "--client-id", Self.id, "--bundle-id", "com.contoso.app"]
    let refused = try await session.run(arguments)
    #expect(refused.status == .usageError)
    #expect(refused.error.contains("AuthSettings.plist is there already"))
    #expect(try Self.text(session, "AuthSettings.plist") == "mine")
    #expect(session.files.kind(of: "Workflows") == nil)
    #expect(try await session.run(arguments + ["--force"]).status == .success)
    #expect(try Self.text(session, "AuthSettings.plist").contains(Self.id))
  }

  @Test(
    "uses the settings of the project and writes no second file",
    arguments: ["AuthSettings.plist", "My App/AuthSettings.plist", "ios/AuthSettings.json"])
  func existingSettings(path: String) async throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>AppId</key><string>\(Self.id)</string>
      <key>GraphScopes</key><array><string>User.Read</string></array></dict></plist>
      """
    let json = #"{"AppId": "\#(Self.id)", "GraphScopes": ["User.Read"], "BundleId": "com.contoso.app"}"#
    let session = try Self.asking([], files: [path: path.hasSuffix("json") ? json : text])
    let result = try await session.run("init", "--yes", "--bundle-id", "com.contoso.app")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("the workflow uses \(path)"), "\(result.output)")
    #expect(try Self.text(session, path) == (path.hasSuffix("json") ? json : text))
    #expect(session.files.kind(of: "AuthSettings.plist") == (path == "AuthSettings.plist" ? .file : nil))
    let ran = try await session.run("run", "Workflows/me.yaml")
    #expect(ran.status == .success, "\(ran.output)\(ran.error)")
    let second = try await session.run("init", "--yes", "--bundle-id", "com.contoso.app", "--client-id", Self.id)
    #expect(second.status == .usageError && second.error.contains("`--client-id` is for new settings"))
  }

  @Test("uses settings with a placeholder, which the emulator accepts")
  func existingPlaceholder() async throws {
    let session = try Self.asking(
      [], files: ["AuthSettings.yaml": "AppId: YOUR_APP_ID_HERE\nGraphScopes: [User.Read]\n"])
    let result = try await session.run("init", "--yes", "--bundle-id", "com.contoso.app")
    #expect(result.status == .success, "\(result.error)")
    #expect(try await session.run("run", "Workflows/me.yaml").status == .success)
  }

  @Test func aDryRunPrintsAndWritesNothing() async throws {
    let session = try Self.asking([])
    let result = try await session.run([
      "init", "--yes", "--dry-run", "--client-id", Self.id, "--bundle-id", "com.contoso.app",
    ])
    #expect(result.status == .success)
    for words in ["==> AuthSettings.plist <==", "==> Workflows/me.yaml <==", "msauth.com.contoso.app"] {
      #expect(result.output.contains(words))
    }
    #expect(try session.files.list(TerminalSession.workingDirectory) == ["README.md"])
  }

  @Test func aFolderIsNamed() async throws {
    let session = try Self.asking([], files: ["ios/README.md": ""])
    let result = try await session.run([
      "init", "ios", "--yes", "--client-id", Self.id, "--bundle-id", "com.contoso.app",
    ])
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("authflow run ios/Workflows/me.yaml"))
    #expect(try await session.run("run", "ios/Workflows/me.yaml").status == .success)
    #expect(try await session.run("init", "nowhere", "--yes").status == .usageError)
  }
}
