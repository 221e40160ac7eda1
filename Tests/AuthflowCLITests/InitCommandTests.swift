import AuthflowCLI
import Effects
import SimulatedWorld
import Testing

/// `authflow init`: detected values, questions, and generated files.
@Suite struct InitCommandTests {
  static let id = "4165a581-6134-4585-babc-beea5647754a"
  static let tenant = "7bcd2220-f576-41b0-b47a-de4b6f2ebac1"

  static func text(_ session: TerminalSession, _ path: String) throws -> String {
    String(decoding: try session.files.read(path, limit: 1 << 20), as: UTF8.self)
  }

  static func session(answers: [String], files: [String: String] = [:]) throws -> TerminalSession {
    try TerminalSession(
      files: files.merging(["README.md": "an app"]) { first, _ in first },
      console: BufferedConsole(input: answers, terminals: [.error]))
  }

  // MARK: Generated files

  static let optionSets: [[String]] = [
    [], ["--format", "yaml"], ["--format", "json"], ["--tenant", tenant], ["--tenant", "contoso.onmicrosoft.com"],
    ["--audience", "AzureADMultipleOrgs"], ["--audience", "AzureADMyOrg", "--tenant", tenant],
    ["--audience", "PersonalMicrosoftAccount"], ["--platform", "macOS"],
    ["--scopes", "User.Read", "Mail.Read"], ["--scopes", "api://6731de76-14a6-49ae-97bc-6eba6914391e/tasks.read"],
    ["--scopes", "Directory.Read.All User.Read"],
  ]

