import AuthflowCLI
import Effects
import Foundation
import SimulatedWorld
import TestSupport
import Testing

/// With invalid input, commands exit with an error status, report the error's location and a fix, and do not create
/// files.
@Suite struct BadInputTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var files: [String: String] = [:]
    var bytes: [String: [UInt8]] = [:]
    var arguments: [String] = ["run", "w.yaml"]
    var status = ExitStatus.usageError
    /// Strings that standard error must contain.
    var messages: [String]
  }

  static let steps = "authflow: 1\nsettings: S.yaml\nsteps: [loadAccount]\n"

  static func settings(_ lines: String) -> [String: String] { ["S.yaml": lines, "w.yaml": steps] }

  static let billionLaughsYAML: String = {
    var text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
    for level in 1..<10 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(aliases)]\n"
    }
    return "authflow: 1\n" + text + "steps: *a9\n"
  }()

  static let billionLaughsXML: String = {
    var text = "<?xml version=\"1.0\"?>\n<!DOCTYPE plist [\n<!ENTITY lol0 \"lol\">\n"
    for level in 1..<10 {
      text += "<!ENTITY lol\(level) \"\(String(repeating: "&lol\(level - 1);", count: 10))\">\n"
    }
    return text + "]>\n<plist version=\"1.0\"><dict><key>authflow</key><string>&lol9;</string></dict></plist>\n"
  }()

  static let externalEntity = """
    <?xml version="1.0"?>
    <!DOCTYPE plist [<!ENTITY x SYSTEM "file:///etc/passwd">]>
    <plist version="1.0"><dict><key>AppId</key><string>&x;</string></dict></plist>
    """

  static let truncatedBinaryPlist: [UInt8] = Array("bplist00".utf8) + [0xD1, 0x01, 0x02, 0x53]

  static let cases: [Case] = [
    Case(testDescription: "no such file", messages: ["w.yaml", "no such file", "unreadable-file", "help:"]),
    Case(testDescription: "an empty file", files: ["w.yaml": ""], messages: ["w.yaml:", "error:", "help:"]),
    Case(testDescription: "only whitespace", files: ["w.yaml": "\n  \n"], messages: ["w.yaml:", "error:"]),
    Case(
      testDescription: "null bytes", bytes: ["w.yaml": Array(repeating: 0, count: 64)], messages: ["w.yaml", "error:"]),
    Case(
      testDescription: "a directory", files: ["w.yaml/inner.yaml": ""], messages: ["w.yaml", "is a directory", "help:"]),
    Case(
      testDescription: "a truncated property list",
      files: [
        "w.yaml": "<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\n<dict>\n\t<key>authflow</key>\n\t<integer>1"
      ],
      messages: ["w.yaml:", "error:"]),
    Case(
      testDescription: "a truncated binary property list", bytes: ["w.yaml": truncatedBinaryPlist],
      messages: ["w.yaml", "error:"]),
    Case(
      testDescription: "truncated JSON", files: ["w.yaml": "{\"authflow\": 1, \"steps\": [\"silent\""],
      messages: ["w.yaml:1:", "error:"]),
    Case(
      testDescription: "a list at the root", files: ["w.yaml": "- loadAccount\n- silent\n"],
      messages: ["w.yaml:1:1", "error:", "mapping"]),
    Case(testDescription: "a string at the root", files: ["w.yaml": "hello\n"], messages: ["w.yaml:1:1", "error:"]),
    Case(
      testDescription: "tabs in YAML", files: ["w.yaml": "authflow: 1\nsteps:\n\t- loadAccount\n"],
      messages: ["w.yaml:3:1", "error:", "tab", "help:"]),
    Case(
      testDescription: "billion laughs in YAML", files: ["w.yaml": billionLaughsYAML], messages: ["w.yaml:", "error:"]),
    Case(
      testDescription: "billion laughs in XML", files: ["w.yaml": billionLaughsXML],
      messages: ["w.yaml:", "error:", "entit"]),
    Case(
      testDescription: "an external entity", files: settings(externalEntity), messages: ["S.yaml:", "error:", "entit"]),
    Case(
      testDescription: "nesting deeper than 512 levels",
      files: ["w.yaml": String(repeating: "[", count: 600) + String(repeating: "]", count: 600)],
      messages: ["w.yaml:1:", "error:", "512"]),
    Case(
      testDescription: "an unknown key", files: ["w.yaml": "authflow: 1\nsettigns: S.yaml\nsteps: [loadAccount]\n"],
      messages: ["w.yaml:2:1", "settigns", "did you mean", "settings"]),
    Case(
      testDescription: "an unknown step",
      files: [
        "S.yaml": TerminalSession.plainSettings, "w.yaml": "authflow: 1\nsettings: S.yaml\nsteps: [loadAcount]\n",
      ],
      messages: ["w.yaml:3:9", "loadAcount", "loadAccount"]),
    Case(
      testDescription: "an empty list of steps", files: ["w.yaml": "authflow: 1\nsettings: S.yaml\nsteps: []\n"],
      messages: ["w.yaml:3:8", "error:", "help:"]),
    Case(
      testDescription: "a duplicate key",
      files: ["S.yaml": TerminalSession.plainSettings, "w.yaml": steps + "settings: S.yaml\n"],
      messages: ["w.yaml:4:1", "error:", "settings"]),
    Case(
      testDescription: "a missing settings file", files: ["w.yaml": steps],
      messages: ["w.yaml:2:11", "S.yaml", "no such file"]),
    Case(
      testDescription: "a workflow without settings", files: ["w.yaml": "authflow: 1\nsteps: [loadAccount]\n"],
      messages: ["w.yaml:", "settings", "help:"]),
    Case(testDescription: "empty settings", files: settings(""), messages: ["S.yaml", "error:"]),
    Case(
      testDescription: "settings that are a list", files: settings("- AppId\n"), messages: ["S.yaml:1:1", "mapping"]),
    Case(
      testDescription: "settings without an AppId", files: settings("GraphScopes: [User.Read]\n"),
      messages: ["S.yaml:", "error:", "AppId", "help:"]),
    Case(
      testDescription: "an AppId that is not a GUID", files: settings("AppId: my-app\nGraphScopes: [User.Read]\n"),
      messages: ["S.yaml:1:8", "error:", "my-app", "^", "help:"]),
    Case(
      testDescription: "the AppId placeholder of the tutorial",
      files: settings("AppId: YOUR_APP_ID_HERE\nGraphScopes: [User.Read]\n"),
      arguments: ["run", "w.yaml", "--platform", "live"],
      messages: ["S.yaml:1:8", "YOUR_APP_ID_HERE", "app-id-placeholder", "help:"]),
    Case(
      testDescription: "an http authority",
      files: settings("\(TerminalSession.plainSettings)Authority: http://login.microsoftonline.com/common\n"),
      messages: ["S.yaml:4:12", "https", "help:"]),
    Case(
      testDescription: "an undefined build setting",
      files: settings("AppId: $(APP_ID)\nGraphScopes: [User.Read]\n"),
      messages: ["S.yaml:1:", "APP_ID", "--define"]),
    Case(
      testDescription: "settings instead of a workflow", files: ["w.yaml": TerminalSession.plainSettings],
      messages: ["w.yaml:", "not a workflow", "help:"]),
    Case(
      testDescription: "an unknown step as a target",
      files: settings(TerminalSession.plainSettings).merging([
        "w.yaml": "authflow: 1\nsettings: S.yaml\nsteps:\n  - { deviceInfo: {}, on: { success: nowhere } }\n"
      ]) { $1 },
      messages: ["w.yaml:4:", "nowhere", "error:"]),
    Case(
      testDescription: "a workflow that uses itself",
      files: settings(TerminalSession.plainSettings).merging([
        "w.yaml": "authflow: 1\nsettings: S.yaml\nsteps:\n  - use: w.yaml\n"
      ]) { $1 },
      messages: ["w.yaml:4:", "error:"]),
    Case(
      testDescription: "a directory file with an unknown key",
      files: settings(TerminalSession.plainSettings).merging([
        "w.yaml": steps + "directory: D.yaml\n", "D.yaml": "directory: 1\ntenats: []\n",
      ]) { $1 },
      messages: ["D.yaml:2:1", "tenats", "tenants"]),
    Case(
      testDescription: "a missing directory file",
      files: settings(TerminalSession.plainSettings).merging(["w.yaml": steps + "directory: D.yaml\n"]) { $1 },
      messages: ["D.yaml", "no such file"]),
    Case(
      testDescription: "validate: no such file", arguments: ["validate", "w.yaml"],
      messages: ["w.yaml", "no such file"]),
    Case(testDescription: "validate: no arguments", arguments: ["validate"], messages: ["authflow validate ."]),
    Case(
      testDescription: "settings: no such file", arguments: ["settings", "S.yaml"],
      messages: ["S.yaml", "no such file"]),
    Case(
      testDescription: "settings: a placeholder", files: settings("AppId: YOUR_APP_ID_HERE\n"),
      arguments: ["settings", "S.yaml"], messages: ["S.yaml:1:8", "app-id-placeholder"]),
    Case(
      testDescription: "settings: an ADFS authority",
      files: settings("\(TerminalSession.plainSettings)Authority: https://fs.contoso.com/adfs\n"),
      arguments: ["settings", "S.yaml"], messages: ["S.yaml:4:12", "error:"]),
    Case(
      testDescription: "settings: a definition without a value", files: settings(TerminalSession.plainSettings),
      arguments: ["settings", "S.yaml", "--define", "X"], messages: ["NAME=value"]),
    Case(
      testDescription: "graph: settings instead of a workflow", files: settings(TerminalSession.plainSettings),
      arguments: ["graph", "S.yaml"], messages: ["S.yaml", "authflow"]),
    Case(
      testDescription: "convert: invalid JSON", files: ["x.json": "{\"a\": }"],
      arguments: ["convert", "x.json", "--to", "yaml", "-o", "out.yaml"], messages: ["x.json:1:7", "error:"]),
    Case(
      testDescription: "convert: null to a property list", files: ["x.json": "{\"a\": null}"],
      arguments: ["convert", "x.json", "--to", "plist", "-o", "out.plist"], messages: ["x.json:1:7", "error:"]),
    Case(
      testDescription: "convert: an unknown syntax", files: ["x.json": "{}"],
      arguments: ["convert", "x.json", "--to", "toml"], messages: ["toml", "binary-plist"]),
    Case(
      testDescription: "query: an invalid JSONPath", files: ["x.json": "{}"], arguments: ["query", "$.a[", "x.json"],
      messages: ["<path>:1:", "jsonpath-syntax"]),
    Case(
      testDescription: "query: an invalid document", files: ["x.json": "{"], arguments: ["query", "$", "x.json"],
      messages: ["x.json:1:", "error:"]),
    Case(testDescription: "schema: an unknown name", arguments: ["schema", "workflows"], messages: ["workflow"]),
    Case(testDescription: "an unknown command", arguments: ["rnu", "w.yaml"], messages: ["rnu"]),
    Case(testDescription: "an unknown option", arguments: ["run", "w.yaml", "--frehs"], messages: ["--frehs"]),
    Case(testDescription: "run: no arguments", arguments: ["run"], messages: ["file"]),
    Case(
      testDescription: "an unknown platform", arguments: ["run", "w.yaml", "--platform", "moon"],
      messages: ["moon", "emulated"]),
  ]

  @Test(arguments: cases) func reportsInvalidInputAndDoesNotWriteFiles(input: Case) async throws {
    let session = try TerminalSession(files: input.files, bytes: input.bytes)
    let pathsBefore = session.files.paths
    let result = try await session.run(input.arguments)
    #expect(result.status == input.status)
    for message in input.messages { #expect(result.error.contains(message), "\(message) is not in: \(result.error)") }
    if input.arguments[0] != "validate" { #expect(result.output == "", "errors go to standard error") }
    #expect(session.files.paths == pathsBefore)
    #expect(!result.error.contains("root:"), "the output does not contain text of an external entity")
  }

  @Test func reportsAFileWithoutReadPermission() async throws {
    for arguments in [
      ["run", "w.yaml"], ["validate", "w.yaml"], ["settings", "w.yaml"], ["convert", "w.yaml", "--to", "json"],
    ] {
      let session = try TerminalSession(files: TerminalSession.files(steps: "- loadAccount"))
      session.files.fail("w.yaml", with: .notPermitted("w.yaml"))
      let result = try await session.run(arguments)
      #expect(result.status == .usageError, "\(arguments)")
      #expect(
        result.error.contains("w.yaml") && result.error.contains("permission denied") && result.error.contains("help:"))
      #expect(result.output == "" || arguments[0] == "validate")
    }
  }

  @Test func reportsSettingsWithoutReadPermission() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: "- loadAccount"))
    session.files.fail("S.yaml", with: .notPermitted("S.yaml"))
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .usageError)
    #expect(result.error.contains("S.yaml") && result.error.contains("permission denied"))
  }

  @Test(arguments: ["run", "validate", "settings", "graph"]) func rejectsAFileThatExceedsTheSizeLimit(command: String)
    async throws
  {
    let session = try TerminalSession(bytes: ["big.yaml": Array(repeating: 0x61, count: 100 << 20)])
    let result = try await session.run([command, "big.yaml"])
    #expect(result.status == .usageError)
    #expect(result.error.contains("big.yaml"))
    #expect(result.error.contains("64 MiB"))
  }

  @Test func reportsAllErrorsInOneRun() async throws {
    let session = try TerminalSession(files: [
      "S.yaml": "AppId: no-guid\nGraphScopes: [User.Read]\nAuthorty: x\n",
      "w.yaml": "authflow: 1\nsettings: S.yaml\nsteps:\n  - loadAcount\n  - { silent: {}, on: { success: nowhere } }\n",
    ])
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .usageError)
    for culprit in ["no-guid", "Authorty", "loadAcount", "nowhere"] {
      #expect(result.error.contains(culprit), "\(result.error)")
    }
  }

  @Test func convertKeepsTheExistingFileIfTheDiskIsFull() async throws {
    let session = try TerminalSession(files: ["x.json": "{\"a\": [1, 2, 3]}", "out.yaml": "old"])
    session.files.setCapacity(30)
    let result = try await session.run("convert", "x.json", "--to", "plist", "-o", "out.yaml")
    #expect(result.status == .environmentFailure)
    #expect(result.error.contains("no space left"))
    #expect(session.files.text("out.yaml") == "old")
  }

  @Test func escapesControlCharactersInFileNames() async throws {
    let name = "evil\u{1B}[2Jname\u{202E}.yaml"
    let session = try TerminalSession(files: [name: "a: [\u{1B}[31m\n"])
    let result = try await session.run("run", name)
    #expect(result.status == .usageError)
    #expect(!result.error.contains("\u{1B}"), "\(result.error.debugDescription)")
    #expect(!result.error.contains("\u{202E}"))
  }
}
