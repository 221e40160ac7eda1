import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import TestSupport
import Testing

/// The version, the help, and commands other than `run`.
@Suite struct CommandTests {
  static let commands = [
    "init", "run", "validate", "settings", "graph", "convert", "query", "schema", "explain", "accounts", "cache",
    "reset",
  ]

  @Test("`--version` prints the latest release in the changelog")
  func printsVersion() async throws {
    let changelog = String(decoding: try ProjectFiles.bytes(of: "CHANGELOG.md"), as: UTF8.self)
    let latest = try #require(changelog.firstMatch(of: /\n## \[(\d+\.\d+\.\d+)\]/)?.1)
    let result = try await TerminalSession().run("--version")
    #expect(result.status == .success)
    #expect(result.output == "authflow \(latest)\n")
    #expect(result.error == "")
  }

  @Test func helpListsTheCommands() async throws {
    for arguments in [["--help"], ["help"], []] as [[String]] {
      let result = try await TerminalSession().run(arguments)
      #expect(result.status == .success, "\(arguments)")
      #expect(result.error == "", "\(arguments)")
      for command in Self.commands { #expect(result.output.contains(command), "\(arguments): \(command)") }
    }
  }

  @Test(arguments: commands) func everyCommandHasAnExample(command: String) async throws {
    for arguments in [[command, "--help"], ["help", command]] {
      let result = try await TerminalSession().run(arguments)
      #expect(result.status == .success)
      #expect(result.output.contains("Examples:\n  authflow \(command)"), "\(result.output)")
      #expect(result.error == "")
    }
  }

  // MARK: validate

  @Test func shippedFilesAreValid() async throws {
    let session = try TerminalSession(shipped: true)
    let result = try await session.run("validate", "Workflows", "--strict")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains(" files checked: 0 errors, 0 warnings"))
  }

  @Test func validateFailsForErrorsAndInStrictModeForWarnings() async throws {
    let session = try TerminalSession(files: [
      "bad.yaml": "AppId: nope\nGraphScopes: [User.Read]\n",
      "w.yaml": "authflow: 1\nsettings: S.yaml\nsteps: [interactive]\n",
      "S.yaml": TerminalSession.plainSettings,
    ])
    let invalid = try await session.run("validate", "bad.yaml")
    #expect(invalid.status == .failed)
    #expect(invalid.output.contains("bad.yaml:1:8: error:"))
    #expect(invalid.output.contains("1 file checked: 1 error,"))
    let unusual = try await session.run("validate", "w.yaml")
    #expect(unusual.status == .success)
    #expect(unusual.output.contains("warning:"))
    #expect(try await session.run("validate", "w.yaml", "--strict").status == .failed)
  }

  @Test func validateFailsForASyntaxError() async throws {
    let session = try TerminalSession(files: ["bad.json": "{\"AppId\": "])
    let result = try await session.run("validate", "bad.json")
    #expect(result.status == .failed)
    #expect(result.output.contains("bad.json:1:"))
  }

  @Test func printsDiagnosticsAsJSON() async throws {
    let session = try TerminalSession(files: ["bad.yaml": "AppId: \"ünï\"\nGraphScopes: [User.Read]\nAuthorty: x\n"])
    let result = try await session.run("validate", "bad.yaml", "--format", "json")
    #expect(result.status == .failed)
    #expect(result.error == "")
    let diagnostics = try JSON(parsing: Array(result.output.utf8)).array ?? []
    let appID = try #require(diagnostics.first { $0["line"]?.integer == 1 })
    #expect(appID["file"]?.string == "bad.yaml")
    #expect(appID["severity"]?.string == "error")
    // Column numbers count code points.
    #expect(appID["column"]?.integer == 8)
    #expect(appID["endColumn"]?.integer == 13)
    #expect(appID["rule"]?.string?.isEmpty == false && appID["message"]?.string?.isEmpty == false)
    #expect(diagnostics.contains { $0["line"]?.integer == 3 && $0["help"]?.string?.contains("Authority") == true })
  }

