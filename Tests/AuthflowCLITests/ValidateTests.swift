import AuthflowCLI
import Diagnostics
import Documents
import Effects
import SimulatedWorld
import TestSupport
import Testing

/// `authflow validate`: files, configuration, and output formats.
@Suite struct ValidateTests {
  static let zeroID = "00000000-0000-0000-0000-000000000000"
  static let valid = TerminalSession.plainSettings
  static let invalid = "AppId: \(zeroID)\nGraphScopes: [User.Read]\n"

  static func run(_ files: [String: String], _ arguments: String...) async throws -> TerminalSession.Result {
    try await TerminalSession(files: files).run(["validate"] + arguments)
  }

  // MARK: Files

  @Test func skipsIgnoredFoldersButNotIgnoredFiles() async throws {
    let result = try await Self.run(
      [
        ".gitignore": "/out/\n*.tmp\nAuth.yaml\n!kept\n# x\n", "Auth.yaml": Self.invalid, "out/a.yaml": Self.invalid,
        "sub/out/b.yaml": Self.invalid, "sub/.gitignore": "inner\n", "sub/inner/c.yaml": Self.invalid,
        "inner/d.yaml": Self.invalid, "Pods/e.yaml": Self.invalid,
      ], ".", "--list-files")
    let names = result.output.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
    #expect(names == ["Auth.yaml", "inner/d.yaml", "sub/out/b.yaml"])
    #expect(result.status == .success)
    #expect(result.output.contains("app registration settings  Auth.yaml"))
  }

  @Test(arguments: [
    ("AuthSettings.plist.example", true), ("msal_config.json@1a2b3c.example", true), ("a.yaml.bak", true),
    ("App.entitlements", true), ("settings.jsonc", true), ("AppSettings@f8.plist", true), ("a.json.swp", false),
    ("notes.txt", false), ("package-lock.json", false), ("json", false), ("AuthSettings.example.plist", true),
  ])
  func selectsFilesByName(name: String, isChecked: Bool) async throws {
    let result = try await Self.run(["d/\(name)": "{\"AppId\": \"\(Self.zeroID)\"}"], "d")
    #expect(result.output.contains(isChecked ? "1 file checked" : "0 files checked"))
  }

  @Test(arguments: [
    "{ // a comment\n \"compilerOptions\": {},\n}", "{", "a: [", "<a><b></a>", "", "\u{0}", "- a\n- b\n",
  ])
  func ignoresOtherFilesInAFolder(text: String) async throws {
    let result = try await Self.run(["d/x.json": text, "d/y.yaml": text, "d/z.xml": text], "d")
    #expect(result.status == .usageError)
    #expect(result.error.hasPrefix("error: no file to check in d\n"))
    #expect(result.output.hasPrefix("0 files checked: 0 errors, 0 warnings, 0 notes"))
  }

  @Test("fails for each folder that does not contain any files to check")
  func foldersWithoutFiles() async throws {
    let files = ["a/x.yaml": Self.valid, "b/notes.txt": "x", "c/other.json": "{}"]
    let result = try await Self.run(files, "a", "b", "c")
    #expect(result.status == .usageError)
    #expect(result.error.hasPrefix("error: no file to check in b\nerror: no file to check in c\n"))
    #expect(try await Self.run(files, "a", "a/x.yaml", ".").status == .success)
    #expect(try await Self.run(files, "b", "--list-files").status == .usageError)
    #expect(try await Self.run(["d/Info.plist": "<plist><dict>"], "d").status == .failed)
  }

  @Test func reportsSyntaxErrorsInAFolder() async throws {
    let result = try await Self.run(["d/x.json": "{\"AppId\": \"\(Self.zeroID)\",, \"GraphScopes\": []}"], "d")
    #expect(result.status == .failed)
    #expect(result.output.contains("[json-syntax]"))
  }

  @Test func checksEachFileOnce() async throws {
    let result = try await Self.run(["d/x.yaml": Self.invalid], "d", "d/x.yaml", "./d/x.yaml", ".")
    #expect(result.output.contains("\n1 file checked: 1 error"))
  }

  @Test func checksStandardInput() async throws {
    let result = try await Self.run(["/dev/stdin": Self.invalid], "-")
    #expect(result.output.contains("<stdin>:1:8: error:"))
    #expect(result.status == .failed)
    #expect(try await Self.run(["/dev/stdin": Self.invalid], "-", "--fix").status == .usageError)
  }

  @Test func reportsUnreadableFilesInAFolder() async throws {
    let session = try TerminalSession(files: ["d/x.yaml": Self.invalid, "d/y.yaml": Self.valid, "d/z.txt": ""])
    session.files.fail("d/x.yaml", with: .notPermitted("d/x.yaml"))
    session.files.fail("d/z.txt", with: .notPermitted("d/z.txt"))
    let result = try await session.run("validate", "d")
    #expect(result.error.hasPrefix("d/x.yaml: error: permission denied [unreadable-file]\n"), "\(result.error)")
    #expect(!result.error.contains("d/z.txt"))
    #expect(result.status == .usageError)
    // Settings are never larger than the limit, so larger files are ignored.
    session.files.fail("d/x.yaml", with: .tooLarge("d/x.yaml", limit: 1))
    #expect(try await session.run("validate", "d").status == .success)
  }

