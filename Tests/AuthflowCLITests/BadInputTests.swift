import AuthflowCLI
import Effects
import Foundation
import SimulatedWorld
import TestSupport
import Testing

/// Whatever is thrown at it: an exit code, a place, help, no crash, and no file that was not there before.
@Suite struct BadInputTests {
  struct Bad: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var files: [String: String] = [:]
    var bytes: [String: [UInt8]] = [:]
    var arguments: [String] = ["run", "w.yaml"]
    var status = ExitStatus.usageError
    /// What must be said on standard error, each of it.
    var says: [String]
  }

  static let steps = "authflow: 1\nsettings: S.yaml\nsteps: [loadAccount]\n"

  static func settings(_ lines: String) -> [String: String] { ["S.yaml": lines, "w.yaml": steps] }

  static let laughsYAML: String = {
    var text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
    for level in 1..<10 {
      let all = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(all)]\n"
    }
    return "authflow: 1\n" + text + "steps: *a9\n"
  }()

  static let laughsXML: String = {
    var text = "<?xml version=\"1.0\"?>\n<!DOCTYPE plist [\n<!ENTITY lol0 \"lol\">\n"
    for level in 1..<10 {
      text += "<!ENTITY lol\(level) \"\(String(repeating: "&lol\(level - 1);", count: 10))\">\n"
    }
    return text + "]>\n<plist version=\"1.0\"><dict><key>authflow</key><string>&lol9;</string></dict></plist>\n"
  }()

  static let external = """
    <?xml version="1.0"?>
    <!DOCTYPE plist [<!ENTITY x SYSTEM "file:///etc/passwd">]>
    <plist version="1.0"><dict><key>AppId</key><string>&x;</string></dict></plist>
    """

  static let binary: [UInt8] = Array("bplist00".utf8) + [0xD1, 0x01, 0x02, 0x53]

  static let cases: [Bad] = [
    Bad(testDescription: "no such file", says: ["w.yaml", "no such file", "unreadable-file", "help:"]),
    Bad(testDescription: "an empty file", files: ["w.yaml": ""], says: ["w.yaml:", "error:", "help:"]),
    Bad(testDescription: "white space alone", files: ["w.yaml": "\n  \n"], says: ["w.yaml:", "error:"]),
    Bad(testDescription: "zeros", bytes: ["w.yaml": Array(repeating: 0, count: 64)], says: ["w.yaml", "error:"]),
    Bad(
      testDescription: "a folder", files: ["w.yaml/inner.yaml": ""], says: ["w.yaml", "is a directory", "help:"]),
    Bad(
      testDescription: "a truncated property list",
      files: [
        "w.yaml": "<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\n<dict>\n\t<key>authflow</key>\n\t<integer>1"
      ],
      says: ["w.yaml:", "error:"]),
    Bad(testDescription: "a truncated binary property list", bytes: ["w.yaml": binary], says: ["w.yaml", "error:"]),
    Bad(
      testDescription: "truncated JSON", files: ["w.yaml": "{\"authflow\": 1, \"steps\": [\"silent\""],
      says: ["w.yaml:1:", "error:"]),
    Bad(
      testDescription: "a list at the root", files: ["w.yaml": "- loadAccount\n- silent\n"],
      says: ["w.yaml:1:1", "error:", "mapping"]),
    Bad(testDescription: "a text at the root", files: ["w.yaml": "hello\n"], says: ["w.yaml:1:1", "error:"]),
    Bad(
      testDescription: "tabs in YAML", files: ["w.yaml": "authflow: 1\nsteps:\n\t- loadAccount\n"],
      says: ["w.yaml:3:1", "error:", "tab", "help:"]),
    Bad(testDescription: "billion laughs in YAML", files: ["w.yaml": laughsYAML], says: ["w.yaml:", "error:"]),
    Bad(testDescription: "billion laughs in XML", files: ["w.yaml": laughsXML], says: ["w.yaml:", "error:", "entit"]),
    Bad(
      testDescription: "a file that an entity wants", files: settings(external), says: ["S.yaml:", "error:", "entit"]),
    Bad(
      testDescription: "deeper than anybody writes",
      files: ["w.yaml": String(repeating: "[", count: 600) + String(repeating: "]", count: 600)],
      says: ["w.yaml:1:", "error:", "512"]),
    Bad(
      testDescription: "an unknown key", files: ["w.yaml": "authflow: 1\nsettigns: S.yaml\nsteps: [loadAccount]\n"],
      says: ["w.yaml:2:1", "settigns", "did you mean", "settings"]),
    Bad(
      testDescription: "an unknown step",
      files: [
        "S.yaml": TerminalSession.plainSettings, "w.yaml": "authflow: 1\nsettings: S.yaml\nsteps: [loadAcount]\n",
      ],
      says: ["w.yaml:3:9", "loadAcount", "loadAccount"]),
    Bad(
      testDescription: "no steps", files: ["w.yaml": "authflow: 1\nsettings: S.yaml\nsteps: []\n"],
      says: ["w.yaml:3:8", "error:", "help:"]),
    Bad(
      testDescription: "a duplicate key",
      files: ["S.yaml": TerminalSession.plainSettings, "w.yaml": steps + "settings: S.yaml\n"],
      says: ["w.yaml:4:1", "error:", "settings"]),
    Bad(
      testDescription: "settings that are not there", files: ["w.yaml": steps],
      says: ["w.yaml:2:11", "S.yaml", "no such file"]),
    Bad(
      testDescription: "no settings at all", files: ["w.yaml": "authflow: 1\nsteps: [loadAccount]\n"],
      says: ["w.yaml:", "settings", "help:"]),
    Bad(testDescription: "empty settings", files: settings(""), says: ["S.yaml", "error:"]),
    Bad(testDescription: "settings that are a list", files: settings("- AppId\n"), says: ["S.yaml:1:1", "mapping"]),
    Bad(
      testDescription: "no AppId", files: settings("GraphScopes: [User.Read]\n"),
      says: ["S.yaml:", "error:", "AppId", "help:"]),
    Bad(
      testDescription: "an AppId that is no GUID", files: settings("AppId: my-app\nGraphScopes: [User.Read]\n"),
      says: ["S.yaml:1:8", "error:", "my-app", "^", "help:"]),
    Bad(
      testDescription: "the placeholder of the tutorial",
      files: settings("AppId: YOUR_APP_ID_HERE\nGraphScopes: [User.Read]\n"),
      arguments: ["run", "w.yaml", "--platform", "live"],
      says: ["S.yaml:1:8", "YOUR_APP_ID_HERE", "app-id-placeholder", "help:"]),
    Bad(
      testDescription: "an http authority",
      files: settings("\(TerminalSession.plainSettings)Authority: http://login.microsoftonline.com/common\n"),
      says: ["S.yaml:4:12", "https", "help:"]),
    Bad(
      testDescription: "a build setting that nobody gave",
      files: settings("AppId: $(APP_ID)\nGraphScopes: [User.Read]\n"),
      says: ["S.yaml:1:", "APP_ID", "--define"]),
    Bad(
      testDescription: "settings in place of a workflow", files: ["w.yaml": TerminalSession.plainSettings],
      says: ["w.yaml:", "not a workflow", "help:"]),
    Bad(
      testDescription: "a target that does not exist",
      files: settings(TerminalSession.plainSettings).merging([
        "w.yaml": "authflow: 1\nsettings: S.yaml\nsteps:\n  - { deviceInfo: {}, on: { success: nowhere } }\n"
      ]) { $1 },
      says: ["w.yaml:4:", "nowhere", "error:"]),
    Bad(
      testDescription: "a workflow that uses itself",
      files: settings(TerminalSession.plainSettings).merging([
        "w.yaml": "authflow: 1\nsettings: S.yaml\nsteps:\n  - use: w.yaml\n"
      ]) { $1 },
      says: ["w.yaml:4:", "error:"]),
    Bad(
      testDescription: "a directory that is none",
      files: settings(TerminalSession.plainSettings).merging([
        "w.yaml": steps + "directory: D.yaml\n", "D.yaml": "directory: 1\ntenats: []\n",
      ]) { $1 },
      says: ["D.yaml:2:1", "tenats", "tenants"]),
    Bad(
      testDescription: "a directory that is not there",
      files: settings(TerminalSession.plainSettings).merging(["w.yaml": steps + "directory: D.yaml\n"]) { $1 },
      says: ["D.yaml", "no such file"]),
    Bad(
      testDescription: "validate: no such file", arguments: ["validate", "w.yaml"], says: ["w.yaml", "no such file"]),
    Bad(testDescription: "validate: nothing named", arguments: ["validate"], says: ["authflow validate ."]),
    Bad(
      testDescription: "settings: no such file", arguments: ["settings", "S.yaml"], says: ["S.yaml", "no such file"]),
    Bad(
      testDescription: "settings: a placeholder", files: settings("AppId: YOUR_APP_ID_HERE\n"),
      arguments: ["settings", "S.yaml"], says: ["S.yaml:1:8", "app-id-placeholder"]),
    Bad(
      testDescription: "settings: an ADFS authority",
      files: settings("\(TerminalSession.plainSettings)Authority: https://fs.contoso.com/adfs\n"),
      arguments: ["settings", "S.yaml"], says: ["S.yaml:4:12", "error:"]),
    Bad(
      testDescription: "settings: a definition without a value", files: settings(TerminalSession.plainSettings),
      arguments: ["settings", "S.yaml", "--define", "X"], says: ["NAME=value"]),
    Bad(
      testDescription: "graph: no workflow", files: settings(TerminalSession.plainSettings),
      arguments: ["graph", "S.yaml"], says: ["S.yaml", "authflow"]),
    Bad(
      testDescription: "convert: broken JSON", files: ["x.json": "{\"a\": }"],
      arguments: ["convert", "x.json", "--to", "yaml", "-o", "out.yaml"], says: ["x.json:1:7", "error:"]),
    Bad(
      testDescription: "convert: a null has no property list", files: ["x.json": "{\"a\": null}"],
      arguments: ["convert", "x.json", "--to", "plist", "-o", "out.plist"], says: ["x.json:1:7", "error:"]),
    Bad(
      testDescription: "convert: an unknown syntax", files: ["x.json": "{}"],
      arguments: ["convert", "x.json", "--to", "toml"], says: ["toml", "binary-plist"]),
    Bad(
      testDescription: "query: a broken path", files: ["x.json": "{}"], arguments: ["query", "$.a[", "x.json"],
      says: ["<path>:1:", "jsonpath-syntax"]),
    Bad(
      testDescription: "query: a broken document", files: ["x.json": "{"], arguments: ["query", "$", "x.json"],
      says: ["x.json:1:", "error:"]),
    Bad(testDescription: "schema: an unknown name", arguments: ["schema", "workflows"], says: ["workflow"]),
    Bad(testDescription: "an unknown command", arguments: ["rnu", "w.yaml"], says: ["rnu"]),
    Bad(testDescription: "an unknown option", arguments: ["run", "w.yaml", "--frehs"], says: ["--frehs"]),
    Bad(testDescription: "run: nothing named", arguments: ["run"], says: ["file"]),
    Bad(
      testDescription: "an unknown platform", arguments: ["run", "w.yaml", "--platform", "moon"],
      says: ["moon", "emulated"]),
  ]

  @Test(arguments: cases) func badInputIsToldAndNothingIsWritten(bad: Bad) async throws {
    let session = try TerminalSession(files: bad.files, bytes: bad.bytes)
    let before = session.files.paths
    let result = try await session.run(bad.arguments)
    #expect(result.status == bad.status)
    for words in bad.says { #expect(result.error.contains(words), "\(words) is not in: \(result.error)") }
    if bad.arguments[0] != "validate" { #expect(result.output == "", "complaints go to standard error") }
    #expect(session.files.paths == before)
    #expect(!result.error.contains("root:"), "nothing of another file is shown")
  }

  @Test func aFileThatMayNotBeReadIsTold() async throws {
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

  @Test func settingsThatMayNotBeReadAreTold() async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: "- loadAccount"))
    session.files.fail("S.yaml", with: .notPermitted("S.yaml"))
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .usageError)
    #expect(result.error.contains("S.yaml") && result.error.contains("permission denied"))
  }

  @Test(arguments: ["run", "validate", "settings", "graph"]) func aHundredMegabytesAreTooMuch(command: String)
    async throws
  {
    let session = try TerminalSession(bytes: ["big.yaml": Array(repeating: 0x61, count: 100 << 20)])
    let result = try await session.run([command, "big.yaml"])
    #expect(result.status == .usageError)
    #expect(result.error.contains("big.yaml"))
    #expect(result.error.contains("64 MiB"))
  }

  @Test func everyMistakeIsToldAtOnce() async throws {
    let session = try TerminalSession(files: [
      "S.yaml": "AppId: no-guid\nGraphScopes: [User.Read]\nAuthorty: x\n",
      "w.yaml": "authflow: 1\nsettings: S.yaml\nsteps:\n  - loadAcount\n  - { silent: {}, on: { success: nowhere } }\n",
    ])
    let result = try await session.run("run", "w.yaml")
    #expect(result.status == .usageError)
    for words in ["no-guid", "Authorty", "loadAcount", "nowhere"] {
      #expect(result.error.contains(words), "\(result.error)")
    }
  }

  @Test func aConvertOntoAFullDiskLeavesTheOldFile() async throws {
    let session = try TerminalSession(files: ["x.json": "{\"a\": [1, 2, 3]}", "out.yaml": "old"])
    session.files.setCapacity(30)
    let result = try await session.run("convert", "x.json", "--to", "plist", "-o", "out.yaml")
    #expect(result.status == .environmentFailure)
    #expect(result.error.contains("no space left"))
    #expect(session.files.text("out.yaml") == "old")
  }

  @Test func hostileNamesAreShownHarmlessly() async throws {
    let name = "evil\u{1B}[2Jname\u{202E}.yaml"
    let session = try TerminalSession(files: [name: "a: [\u{1B}[31m\n"])
    let result = try await session.run("run", name)
    #expect(result.status == .usageError)
    #expect(!result.error.contains("\u{1B}"), "\(result.error.debugDescription)")
    #expect(!result.error.contains("\u{202E}"))
  }
}
