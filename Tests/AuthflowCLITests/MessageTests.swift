import AuthflowCLI
import Testing

/// Error messages contain the cause and the fix.
@Suite struct MessageTests {
  static let pattern = "- loadAccount\n- silent\n- interactive-fallback\n"

  @Test("lists the signed-in accounts if the requested account is not signed in")
  func otherAccount() async throws {
    var files = TerminalSession.files(steps: Self.pattern)
    files["other.yaml"] = "authflow: 1\nsettings: S.yaml\nsteps:\n  - loadAccount: {username: adele@contoso.com}\n"
    let session = try TerminalSession(files: files)
    let empty = try await session.run("run", "other.yaml")
    #expect(empty.output.contains("no account is signed in"), "\(empty.output)")
    #expect(try await session.run("run", "w.yaml").status == .success)
    let after = try await session.run("run", "other.yaml")
    #expect(
      after.output.contains("adele@contoso.com is not signed in to this app; signed in: megan@contoso.com"),
      "\(after.output)")
    #expect(!after.output.contains("no account is signed in"))
  }

  @Test("reports the folder that the path of a missing file is relative to")
  func missingReference() async throws {
    let session = try TerminalSession(files: ["flows/w.yaml": "authflow: 1\nsettings: S.yaml\nsteps: [loadAccount]\n"])
    let run = try await session.run("run", "flows/w.yaml")
    #expect(run.status == .usageError && run.error.contains("resolved against that file's folder"), "\(run.error)")
    #expect(!run.error.contains("working directory"))
    let unknown = try await session.run("run", "nowhere.yaml")
    #expect(unknown.error.contains("relative paths are resolved against the working directory"))
  }

  @Test("a forbidden Graph call reports the required permissions and the scopes of the token")
  func forbiddenCall() async throws {
    let session = try TerminalSession(
      files: TerminalSession.files(steps: Self.pattern + "- callGraph: /me/messages\n"))
    let run = try await session.run("run", "w.yaml")
    #expect(run.output.contains("callGraph  forbidden"), "\(run.output)")
    let text = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("it requires one of Mail.ReadBasic, Mail.Read; the token has"), "\(run.output)")
    #expect(text.contains("User.Read"))
  }

  static let suggestions: [(step: String, help: String)] = [
    ("- callGraph: /me\n  expect: {displayName: Megan}", "did you mean `$.displayName`?"),
    ("- callGraph: /me\n  expect: {outcme: success}", "did you mean `outcome`?"),
    ("- if: x", "use `when` in a step"), ("- print: hello", "authflow run --verbose"),
    ("- extraScopes: [Mail.Read]", "move it into the step that acquires the token"),
    ("- silent: {extraScopes: [Mail.Read]}", "did you mean `scopes`?"),
    ("- interactive: {extraScopes: [Mail.Read]}", "did you mean `extraScopesToConsent`?"),
    ("- login", "did you mean `interactive`?"),
  ]

  @Test("suggests a replacement for unknown step types and keys", arguments: suggestions)
  func suggestion(step: String, help: String) async throws {
    let session = try TerminalSession(files: TerminalSession.files(steps: step))
    let result = try await session.run("validate", "w.yaml", "S.yaml")
    #expect((result.output + result.error).contains(help), "\(result.output)\(result.error)")
  }

  @Test(
    "suggests the most similar command for an unknown command",
    arguments: [
      (["tets"], "`tets`", "did you mean `test`?"), (["vaildate", "."], "`vaildate`", "did you mean `validate`?"),
      (["cache", "shwo"], "`shwo`", "did you mean `show`?"), (["qqqqqqqq"], "`qqqqqqqq`", "authflow --help"),
    ]) func unknownCommand(arguments: [String], name: String, help: String) async throws
  {
    let result = try await TerminalSession().run(arguments)
    #expect(result.status == .usageError && result.output.isEmpty)
    #expect(result.error.hasPrefix("error: unknown command \(name)"), "\(result.error)")
    #expect(result.error.contains("help: ") && result.error.contains(help))
  }

  @Test("`convert` warns about removed comments at the location of the first comment")
  func convertedComments() async throws {
    let session = try TerminalSession(files: ["a.yaml": "a: 1\n# why\nb: 2 # how\n", "b.yaml": "a: 1\n"])
    let result = try await session.run("convert", "a.yaml", "--to", "plist")
    #expect(result.status == .success)
    #expect(result.error.contains("a.yaml:2:1: warning: 2 comments were not converted"), "\(result.error)")
    #expect(try await session.run("convert", "b.yaml", "--to", "plist").error.isEmpty)
  }
}