  @Test func rejectsNamedPipes() async throws {
    let session = try TerminalSession(files: ["d/x.yaml": Self.valid])
    session.files.makeSpecial("d/pipe.yaml")
    session.files.makeSpecial("d/.gitignore")
    let result = try await session.run("validate", "d/pipe.yaml")
    #expect(result.error.contains("error: is not a regular file (named pipe) [unreadable-file]"), "\(result.error)")
    #expect(result.status == .usageError)
    #expect(try await session.run("validate", "d").status == .success)
  }

  @Test(arguments: [
    ([".gitignore": "AuthSettings.plist\n"], false), ([".gitignore": "*.plist\n!AuthSettings.plist\n"], true),
    (["ios/.gitignore": "AuthSettings.plist\n"], false), (["ios/App/.gitignore": "/AuthSettings.plist\n"], false),
    (["ios/App/.gitignore": "/App/AuthSettings.plist\n"], true), ([:], true),
    (["../.gitignore": "*.plist\n"], true), (["../.git/HEAD": "", "../.gitignore": "*.plist\n"], false),
    ([".git/HEAD": "", "../.git/HEAD": "", "../.gitignore": "*.plist\n"], true),
  ])
  func filesIgnoredByGitAreNotCommitted(files: [String: String], isReported: Bool) async throws {
    let settings = """
      <plist version="1.0">
      <dict>
        <key>AppId</key>
        <string>6731de76-14a6-49ae-97bc-6eba6914391e</string>
        <key>GraphScopes</key>
        <array><string>User.Read</string></array>
      </dict>
      </plist>
      """
    for path in [".", "ios", "ios/App/AuthSettings.plist"] {
      let result = try await Self.run(files.merging(["ios/App/AuthSettings.plist": settings]) { $1 }, path)
      #expect(result.output.contains("1 file checked"))
      #expect(result.output.contains("[app-id-committed]") == isReported, "\(path): \(result.output)")
    }
  }

  // MARK: Configuration

  @Test func findsTheConfigurationInAParentFolder() async throws {
    let files = [
      ".git/HEAD": "", ".authflow.yaml": "rules: {app-id-zero: warning}\nexclude: [old]\n", "a/b/x.yaml": Self.invalid,
      "old/y.yaml": Self.invalid,
    ]
    for path in [".", "a", "a/b/x.yaml"] {
      let result = try await Self.run(files, path)
      #expect(result.status == .success, "\(path): \(result.error)")
      #expect(result.output.contains("1 file checked: 0 errors, 1 warning"))
    }
    #expect(try await Self.run(files, "a", "--no-config").status == .failed)
    #expect(try await Self.run(files, "a", "--strict").status == .failed)
    // `exclude` does not apply to files on the command line.
    #expect(try await Self.run(files, "old/y.yaml").output.contains("1 file checked"))
  }

  @Test func ignoresTheConfigurationOfAnotherRepository() async throws {
    let files = ["a/.git/HEAD": "", ".authflow.yaml": "rules: {app-id-zero: off}\n", "a/b/x.yaml": Self.invalid]
    #expect(try await Self.run(files, "a/b").status == .failed)
    #expect(try await Self.run(files, "a/b", "--config", ".authflow.yaml").status == .success)
  }

  @Test func rejectsAnInvalidConfiguration() async throws {
    let result = try await Self.run([".authflow.yaml": "rules:\n  app-id-zreo: off\n", "x.yaml": Self.valid], "x.yaml")
    #expect(result.status == .usageError)
    #expect(result.error.contains(".authflow.yaml:2:3: error:"))
    #expect(result.error.contains("did you mean `app-id-zero`?"))
    #expect(result.output == "")
  }

  @Test func countsSuppressedFindings() async throws {
    let text = "# authflow:ignore app-id-zero: a sample\n" + Self.invalid
    let result = try await Self.run(["x.yaml": text], "x.yaml")
    #expect(result.status == .success)
    #expect(result.output == "1 file checked: 0 errors, 0 warnings, 0 notes; 1 suppressed\n")
  }

  // MARK: Output

  @Test func quietPrintsNothingForValidFiles() async throws {
    let result = try await Self.run(["x.yaml": Self.valid], "x.yaml", "--quiet")
    #expect(result.output == "" && result.error == "" && result.status == .success)
  }

