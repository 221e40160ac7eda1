import AuthflowCLI
import Documents
import Effects
import OAuth
import SimulatedWorld
import Testing

/// Every command escapes terminal control characters and CI runner commands in names and values.
@Suite struct HostileOutputTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String { arguments.prefix(2).joined(separator: " ") }
    var arguments: [String]
    var files: [String: String] = [:]
    /// Whether a pipe receives the result unchanged, except for runner commands.
    var isData = false
  }

  /// A string literal in YAML and JSON. Each of the three lines in the string is a command for a CI runner.
  static let value =
    #""::error::EVIL\u001b[31;7m\u009b2J\u202e##[error]\u0007\n::warning::EVIL\r\n##vso[task.complete]\u2028""#
  static let name = "::error::EVIL\u{1B}[31;7m\u{9B}2J\u{202E}##[error]"

  static let workflow = [
    "S.yaml": TerminalSession.plainSettings,
    "w.yaml": """
    authflow: 1
    name: \(value)
    description: \(value)
    settings: S.yaml
    steps: [loadAccount, silent, interactive-fallback]
    scenarios:
      \(value): {expect: {path: [loadAccount.found, ...]}}

    """,
  ]

  static let fixable = [
    "\(name).yaml": ValidateFixTests.unfixed + "Note: |\n  ::error::EVIL ##[error]\u{202E}\n"
  ]

  static let cache = [
    "\(name).json": """
    {"Account": {\(value): {"home_account_id": "a.b", "environment": "login.microsoftonline.com", "realm": "b",
      "username": \(value), "name": \(value), "local_account_id": "a", "authority_type": "MSSTS"}},
     "RefreshToken": {\(value): {"secret": "x", "home_account_id": "a.b", "client_id": \(value),
      "environment": "login.microsoftonline.com", "credential_type": "RefreshToken"}}}
    """
  ]

  static let token =
    ["{\"alg\": \"none\"}", "{\"name\": \(value), \"EVIL\": 1}"].map { Base64URL.encode(Array($0.utf8)) }
    .joined(separator: ".") + "."

  static let cases: [Case] = [
    Case(
      arguments: ["validate", "."],
      files: ["\(name).yaml": TerminalSession.plainSettings + "\(value): \(value)\nAuthority: \(value)\n"]),
    Case(arguments: ["validate", "--list-files", "."], files: ["\(name).yaml": TerminalSession.plainSettings]),
    Case(arguments: ["validate", "--fix", "--dry-run", "."], files: fixable, isData: true),
    Case(arguments: ["validate", "--fix", "."], files: fixable),
    Case(
      arguments: ["settings", "\(name).yaml", "--explain"], files: ["\(name).yaml": TerminalSession.plainSettings]),
    Case(arguments: ["run", "w.yaml"], files: workflow),
    Case(arguments: ["run", "w.yaml", "--verbose"], files: workflow),
    Case(arguments: ["run", "\(name).yaml"], files: ["\(name).yaml": "authflow: 1\n\(value): 1\n"]),
    Case(arguments: ["test", "w.yaml"], files: workflow),
    Case(arguments: ["test", "--list", "w.yaml"], files: workflow),
    Case(arguments: ["test", "--tap", "-", "w.yaml"], files: workflow, isData: true),
    Case(arguments: ["explain", "w.yaml"], files: workflow),
    Case(arguments: ["explain", "\(name).yaml"], files: ["\(name).yaml": TerminalSession.plainSettings]),
    Case(arguments: ["graph", "w.yaml"], files: workflow),
    Case(arguments: ["graph", "--format", "mermaid", "w.yaml"], files: workflow, isData: true),
    Case(arguments: ["explore", "w.yaml"], files: workflow),
    Case(arguments: ["query", "$", "d.json"], files: ["d.json": "{\(value): [\(value)]}"]),
    Case(arguments: ["convert", "d.json", "--to", "yaml"], files: ["d.json": "{\"a\": \(value)}"], isData: true),
    Case(arguments: ["cache", "show", "--cache", "\(name).json"], files: cache),
    Case(arguments: ["accounts", "--all", "--cache", "\(name).json"], files: cache),
    Case(arguments: ["doctor", "--platform", "live", "--authority", "EVIL\u{1B}[31;7m\u{202E}##[error]"]),
    Case(
      arguments: [
        "init", name, "--yes", "--dry-run", "--client-id", "6731de76-14a6-49ae-97bc-6eba6914391e", "--bundle-id",
        "com.contoso.app",
      ], files: ["\(name)/README.md": ""]),
    Case(arguments: ["learn", "1", "--check", "--folder", name]),
    Case(arguments: ["token", "decode", token]),
    Case(arguments: ["merge", "\(name).json"]),
    Case(arguments: ["report", "\(name).jsonl"], files: ["\(name).jsonl": "{\"EVIL\": \(value)}\n"]),
    Case(arguments: [name]),
  ]

  /// Removes the escape sequences that authflow itself writes for styles and for the cursor movements of the progress
  /// display.
  static func withoutOwnSequences(_ text: String) -> String {
    text.replacing(/\u{1B}\[(?:(?:0|1|2|32|31;1|35|35;1|97;40)m|K|2K|[0-9]+F)/, with: "")
  }

  static func controlCharacters(in text: String) -> [Unicode.Scalar] {
    text.replacing("\r\n", with: "\n").unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x09, 0x0A: false
      case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
  }

  /// Returns the lines that a CI runner would execute, except the annotations that authflow writes intentionally.
  static func commands(in text: String) -> [Substring] {
    text.unicodeScalars.split { "\n\r\u{B}\u{C}\u{85}\u{2028}\u{2029}".unicodeScalars.contains($0) }
      .map { Substring($0) }
      .filter { line in
        let isAnnotation = line.hasPrefix("::error file=")
        return line.contains(/##[A-Za-z]*\[/)
          || line.drop(while: \.isWhitespace).hasPrefix("::") && !isAnnotation
      }
  }

  @Test("text on a terminal contains no control characters", arguments: cases)
  func terminal(hostile: Case) async throws {
    let session = try TerminalSession(
      files: hostile.files, variables: ["LANG": "C.UTF-8", "TERM": "xterm"],
      console: BufferedConsole(terminals: [.output, .error], width: 100))
    let result = try await session.run(hostile.arguments)
    let text = Self.withoutOwnSequences(result.output + result.error)
    #expect(text.contains("EVIL"), "the output does not contain the hostile text: \(text)")
    #expect(Self.controlCharacters(in: text) == [], "\(text.debugDescription)")
  }

  @Test("no line in a CI log is a runner command", arguments: cases)
  func log(hostile: Case) async throws {
    let session = try TerminalSession(files: hostile.files, variables: ["GITHUB_ACTIONS": "true", "CI": "true"])
    let result = try await session.run(hostile.arguments)
    #expect((result.output + result.error).contains("EVIL"))
    #expect(Self.commands(in: result.output) == [])
    #expect(Self.commands(in: result.error) == [])
    #expect(Self.controlCharacters(in: result.error) == [])
    if !hostile.isData { #expect(Self.controlCharacters(in: result.output) == []) }
  }

  @Test("this suite's helpers detect control characters and commands")
  func control() {
    #expect(Self.controlCharacters(in: Self.withoutOwnSequences("\u{1B}[31;7m\u{9B}\u{202E}")).count == 3)
    #expect(Self.commands(in: "a\u{2028}  ::error::x\nb ##[x]\n::error file=x::y").count == 2)
  }

  @Test("a diff is unchanged in a pipe and contains no commands in a CI log")
  func diff() async throws {
    let arguments = ["validate", "--fix", "--dry-run", "."]
    let pipe = try await TerminalSession(files: Self.fixable).run(arguments)
    #expect(pipe.output.contains("\n   ::error::EVIL ##[error]\u{202E}\n"), "\(pipe.output)")
    #expect(!pipe.error.contains("CI runner commands"))
    let log = try TerminalSession(files: Self.fixable, variables: ["GITHUB_ACTIONS": "true"])
    let result = try await log.run(arguments)
    #expect(result.output.contains(#"   \u{3A}:error::EVIL \u{23}#[error]"#), "\(result.output)")
    #expect(result.error.contains("warning: escaped CI runner commands"))
    _ = try await log.run(arguments + ["--output", "x.diff"])
    #expect(log.files.text("x.diff")?.contains("\n   ::error::EVIL ##[error]\u{202E}\n") == true)
  }

  @Test("JSON has the same meaning in a CI log")
  func json() async throws {
    let document = "{\(Self.value): [\(Self.value)]}"
    let session = try TerminalSession(files: ["d.json": document], variables: ["GITHUB_ACTIONS": "true"])
    let result = try await session.run("query", "$", "d.json")
    let expected = try JSON(parsing: Array("[\(document)]".utf8))
    #expect(try JSON(parsing: Array(result.output.utf8)) == expected)
  }

  @Test("writes annotations as workflow commands with escaped properties")
  func annotations() async throws {
    let session = try TerminalSession(
      files: ["\(Self.name).yaml": "AppId: no-guid\n"], variables: ["GITHUB_ACTIONS": "true"])
    let result = try await session.run("validate", ".", "--format", "github")
    #expect(result.output.contains("::error file=%3A%3Aerror%3A%3AEVIL␛[31;7m"), "\(result.output)")
    #expect(Self.commands(in: result.output) == [])
  }

  @Test("a value with a line break does not add a row to the settings table")
  func settings() async throws {
    let path = "a\nclient ID  EVIL.yaml"
    let session = try TerminalSession(files: [path: TerminalSession.plainSettings])
    let result = try await session.run("settings", path, "--explain")
    #expect(result.status == .success, "\(result.error)")
    #expect(result.output.contains("a␊client ID  EVIL.yaml"))
    #expect(result.output.split(separator: "\n").count { $0.hasPrefix("client ID") } == 1)
  }
}
