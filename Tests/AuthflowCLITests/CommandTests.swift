import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import TestSupport
import Testing

/// The commands beside `run`, each as it is typed.
@Suite struct CommandTests {
  static let commands = [
    "init", "run", "validate", "settings", "graph", "convert", "query", "schema", "explain", "accounts", "cache",
    "reset",
  ]

  @Test("`--version` prints the latest release of the changelog")
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
      #expect(result.output.contains("Example: authflow \(command)"), "\(result.output)")
      #expect(result.error == "")
    }
  }

  // MARK: validate

  @Test func whatIsShippedIsValid() async throws {
    let session = try TerminalSession(shipped: true)
    let result = try await session.run("validate", "Workflows", "--strict")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains(" files checked: 0 errors, 0 warnings"))
  }

  @Test func anErrorIsOneAndAWarningWithStrictToo() async throws {
    let session = try TerminalSession(files: [
      "bad.yaml": "AppId: nope\nGraphScopes: [User.Read]\n",
      "w.yaml": "authflow: 1\nsettings: S.yaml\nsteps: [interactive]\n",
      "S.yaml": TerminalSession.plainSettings,
    ])
    let bad = try await session.run("validate", "bad.yaml")
    #expect(bad.status == .failed)
    #expect(bad.output.contains("bad.yaml:1:8: error:"))
    #expect(bad.output.contains("1 file checked: 1 error,"))
    let warned = try await session.run("validate", "w.yaml")
    #expect(warned.status == .success)
    #expect(warned.output.contains("warning:"))
    #expect(try await session.run("validate", "w.yaml", "--strict").status == .failed)
  }

  @Test func aFileThatDoesNotParseIsOne() async throws {
    let session = try TerminalSession(files: ["bad.json": "{\"AppId\": "])
    let result = try await session.run("validate", "bad.json")
    #expect(result.status == .failed)
    #expect(result.output.contains("bad.json:1:"))
  }

  @Test func diagnosticsAsJSON() async throws {
    let session = try TerminalSession(files: ["bad.yaml": "AppId: \"ünï\"\nGraphScopes: [User.Read]\nAuthorty: x\n"])
    let result = try await session.run("validate", "bad.yaml", "--format", "json")
    #expect(result.status == .failed)
    #expect(result.error == "")
    let all = try JSON(parsing: Array(result.output.utf8)).array ?? []
    let id = try #require(all.first { $0["line"]?.integer == 1 })
    #expect(id["file"]?.string == "bad.yaml")
    #expect(id["severity"]?.string == "error")
    // Columns count code points.
    #expect(id["column"]?.integer == 8)
    #expect(id["endColumn"]?.integer == 13)
    #expect(id["rule"]?.string?.isEmpty == false && id["message"]?.string?.isEmpty == false)
    #expect(all.contains { $0["line"]?.integer == 3 && $0["help"]?.string?.contains("Authority") == true })
  }

  @Test func foldersAreSearchedAndOtherPeoplesPassedOver() async throws {
    let session = try TerminalSession(files: [
      "a/S.yaml": TerminalSession.plainSettings, "a/node_modules/x/bad.json": "{", "a/.hidden/bad.json": "{",
      "a/notes.txt": "{",
      "a/b/c/w.yaml": "authflow: 1\nsettings: ../../S.yaml\nsteps: [loadAccount, silent, interactive-fallback]\n",
    ])
    let result = try await session.run("validate", "a")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("2 files checked"))
  }

  @Test func theRulesAreListed() async throws {
    let result = try await TerminalSession().run("validate", "--rules")
    #expect(result.status == .success)
    #expect(result.output.contains("app-id-placeholder  "))
    #expect(result.output.split(separator: "\n").count > 20)
  }

  // MARK: settings

  @Test func settingsAsTextAndAsJSON() async throws {
    let session = try TerminalSession(shipped: true)
    let text = try await session.run("settings", "Workflows/AuthSettings.plist")
    #expect(text.status == .success)
    for words in [
      "6731de76-14a6-49ae-97bc-6eba6914391e", "https://login.microsoftonline.com/common",
      "msauth.com.contoso.graphtutorial://auth", "User.Read", "https://graph.microsoft.com", "capable",
    ] { #expect(text.output.contains(words), "\(words)") }
    #expect(text.output.split(separator: "\n").allSatisfy { !$0.hasSuffix(" ") })
    let json = try await session.run("settings", "Workflows/AuthSettings.plist", "--format", "json", "--explain")
    #expect(json.status == .success)
    let value = try JSON(parsing: Array(json.output.utf8))
    #expect(value["clientId"]?.string == "6731de76-14a6-49ae-97bc-6eba6914391e")
    #expect(value["redirectUri"]?["brokerCapable"]?.bool == true)
    #expect(value["origins"]?.object != nil)
  }

  static let twoKeys = "AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\nGraphScopes: [User.Read]\n"

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

  @Test("settings takes the bundle id of the Info.plist beside the file")
  func bundleIDOfTheProject() async throws {
    let session = try TerminalSession(files: [
      "Mail/S.yaml": Self.twoKeys, "Mail/Info.plist": Self.infoPlist("msauth.com.contoso.mail"),
    ])
    let shown = try await session.run("settings", "Mail/S.yaml", "--explain")
    #expect(shown.status == .success, "\(shown.error)")
    for words in ["msauth.com.contoso.mail://auth", "iOS", "Mail/Info.plist"] {
      #expect(shown.output.contains(words), "\(shown.output)")
    }
    let other = try TerminalSession(files: ["S.yaml": Self.twoKeys, "Info.plist": Self.infoPlist("other")])
    let refused = try await other.run("settings", "S.yaml")
    #expect(
      refused.status == .usageError && refused.error.contains("[redirect-scheme-not-registered]"), "\(refused.error)")
  }

  @Test("settings reports an unknown bundle id and invents no redirect URI")
  func unknownBundleID() async throws {
    let session = try TerminalSession(files: ["S.yaml": Self.twoKeys])
    let shown = try await session.run("settings", "S.yaml")
    #expect(shown.status == .success, "\(shown.error)")
    #expect(!shown.output.contains("msauth") && shown.output.contains("unknown"), "\(shown.output)")
    #expect(shown.error.contains("bundle id is unknown"))
    let json = try JSON(parsing: Array(try await session.run("settings", "S.yaml", "--format", "json").output.utf8))
    #expect(json["bundleId"] == .null && json["redirectUri"]?["uri"] == .null)
  }

  @Test("a placeholder AppId is a warning on the emulator and an error live")
  func placeholderAppID() async throws {
    let session = try TerminalSession(
      files: TerminalSession.files(
        steps: "- loadAccount\n- silent\n- interactive-fallback\n- callGraph: /me\n",
        settings: "AppId: YOUR_APP_ID_HERE\nGraphScopes: [User.Read]\n"))
    let run = try await session.run("run", "w.yaml", "--fresh")
    #expect(run.status == .success, "\(run.error)")
    #expect(run.error.contains("warning: AppId is still a placeholder"))
    let live = try await session.run("run", "w.yaml", "--platform", "live")
    #expect(live.status == .usageError && live.error.contains("error: AppId is still a placeholder"), "\(live.error)")
    let validated = try await session.run("validate", "w.yaml", "S.yaml")
    #expect(validated.status != .success)
  }

  @Test func overlaysAndDefinitions() async throws {
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

  @Test func anEnvironmentsOwnSettingsAreLaidOver() async throws {
    let session = try TerminalSession(
      files: TerminalSession.files(steps: "- interactive\n- callGraph: /me\n").merging([
        "S.dev.yaml": "Authority: https://login.microsoftonline.com/organizations\n", "S.bad.yaml": "AppId: nobody\n",
      ]) { $1 })
    let shown = try await session.run("settings", "S.yaml", "--environment", "dev", "--explain")
    #expect(shown.status == .success, "\(shown.error)")
    #expect(shown.output.contains("organizations") && shown.output.contains("S.dev.yaml:1:"))
    let run = try await session.run("run", "w.yaml", "--fresh", "--environment", "dev", "-v")
    #expect(run.status == .success && run.output.contains("/organizations/"), "\(run.error)\(run.output)")
    let token = try await session.run("token", "--settings", "S.yaml", "--environment", "bad")
    #expect(token.status == .usageError && token.error.contains("S.bad.yaml:1:"), "\(token.error)")
    let absent = try await session.run("run", "w.yaml", "--environment", "prod")
    #expect(
      absent.status == .usageError && absent.error.contains("w.yaml:2:11: error: S.prod.yaml:"), "\(absent.error)")
    let strange = try await session.run("run", "w.yaml", "--environment", "../x")
    #expect(strange.status == .usageError && strange.error.contains("letters, digits"), "\(strange.error)")
  }

  // MARK: graph

  @Test(arguments: [
    ("text", "loadAccount"), ("mermaid", "stateDiagram"), ("dot", "digraph"), ("svg", "<svg"),
  ]) func drawings(form: String, begins: String) async throws {
    let session = try TerminalSession(shipped: true)
    let result = try await session.run("graph", "Workflows/me.yaml", "--format", form)
    #expect(result.status == .success)
    #expect(result.output.contains(begins))
    for step in ["loadAccount", "silent", "interactive-fallback", "callGraph", "signout"] {
      #expect(result.output.contains(step) || result.output.contains(step.replacing("-", with: "_")))
    }
    #expect(result.error == "")
    let written = try await session.run("graph", "Workflows/me.yaml", "--format", form, "-o", "drawing")
    #expect(written.output == "")
    #expect(session.files.text("drawing").map { $0 + ($0.hasSuffix("\n") ? "" : "\n") } == result.output)
  }

  // MARK: convert and query

  @Test func aDocumentGoesRoundThroughAllSyntaxes() async throws {
    let session = try TerminalSession(shipped: true)
    let start = try await session.run("convert", "Workflows/sign-out.plist", "--to", "json")
    #expect(start.status == .success)
    var file = "Workflows/sign-out.plist"
    for syntax in ["yaml", "binary-plist", "json", "plist", "yaml", "json"] {
      let result = try await session.run("convert", file, "--to", syntax, "--output", "as.\(syntax)")
      #expect(result.status == .success, "\(syntax): \(result.error)")
      #expect(result.output == "")
      // Only the shipped file has comments.
      #expect(result.error.isEmpty == (file != "Workflows/sign-out.plist"), "\(result.error)")
      file = "as.\(syntax)"
    }
    #expect(session.files.text("as.json") == start.output)
    let run = try await session.run("convert", "as.binary-plist", "--to", "json")
    #expect(run.output == start.output)
  }

  @Test func aBinaryListIsNotThrownAtATerminal() async throws {
    let session = try TerminalSession(
      files: ["x.json": "{\"a\": 1}"], console: BufferedConsole(terminals: [.output], width: 80))
    let shown = try await session.run("convert", "x.json", "--to", "binary-plist")
    #expect(shown.status == .usageError)
    #expect(shown.output == "")
    #expect(shown.error.contains("--output"))
    let piped = try await TerminalSession(files: ["x.json": "{\"a\": 1}"]).run(
      "convert", "x.json", "--to", "binary-plist")
    #expect(piped.status == .success)
    #expect(piped.output.hasPrefix("bplist00"))
  }

  @Test func queriesGiveAnArray() async throws {
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

  @Test func standardInputIsAFileToo() async throws {
    let session = try TerminalSession(bytes: ["/dev/stdin": Array("a: [1, 2".utf8)])
    let broken = try await session.run("query", "$.a", "-")
    #expect(broken.status == .usageError)
    #expect(broken.error.contains("<stdin>:1:"), "\(broken.error)")
    try session.files.replace("/dev/stdin", with: Array("a: [1, 2]".utf8), privately: false)
    let query = try await session.run("query", "$.a[1]", "-")
    #expect(try JSON(parsing: Array(query.output.utf8)) == [2])
    let convert = try await session.run("convert", "-", "--to", "json")
    #expect(try JSON(parsing: Array(convert.output.utf8)) == ["a": [1, 2]])
  }

  // MARK: schema

  @Test(arguments: ["workflow", "scenarios", "settings", "directory", "trace", "recording", "validation"])
  func schemas(name: String) async throws {
    let result = try await TerminalSession().run("schema", name)
    #expect(result.status == .success)
    let schema = try JSON(parsing: Array(result.output.utf8))
    #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema["title"]?.string?.isEmpty == false)
    if ProjectFiles.updatesGoldenFiles { try ProjectFiles.write(result.output, to: "Schemas/\(name).schema.json") }
    let kept = try ProjectFiles.bytes(of: "Schemas/\(name).schema.json")
    #expect(
      result.output == String(decoding: kept, as: UTF8.self), "authflow schema \(name) > Schemas/\(name).schema.json")
  }
}