  @Test func printsAnnotationsToOutputAndTheSummaryToStandardError() async throws {
    let result = try await Self.run(["x.yaml": Self.invalid], "x.yaml", "--format", "github")
    let lines = result.output.split(separator: "\n")
    #expect(
      lines.first?.hasPrefix("::error file=x.yaml,line=1,endLine=1,col=8,endColumn=44,title=app-id-zero::") == true)
    #expect(lines.allSatisfy { $0.hasPrefix("::") })
    #expect(result.error.hasPrefix("1 file checked: 1 error"))
    #expect(result.status == .failed)
  }

  @Test func writesSARIFToAFile() async throws {
    let session = try TerminalSession(files: ["x.yaml": Self.invalid])
    let result = try await session.run("validate", "x.yaml", "--format", "sarif", "--output", "x.sarif")
    #expect(result.status == .failed)
    #expect(result.output == "")
    #expect(result.error.hasPrefix("1 file checked"))
    let sarif = try JSON(parsing: Array((session.files.text("x.sarif") ?? "").utf8))
    #expect(sarif["runs"]?[0]?["results"]?[0]?["ruleId"] == "app-id-zero")
    #expect(sarif["runs"]?[0]?["invocations"]?[0]?["exitCode"] == 1)
  }

  @Test func printsOnlyFindingsToStandardOutput() async throws {
    let result = try await Self.run(["x.yaml": Self.invalid], "x.yaml", "missing.yaml")
    #expect(result.output.hasPrefix("x.yaml:1:8: error:"))
    #expect(result.error.hasPrefix("missing.yaml: error: no such file"))
    #expect(!result.error.contains("x.yaml:1"))
    #expect(result.status == .usageError)
    let quiet = try await Self.run(["x.yaml": Self.invalid], "x.yaml", "--quiet")
    #expect(quiet.output.contains("[app-id-zero]") && !quiet.output.contains("checked") && quiet.error == "")
  }

  @Test func sarifContainsUnreadableFiles() async throws {
    let result = try await Self.run(["x.yaml": Self.valid], "x.yaml", "missing.yaml", "--format", "sarif")
    let invocation = try JSON(parsing: Array(result.output.utf8))["runs"]?[0]?["invocations"]?[0]
    #expect(invocation?["executionSuccessful"] == false)
    #expect(invocation?["toolExecutionNotifications"]?[0]?["descriptor"]?["id"] == "unreadable-file")
    #expect(result.status == .usageError)
  }

  @Test func sarifOmitsSuppressedFindings() async throws {
    let files = ["x.yaml": "# authflow:ignore app-id-zero: a sample\n" + Self.invalid]
    func results(_ more: String...) async throws -> [JSON] {
      let result = try await TerminalSession(files: files).run(["validate", "x.yaml", "--format", "sarif"] + more)
      #expect(result.status == .success)
      return try JSON(parsing: Array(result.output.utf8))["runs"]?[0]?["results"]?.array ?? []
    }
    #expect(try await results() == [])
    #expect(try await results("--verbose").map { $0["ruleId"] } == ["app-id-zero"])
  }

  @Test func listsFilesAsJSON() async throws {
    let files = ["d/x.yaml": Self.valid, "d/y.json": "{}"]
    let result = try await Self.run(files, "d", "--list-files", "--format", "json")
    #expect(
      try JSON(parsing: Array(result.output.utf8))
        == [["file": "d/x.yaml", "kind": "app registration settings"]])
  }

  @Test func writesTheDiffToAFileAndReportsRemainingFindings() async throws {
    let text = "AppId: \" 6731de76-14a6-49ae-97bc-6eba6914391e\"\nGraphScopes: [User.Read]\n"
    let session = try TerminalSession(files: ["x.yaml": text, "y.yaml": Self.invalid])
    let result = try await session.run("validate", "x.yaml", "--fix", "--dry-run", "-o", "x.patch")
    #expect(session.files.text("x.patch")?.hasPrefix("--- a/x.yaml\n+++ b/x.yaml\n@@ ") == true)
    #expect(result.output.hasSuffix("1 file checked: 0 errors, 0 warnings, 0 notes\n"), "\(result.output)")
    #expect(result.status == .success)
    #expect(session.files.text("x.yaml") == text)
    let remaining = try await session.run("validate", "x.yaml", "y.yaml", "--fix", "--dry-run")
    #expect(remaining.output.hasPrefix("--- a/x.yaml\n") && !remaining.output.contains("app-id-zero"))
    #expect(remaining.error.contains("[app-id-zero]"))
    #expect(remaining.status == .failed)
    let broken = try await Self.run(
      ["x.json": "{\"AppId\": \"\(Self.zeroID)\" \"x\": 1}"], "x.json", "--fix", "--dry-run")
    #expect(broken.status == .failed)
  }

  @Test func listsRulesAsJSON() async throws {
    let result = try await Self.run([:], "--rules", "--format", "json")
    let rules = try JSON(parsing: Array(result.output.utf8)).array ?? []
    #expect(rules.count > 20)
    #expect(rules.allSatisfy { $0["id"] != nil && $0["severity"] != nil && $0["summary"] != nil && $0["help"] != nil })
  }

  @Test(arguments: [
    [], ["x", "--dry-run"], ["x", "--fix", "--dry-run", "--format", "json"], ["x", "--config", "c", "--no-config"],
    ["-", "-"], ["x", "--format", "xml"], ["--rules", "--format", "sarif"], ["--rules", "--format", "github"],
    ["x", "--list-files", "--format", "sarif"],
  ])
  func rejectsContradictingOptions(arguments: [String]) async throws {
    let result = try await TerminalSession(files: ["x": Self.valid]).run(["validate"] + arguments)
    #expect(result.status == .usageError)
    #expect(result.output == "" && !result.error.isEmpty)
  }
}