  @Test func validateSkipsDependencyAndHiddenFolders() async throws {
    let session = try TerminalSession(files: [
      "a/S.yaml": TerminalSession.plainSettings, "a/node_modules/x/bad.json": "{", "a/.hidden/bad.json": "{",
      "a/notes.txt": "{",
      "a/b/c/w.yaml": "authflow: 1\nsettings: ../../S.yaml\nsteps: [loadAccount, silent, interactive-fallback]\n",
    ])
    let result = try await session.run("validate", "a")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("2 files checked"))
  }

  @Test func listsTheRules() async throws {
    let result = try await TerminalSession().run("validate", "--rules")
    #expect(result.status == .success)
    #expect(result.output.contains("app-id-placeholder  "))
    #expect(result.output.split(separator: "\n").count > 20)
  }

  // MARK: settings

  @Test func printsSettingsAsTextAndJSON() async throws {
    let session = try TerminalSession(shipped: true)
    let text = try await session.run("settings", "Workflows/AuthSettings.plist")
    #expect(text.status == .success)
    for part in [
      "6731de76-14a6-49ae-97bc-6eba6914391e", "https://login.microsoftonline.com/common",
      "msauth.com.contoso.graphtutorial://auth", "User.Read", "https://graph.microsoft.com", "capable",
    ] { #expect(text.output.contains(part), "\(part)") }
    #expect(text.output.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") })
    let json = try await session.run("settings", "Workflows/AuthSettings.plist", "--format", "json", "--explain")
    #expect(json.status == .success)
    let value = try JSON(parsing: Array(json.output.utf8))
    #expect(value["clientId"]?.string == "6731de76-14a6-49ae-97bc-6eba6914391e")
    #expect(value["redirectUri"]?["brokerCapable"]?.bool == true)
    #expect(value["origins"]?.object != nil)
  }

  static let minimalSettings = "AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\nGraphScopes: [User.Read]\n"

  static func infoPlist(_ scheme: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.contoso.mail</string>
    <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key><array>
    <string>\(scheme)</string></array></dict></array>
    <key>LSApplicationQueriesSchemes</key><array><string>msauthv2</string><string>msauthv3</string></array>
    </dict></plist>
    """
  }

  @Test("reads the bundle ID from an Info.plist file in the same folder")
  func bundleIDOfTheProject() async throws {
    let session = try TerminalSession(files: [
      "Mail/S.yaml": Self.minimalSettings, "Mail/Info.plist": Self.infoPlist("msauth.com.contoso.mail"),
    ])
    let result = try await session.run("settings", "Mail/S.yaml", "--explain")
    #expect(result.status == .success, "\(result.error)")
    for part in ["msauth.com.contoso.mail://auth", "iOS", "Mail/Info.plist"] {
      #expect(result.output.contains(part), "\(result.output)")
    }
    let mismatch = try TerminalSession(files: ["S.yaml": Self.minimalSettings, "Info.plist": Self.infoPlist("other")])
    let rejected = try await mismatch.run("settings", "S.yaml")
    #expect(
      rejected.status == .usageError && rejected.error.contains("[redirect-scheme-not-registered]"), "\(rejected.error)"
    )
  }

  @Test("reports an unknown bundle ID and does not derive a redirect URI")
  func unknownBundleID() async throws {
    let session = try TerminalSession(files: ["S.yaml": Self.minimalSettings])
    let result = try await session.run("settings", "S.yaml")
    #expect(result.status == .success, "\(result.error)")
    #expect(!result.output.contains("msauth") && result.output.contains("unknown"), "\(result.output)")
    #expect(result.error.contains("unknown bundle ID"))
    let json = try JSON(parsing: Array(try await session.run("settings", "S.yaml", "--format", "json").output.utf8))
    #expect(json["bundleId"] == .null && json["redirectUri"]?["uri"] == .null)
  }

  @Test("reports a placeholder AppId as a warning on the emulator and as an error on the live service")
  func placeholderAppID() async throws {
    let session = try TerminalSession(
      files: TerminalSession.files(
        steps: "- loadAccount\n- silent\n- interactive-fallback\n- callGraph: /me\n",
        settings: "AppId: YOUR_APP_ID_HERE\nGraphScopes: [User.Read]\n"))
    let run = try await session.run("run", "w.yaml", "--fresh")
    #expect(run.status == .success, "\(run.error)")
    #expect(run.error.contains("warning: `AppId` is a placeholder"))
    let live = try await session.run("run", "w.yaml", "--platform", "live")
    #expect(live.status == .usageError && live.error.contains("error: `AppId` is a placeholder"), "\(live.error)")
    let validated = try await session.run("validate", "w.yaml", "S.yaml")
    #expect(validated.status != .success)
  }

  @Test func appliesOverlaysAndDefinitions() async throws {
    let session = try TerminalSession(files: [
      "base.yaml": "AppId: $(APP_ID)\nGraphScopes: [User.Read]\nBundleId: com.contoso.base\n",
      "more.yaml": "BundleId: com.contoso.more\n",
    ])
    let result = try await session.run(
      "settings", "base.yaml", "--overlay", "more.yaml", "--define", "APP_ID=6731de76-14a6-49ae-97bc-6eba6914391e",
      "--explain")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("com.contoso.more"))
    #expect(!result.output.contains("com.contoso.base"))
    #expect(result.output.contains("more.yaml"))
  }

  @Test func mergesTheSettingsOfAnEnvironment() async throws {
    let session = try TerminalSession(
      files: TerminalSession.files(steps: "- interactive\n- callGraph: /me\n").merging([
        "S.dev.yaml": "Authority: https://login.microsoftonline.com/organizations\n", "S.bad.yaml": "AppId: invalid\n",
      ]) { $1 })
    let settings = try await session.run("settings", "S.yaml", "--environment", "dev", "--explain")
    #expect(settings.status == .success, "\(settings.error)")
    #expect(settings.output.contains("organizations") && settings.output.contains("S.dev.yaml:1:"))
    let run = try await session.run("run", "w.yaml", "--fresh", "--environment", "dev", "-v")
    #expect(run.status == .success && run.output.contains("/organizations/"), "\(run.error)\(run.output)")
    let token = try await session.run("token", "--settings", "S.yaml", "--environment", "bad")
    #expect(token.status == .usageError && token.error.contains("S.bad.yaml:1:"), "\(token.error)")
    let missing = try await session.run("run", "w.yaml", "--environment", "prod")
    #expect(
      missing.status == .usageError && missing.error.contains("w.yaml:2:11: error: S.prod.yaml:"), "\(missing.error)")
    let invalid = try await session.run("run", "w.yaml", "--environment", "../x")
    #expect(invalid.status == .usageError && invalid.error.contains("letters, digits"), "\(invalid.error)")
  }

  // MARK: graph

  @Test(arguments: [
    ("text", "loadAccount"), ("mermaid", "stateDiagram"), ("dot", "digraph"), ("svg", "<svg"),
  ]) func drawsAWorkflowInEachFormat(format: String, marker: String) async throws {
    let session = try TerminalSession(shipped: true)
    let result = try await session.run("graph", "Workflows/me.yaml", "--format", format)
    #expect(result.status == .success)
    #expect(result.output.contains(marker))
    for step in ["loadAccount", "silent", "interactive-fallback", "callGraph", "signout"] {
      #expect(result.output.contains(step) || result.output.contains(step.replacing("-", with: "_")))
    }
    #expect(result.error == "")
    let written = try await session.run("graph", "Workflows/me.yaml", "--format", format, "-o", "diagram")
    #expect(written.output == "")
    #expect(session.files.text("diagram").map { $0 + ($0.hasSuffix("\n") ? "" : "\n") } == result.output)
  }

  // MARK: convert and query

  @Test func convertsADocumentBetweenAllSyntaxes() async throws {
    let session = try TerminalSession(shipped: true)
    let original = try await session.run("convert", "Workflows/sign-out.plist", "--to", "json")
    #expect(original.status == .success)
    var file = "Workflows/sign-out.plist"
    for syntax in ["yaml", "binary-plist", "json", "plist", "yaml", "json"] {
      let result = try await session.run("convert", file, "--to", syntax, "--output", "as.\(syntax)")
      #expect(result.status == .success, "\(syntax): \(result.error)")
      #expect(result.output == "")
      // The command warns that it removes comments. Only the shipped file contains comments.
      #expect(result.error.isEmpty == (file != "Workflows/sign-out.plist"), "\(result.error)")
      file = "as.\(syntax)"
    }
    #expect(session.files.text("as.json") == original.output)
    let fromBinary = try await session.run("convert", "as.binary-plist", "--to", "json")
    #expect(fromBinary.output == original.output)
  }

  @Test func convertDoesNotPrintABinaryPropertyListToATerminal() async throws {
    let session = try TerminalSession(
      files: ["x.json": "{\"a\": 1}"], console: BufferedConsole(terminals: [.output], width: 80))
    let rejected = try await session.run("convert", "x.json", "--to", "binary-plist")
    #expect(rejected.status == .usageError)
    #expect(rejected.output == "")
    #expect(rejected.error.contains("--output"))
    let piped = try await TerminalSession(files: ["x.json": "{\"a\": 1}"]).run(
      "convert", "x.json", "--to", "binary-plist")
    #expect(piped.status == .success)
    #expect(piped.output.hasPrefix("bplist00"))
  }

  @Test func queryPrintsAnArray() async throws {
    let session = try TerminalSession(shipped: true)
    let steps = try await session.run("query", "$.steps[?@.callGraph].callGraph.get", "Workflows/calendar.json")
    #expect(steps.status == .success)
    #expect(try JSON(parsing: Array(steps.output.utf8)) == ["/me/calendarView"])
    let none = try await session.run("query", "$.nothing", "Workflows/me.yaml")
    #expect(none.status == .success)
    #expect(try JSON(parsing: Array(none.output.utf8)) == [])
    let paths = try await session.run("query", "$.steps[0]", "Workflows/me.yaml", "--paths")
    #expect(try JSON(parsing: Array(paths.output.utf8)) == ["$['steps'][0]"])
  }

  @Test func readsADocumentFromStandardInput() async throws {
    let session = try TerminalSession(bytes: ["/dev/stdin": Array("a: [1, 2".utf8)])
    let invalid = try await session.run("query", "$.a", "-")
    #expect(invalid.status == .usageError)
    #expect(invalid.error.contains("<stdin>:1:"), "\(invalid.error)")
    try session.files.replace("/dev/stdin", with: Array("a: [1, 2]".utf8), privately: false)
    let query = try await session.run("query", "$.a[1]", "-")
    #expect(try JSON(parsing: Array(query.output.utf8)) == [2])
    let convert = try await session.run("convert", "-", "--to", "json")
    #expect(try JSON(parsing: Array(convert.output.utf8)) == ["a": [1, 2]])
  }

  // MARK: schema

  @Test(arguments: ["workflow", "scenarios", "settings", "directory", "trace", "recording", "validation"])
  func printsThePublishedSchema(name: String) async throws {
    let result = try await TerminalSession().run("schema", name)
    #expect(result.status == .success)
    let schema = try JSON(parsing: Array(result.output.utf8))
    #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema["title"]?.string?.isEmpty == false)
    if ProjectFiles.updatesGoldenFiles { try ProjectFiles.write(result.output, to: "Schemas/\(name).schema.json") }
    let published = try ProjectFiles.bytes(of: "Schemas/\(name).schema.json")
    #expect(
      result.output == String(decoding: published, as: UTF8.self),
      "authflow schema \(name) > Schemas/\(name).schema.json")
  }
}