  @Test(arguments: optionSets) func generatedFilesAreValidAndRun(options: [String]) async throws {
    let session = try Self.session(answers: [])
    let base = ["init", "--yes", "--client-id", Self.id, "--bundle-id", "com.contoso.app"]
    let result = try await session.run(base + options)
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("authflow run Workflows/me.yaml"))
    let validated = try await session.run("validate", ".", "--strict")
    #expect(validated.status == .success, "\(validated.error)")
    let run = try await session.run("run", "Workflows/me.yaml")
    #expect(run.status == .success, "\(run.output)\(run.error)")
    #expect(run.output.contains("callGraph"))
  }

  @Test(arguments: ["iOS", "macOS"]) func theFragmentIsValidInInfoPlistAndEntitlements(platform: String) async throws {
    let session = try Self.session(answers: [])
    _ = try await session.run([
      "init", "--yes", "--client-id", Self.id, "--bundle-id", "com.contoso.app", "--platform", platform,
    ])
    let parts = try Self.text(session, "AuthSettings-Info.plist.fragment").split(separator: "\n\n", maxSplits: 1)
    func plist(_ content: String) -> String {
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n\(content)</dict>\n</plist>\n"
    }
    var properties = "<key>CFBundleIdentifier</key><string>com.contoso.app</string>\n"
    if platform == "macOS" { properties += "<key>LSMinimumSystemVersion</key><string>14.0</string>\n" }
    let app = try TerminalSession(files: [
      "AuthSettings.plist": try Self.text(session, "AuthSettings.plist"),
      "Info.plist": plist(properties + String(parts[0])), "App.entitlements": plist(String(parts[1])),
    ])
    let result = try await app.run("validate", ".", "--strict")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("3 files checked: 0 errors, 0 warnings"))
  }

  // MARK: Detected values

  @Test func readsValuesFromProjectFiles() async throws {
    let session = try Self.session(
      answers: [],
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
    for text in [Self.id, "com.contoso.tasks", "/organizations", "iOS", "User.Read"] {
      #expect(settings.contains(text), "\(text) in \(settings)")
    }
  }

  @Test func readsValuesFromAndroidConfiguration() async throws {
    let session = try Self.session(
      answers: [],
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

  @Test func repeatsAQuestionAfterInvalidInput() async throws {
    let session = try Self.session(answers: [
      "YOUR_APP_ID", "nope", Self.id, "my tenant", "contoso.com", "windows", "macos", "com.contoso.tasks", "openid",
      "User.Raed", "User.Read Mail.Read",
    ])
    let result = try await session.run("init", "--format", "yaml")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.error.contains("placeholder") && result.error.contains("unknown platform"))
    #expect(result.error.contains("did you mean `User.Read`?"))
    let settings = try Self.text(session, "AuthSettings.yaml")
    for text in [Self.id, "contoso.com", "macOS", "com.contoso.tasks", "Mail.Read"] {
      #expect(settings.contains(text))
    }
  }

  @Test func emptyInputSelectsTheDefaults() async throws {
    let session = try Self.session(answers: ["", "", "", "", ""])
    #expect(try await session.run("init").status == .success)
    #expect(try await session.run("run", "Workflows/me.yaml").status == .success)
  }

  @Test(arguments: 0..<5) func doesNotWriteFilesIfTheInputEndsEarly(count: Int) async throws {
    let session = try Self.session(answers: Array(repeating: "", count: count))
    let result = try await session.run("init")
    #expect(result.status == .usageError)
    #expect(result.error.contains("no files were written"))
    #expect(try session.files.list(TerminalSession.workingDirectory) == ["README.md"])
  }

  @Test func doesNotWriteFilesIfInterrupted() async throws {
    let session = try Self.session(answers: ["", "", "", "", ""])
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await session.run("init")
    }
    let result = try await task.value
    #expect(result.status == .interrupted)
    #expect(try session.files.list(TerminalSession.workingDirectory) == ["README.md"])
  }

  @Test func questionsFitAn80ColumnTerminal() async throws {
    let result = try await Self.session(answers: ["", "", "", "", ""]).run("init")
    #expect(
      result.error.split(separator: "\n").allSatisfy { line in
        line.split(separator: ": ").allSatisfy { $0.count < 80 }
      })
    #expect(result.error.contains("\n  [6731de76"))
  }

  // MARK: Other types of authorities

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
  func usesTheAuthorityInTheAppsFiles(type: String, authority: String) async throws {
    let session = try Self.session(answers: [], files: Self.android(type, authority))
    let result = try await session.run("init", "--yes", "--bundle-id", "com.contoso.tasks", "--format", "yaml")
    #expect(result.status == .success, "\(result.error)")
    #expect(try Self.text(session, "AuthSettings.yaml").contains("Authority: \(authority)"))
    #expect(try await session.run("validate", "AuthSettings.yaml", "Workflows/me.yaml", "--strict").status == .success)
    guard !authority.contains("login.contoso.com") else {
      #expect(result.error.contains("does not serve login.contoso.com"))
      return
    }
    let run = try await session.run("run", "Workflows/me.yaml")
    #expect(run.status == .success, "\(run.output)\(run.error)")
  }

  @Test(arguments: [("ADFS", "https://adfs.contoso.com/adfs"), ("AAD", "https://login.microsoftonline.de/common")])
  func reportsAnUnsupportedAuthorityInTheAppsFiles(type: String, authority: String) async throws {
    let session = try Self.session(answers: [], files: Self.android(type, authority))
    let arguments = ["init", "--yes", "--bundle-id", "com.contoso.tasks"]
    let rejected = try await session.run(arguments)
    #expect(rejected.status == .usageError)
    #expect(rejected.error.contains("ignored `\(authority)`") && rejected.error.contains("  --tenant: "))
    #expect(try await session.run(arguments + ["--tenant", "contoso.com"]).status == .success)
  }

  // MARK: Options

  @Test func reportsAllMissingValuesTogether() async throws {
    for session in [try Self.session(answers: []), try TerminalSession(files: ["README.md": ""])] {
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
  func anErrorNamesTheInvalidOption(options: [String], name: String) async throws {
    let session = try Self.session(answers: [])
    var arguments = ["init", "--yes"] + options
    if !options.contains("--client-id") { arguments += ["--client-id", Self.id] }
    if !options.contains("--bundle-id") { arguments += ["--bundle-id", "com.contoso.app"] }
    let result = try await session.run(arguments)
    #expect(result.status == .usageError)
    #expect(result.error.hasPrefix("error: `\(name)`: "), "\(result.error)")
    #expect(try session.files.list(TerminalSession.workingDirectory) == ["README.md"])
  }

  // MARK: Existing files and folders

  @Test func overwritesExistingFilesOnlyWithForce() async throws {
    let session = try Self.session(answers: [], files: ["AuthSettings.plist": "mine"])
    let arguments = ["init", "--yes", "--client-id", Self.id, "--bundle-id", "com.contoso.app"]
    let rejected = try await session.run(arguments)
    #expect(rejected.status == .usageError)
    #expect(rejected.error.contains("AuthSettings.plist already exists"))
    #expect(try Self.text(session, "AuthSettings.plist") == "mine")
    #expect(session.files.kind(of: "Workflows") == nil)
    #expect(try await session.run(arguments + ["--force"]).status == .success)
    #expect(try Self.text(session, "AuthSettings.plist").contains(Self.id))
  }

  @Test(
    "uses existing settings instead of writing new ones",
    arguments: ["AuthSettings.plist", "My App/AuthSettings.plist", "ios/AuthSettings.json"])
  func existingSettings(path: String) async throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>AppId</key><string>\(Self.id)</string>
      <key>GraphScopes</key><array><string>User.Read</string></array></dict></plist>
      """
    let json = #"{"AppId": "\#(Self.id)", "GraphScopes": ["User.Read"], "BundleId": "com.contoso.app"}"#
    let session = try Self.session(answers: [], files: [path: path.hasSuffix("json") ? json : text])
    let result = try await session.run("init", "--yes", "--bundle-id", "com.contoso.app")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("using \(path): existing settings"), "\(result.output)")
    #expect(try Self.text(session, path) == (path.hasSuffix("json") ? json : text))
    #expect(session.files.kind(of: "AuthSettings.plist") == (path == "AuthSettings.plist" ? .file : nil))
    let run = try await session.run("run", "Workflows/me.yaml")
    #expect(run.status == .success, "\(run.output)\(run.error)")
    let second = try await session.run("init", "--yes", "--bundle-id", "com.contoso.app", "--client-id", Self.id)
    #expect(second.status == .usageError && second.error.contains("`--client-id` is for new settings"))
  }

  @Test("uses existing settings even if they contain a placeholder")
  func existingPlaceholder() async throws {
    let session = try Self.session(
      answers: [], files: ["AuthSettings.yaml": "AppId: YOUR_APP_ID_HERE\nGraphScopes: [User.Read]\n"])
    let result = try await session.run("init", "--yes", "--bundle-id", "com.contoso.app")
    #expect(result.status == .success, "\(result.error)")
    #expect(try await session.run("run", "Workflows/me.yaml").status == .success)
  }

  @Test func aDryRunPrintsTheFilesWithoutWritingThem() async throws {
    let session = try Self.session(answers: [])
    let result = try await session.run([
      "init", "--yes", "--dry-run", "--client-id", Self.id, "--bundle-id", "com.contoso.app",
    ])
    #expect(result.status == .success)
    for text in ["==> AuthSettings.plist <==", "==> Workflows/me.yaml <==", "msauth.com.contoso.app"] {
      #expect(result.output.contains(text))
    }
    #expect(try session.files.list(TerminalSession.workingDirectory) == ["README.md"])
  }

  @Test func writesFilesToTheSpecifiedFolder() async throws {
    let session = try Self.session(answers: [], files: ["ios/README.md": ""])
    let result = try await session.run([
      "init", "ios", "--yes", "--client-id", Self.id, "--bundle-id", "com.contoso.app",
    ])
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("authflow run ios/Workflows/me.yaml"))
    #expect(try await session.run("run", "ios/Workflows/me.yaml").status == .success)
    #expect(try await session.run("init", "nowhere", "--yes").status == .usageError)
  }
}
