import AuthflowCLI
import Documents
import Effects
import SimulatedWorld
import TestSupport
import Testing

/// `authflow test`.
@Suite struct SuiteCommandTests {
  static let files = TerminalSession.files(
    steps: "- loadAccount\n- silent\n- interactive-fallback\n- callGraph: /me",
    """
    scenarios:
      first run: {tags: slow, expect: {path: [loadAccount.notFound, interactive-fallback.success, callGraph.success]}}
      returning: {given: [signedIn: megan@contoso.com], expect: {path: [..., callGraph.success]}}
      wrong: {expect: {path: [loadAccount.found, ...]}}

    """)

  @Test func aFailureIncludesTheCommandToRerunIt() async throws {
    let session = try TerminalSession(files: Self.files)
    let result = try await session.run("test", "w.yaml")
    #expect(result.status == .failed)
    #expect(
      result.output.contains("the path differs at entry 1: expected loadAccount.found, found loadAccount.notFound"))
    #expect(result.output.contains("rerun: authflow test w.yaml --filter 'w.yaml: wrong'"))
    #expect(result.output.contains("1 failed, 2 passed"))
  }

  @Test func aFullNameSelectsOneScenario() async throws {
    let session = try TerminalSession(files: Self.files)
    let result = try await session.run("test", "--filter", "w.yaml: returning")
    #expect(result.status == .success)
    #expect(result.output.hasPrefix("1 passed"))
  }

  @Test func eachScenarioIsInExactlyOneShard() async throws {
    let session = try TerminalSession(files: Self.files)
    var names: [String] = []
    for index in 1...2 {
      let result = try await session.run("test", ".", "--list", "--shard", "\(index)/2")
      names += result.output.split(separator: "\n").map(String.init)
    }
    #expect(names.sorted() == ["w.yaml: first run", "w.yaml: returning", "w.yaml: wrong"])
  }

  @Test func gitLabVariablesSelectTheShard() async throws {
    let session = try TerminalSession(
      files: Self.files, variables: ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3", "CI": "1"])
    let result = try await session.run("test", "--list")
    #expect(result.output == "w.yaml: returning\n")
    let wrong = try TerminalSession(files: Self.files, variables: ["AUTHFLOW_SHARD": "4/3"])
    #expect(try await wrong.run("test").status == .usageError)
  }

  @Test func writesAndComparesGoldenTraces() async throws {
    let session = try TerminalSession(files: Self.files.merging(["Golden/notes.jsonl": "mine"]) { $1 })
    let only = ["--filter", "w.yaml: returning", "--golden", "Golden"]
    #expect(try await session.run(["test", "w.yaml"] + only).status == .failed)
    #expect(try await session.run(["test", "w.yaml", "--update"] + only).status == .success)
    let repeated = try await session.run(
      ["test", "/home/dev/app/w.yaml", "--jobs", "1", "--shuffle", "--repeat", "2"] + only.suffix(2) + [
        "--filter", "returning",
      ])
    #expect(repeated.status == .success, "\(repeated.output)\(repeated.error)")
    #expect(session.files.text("Golden/notes.jsonl") == "mine")
  }

  @Test func anUpdateReportsTheNumberOfGoldenTraces() async throws {
    let session = try TerminalSession(files: Self.files)
    let update = ["test", "w.yaml", "--filter", "returning", "--golden", "G", "--update"]
    let first = try await session.run(update)
    #expect(first.status == .success)
    #expect(first.error == "golden traces: 1 written, 0 unchanged, 0 removed\n")
    let second = try await session.run(update)
    #expect(second.error == "golden traces: 0 written, 1 unchanged, 0 removed\n")
    let golden = try #require(session.files.paths.first { $0.contains("/G/") })
    let old = try #require(session.files.text(golden)).replacing("callGraph", with: "callMail")
    try session.files.replace(golden, with: Array(old.utf8), privately: false)
    let compared = try await session.run(Array(update.dropLast()))
    #expect(compared.status == .failed)
    #expect(!compared.error.contains("golden traces:"))
    let quiet = try await session.run(update + ["--quiet"])
    #expect(quiet.status == .success && quiet.error.isEmpty, "\(quiet.error)")
    #expect(session.files.text(golden)?.contains("callMail") == false)
  }

  /// Because no step has run, the failure contains MSAL's error message.
  @Test func reportsAnApplicationThatCannotBeCreated() async throws {
    let workflow = """
      authflow: 1
      settings:
        AppId: 6731de76-14a6-49ae-97bc-6eba6914391e
        GraphScopes: [User.Read]
        BundleId: com.contoso.graphtutorial
        RedirectUri: https://contoso.com/cb
      steps: [silent]
      scenarios: { a: { expect: { outcome: success } }, b: { expect: { outcome: invalidRedirectURI, path: [] } } }
      """
    let session = try TerminalSession(files: ["w.yaml": workflow])
    let result = try await session.run("test", "w.yaml")
    #expect(result.status == .failed)
    #expect(result.output.contains("application ended with invalidRedirectURI:"), "\(result.output)")
    #expect(result.output.contains("1 failed, 1 passed"))
  }

  @Test func doesNotRunScenariosIfAWorkflowHasErrors() async throws {
    let session = try TerminalSession(files: Self.files.merging(["b.yaml": "authflow: 1\nstepz: []\n"]) { $1 })
    let result = try await session.run("test")
    #expect(result.status == .usageError)
    #expect(result.error.contains("no scenarios ran, because of errors in b.yaml"))
    #expect(result.output.isEmpty)
  }

  @Test func quietOmitsTheCoverageTable() async throws {
    let session = try TerminalSession(files: Self.files)
    let arguments = ["test", "--coverage", "--filter", "returning"]
    #expect(try await session.run(arguments).output.contains("covered"))
    let quiet = try await session.run(arguments + ["--quiet"])
    #expect(quiet.status == .success)
    #expect(quiet.output.isEmpty)
    let low = try await session.run(arguments + ["--quiet", "--coverage-min", "100"])
    #expect(low.status == .failed)
    #expect(low.error.contains("is below 100%"))
  }

  @Test(arguments: ["it's \"weird\" $name * [x]", "-starts with a dash", "?", "a\\b", "wrong"])
  func theRerunCommandRunsOnlyTheFailedScenario(name: String) async throws {
    let key = JSON.string(name).text()
    let path = "{expect: {path: [loadAccount.found, ...]}}"
    let files = TerminalSession.files(
      steps: "- loadAccount\n- silent\n- interactive-fallback\n- callGraph: /me",
      "scenarios:\n  \(key): \(path)\n  \(JSON.string(name + " too").text()): \(path)\n")
    let session = try TerminalSession(files: files)
    let all = try await session.run("test", "w.yaml", "--format", "json")
    let failure = try #require(try JSON(parsing: Array(all.output.utf8))["tests"]?.array?.first?["failure"])
    for command in ["rerun", "watch"] {
      let arguments = Self.arguments(try #require(failure[command]?.string))
      #expect(arguments.first == "authflow")
      let repeated = try await session.run(arguments.dropFirst() + ["--format", "json"])
      #expect(repeated.status == .failed, "\(arguments) \(repeated.error)")
      let json = try JSON(parsing: Array(repeated.output.utf8))
      let names = command == "watch" ? [json["name"]] : json["tests"]?.array?.map { $0["name"] } ?? []
      #expect(names == [.string(name)], "\(arguments)")
    }
  }

  /// Splits a command line as a POSIX shell does.
  private static func arguments(_ command: String) -> [String] {
    var arguments: [String] = [""]
    var isQuoted = false
    var rest = command[...]
    while let letter = rest.popFirst() {
      switch letter {
      case "'": isQuoted.toggle()
      case "\\" where !isQuoted: arguments[arguments.count - 1].append(rest.popFirst() ?? "\\")
      case " " where !isQuoted: arguments.append("")
      default: arguments[arguments.count - 1].append(letter)
      }
    }
    return arguments
  }

  @Test func reportsTheSeedOfAShuffledOrder() async throws {
    let session = try TerminalSession(files: Self.files)
    let first = try await session.run("test", "--shuffle", "--jobs", "1", "--list")
    let order = ["test", "--list", "--shuffle=12"]
    #expect(try await session.run(order).output == session.run(order).output)
    #expect(Set(first.output.split(separator: "\n")).count == 3)
    let run = try await session.run("test", "--shuffle", "--filter", "returning")
    let note = try #require(run.error.firstMatch(of: /note: running in random order; use `--shuffle=([0-9]+)`/))
    #expect(run.output.contains("shuffled with seed \(note.1)"))
  }

  @Test func reportsTheNumberOfRepetitions() async throws {
    let session = try TerminalSession(files: Self.files)
    let result = try await session.run("test", "--repeat", "3", "--filter", "returning")
    #expect(result.status == .success)
    #expect(result.output.contains("each 3 times"))
    #expect(try await session.run("test", "--repeat", "0").status == .usageError)
  }

  @Test("skips results that an earlier test wrote to the folder")
  func earlierResults() async throws {
    let session = try TerminalSession(files: Self.files)
    let command = ["test", ".", "--shard", "1/3", "--json", "shard-1.json", "--trace", "Traces", "--report", "r.html"]
    let first = try await session.run(command)
    let repeated = try await session.run(command)
    #expect(repeated.status == first.status)
    #expect(repeated.status != .usageError, "\(repeated.error)")
    let named = try await session.run("test", "shard-1.json")
    #expect(named.status == .usageError)
    #expect(named.error.contains("this is a result of `authflow test`, not a workflow"), "\(named.error)")
  }

  static func signIn(_ scope: String, settings: String = TerminalSession.plainSettings) -> [String: String] {
    TerminalSession.files(
      steps: "- interactive: {scopes: [\"\(scope)\"]}", settings: settings,
      "scenarios: {s: {expect: {outcome: success}}}\n")
  }

  @Test(
    "rejects a permission that Microsoft Graph does not define and suggests a valid one",
    arguments: ["", "--no-strict"])
  func unknownPermission(option: String) async throws {
    let session = try TerminalSession(files: Self.signIn("User.Raed"))
    let result = try await session.run(["test", "w.yaml"] + [option].filter { !$0.isEmpty })
    #expect(result.status == .failed)
    #expect(result.output.contains("did you mean `User.Read`?"), "\(result.output)")
    let run = try await session.run("run", "w.yaml", "--fresh")
    #expect(run.status == .failed)
    #expect(run.error.contains("did you mean `User.Read`?"), "\(run.error)")
  }

  @Test("automatically registers only APIs that are in the settings, unless `--no-strict` is used")
  func unknownAPI() async throws {
    let scope = "api://tasks.contoso.com/Tasks.Read"
    let session = try TerminalSession(files: Self.signIn(scope))
    let strict = try await session.run("test", "w.yaml")
    #expect(strict.status == .failed)
    #expect(strict.output.contains("AADSTS500011"), "\(strict.output)")
    #expect(try await session.run("test", "w.yaml", "--no-strict").status == .success)
    let settings = TerminalSession.plainSettings.replacing("[User.Read]", with: "[\(scope)]")
    let declared = try TerminalSession(files: Self.signIn(scope, settings: settings))
    #expect(try await declared.run("test", "w.yaml").status == .success)
  }

  @Test(
    "the first option that provides a value for the settings overrides the others",
    arguments: [
      (["--define", "TEAM=one", "--env", "TEAM=two"], true), (["--env", "TEAM=one", "--env-file", "two.env"], true),
      (["--env", "TEAM", "--env-file", "two.env"], true), (["--env-file", "one.env", "--env-file", "two.env"], false),
      (["--define", "TEAM=two", "--env", "TEAM"], false),
    ])
  func valuesOfSettings(options: [String], isOne: Bool) async throws {
    let settings = TerminalSession.plainSettings.replacing("com.contoso", with: "com.$(TEAM)")
    var files = Self.signIn("User.Read", settings: settings)
    files["one.env"] = "TEAM=one\n"
    files["two.env"] = "TEAM=two\n"
    let isExported = options.contains("TEAM")
    let session = try TerminalSession(files: files, variables: isExported ? ["TEAM": "one"] : [:])
    let missing = try await session.run("test", "w.yaml")
    #expect(missing.status == .usageError)
    #expect(missing.error.contains("help: pass `--define TEAM=value`"), "\(missing.error)")
    let result = try await session.run(["test", "w.yaml"] + options)
    #expect(result.status == .success, "\(result.error)")
    let shown = try await session.run(["settings", "S.yaml"] + options)
    #expect(shown.output.contains(isOne ? "com.one.graphtutorial" : "com.two.graphtutorial"), "\(shown.output)")
  }

  @Test(arguments: [
    (["--filter", "nothing like it"], "error: no match for `--filter 'nothing like it'` in 3 scenarios"),
    (["--tags", "nosuch"], "error: no match for `--tags nosuch` in 3 scenarios"),
    (["--filter", "w.yaml: retruning"], "did you mean `'w.yaml: returning'`?"),
    (["--shard", "4/3"], "shard 4 is not between 1 and 3"), (["--shard", "0/3"], "shard 0 is not between 1 and 3"),
    (["--shard", "x"], "`x` is not a shard"), (["--update"], "`--update` requires `--golden`"),
    (["--golden", "none"], "none is not a folder"), (["--quiet", "--verbose"], "cannot be used together"),
    (["nowhere"], "nowhere: error: no such file"),
  ]) func rejectsOptionsThatSelectNoScenarios(arguments: [String], message: String) async throws {
    let session = try TerminalSession(files: Self.files)
    let result = try await session.run(["test"] + arguments)
    #expect(result.status == .usageError)
    #expect(result.output.isEmpty)
    #expect(result.error.contains(message), "\(result.error)")
  }

  @Test func anEmptyShardPasses() async throws {
    let session = try TerminalSession(files: Self.files)
    let result = try await session.run("test", "--filter", "returning", "--shard", "2/2", "--json", "s.json")
    #expect(result.status == .success, "\(result.error)")
    #expect(session.files.text("s.json")?.contains(#""total": 0"#) == true)
  }

  @Test(arguments: [
    ["CI_NODE_TOTAL": "3"], ["CI_NODE_TOTAL": "many", "CI_NODE_INDEX": "1"],
    ["CI_NODE_TOTAL": "3", "CI_NODE_INDEX": "0"], ["AUTHFLOW_SHARD": "2"],
  ]) func rejectsInvalidShardVariables(variables: [String: String]) async throws {
    let session = try TerminalSession(files: Self.files, variables: variables)
    let result = try await session.run("test")
    #expect(result.status == .usageError)
    #expect(result.error.contains("use `--shard 1/1` to run all scenarios"))
  }

  @Test func aSingleCIJobRunsAllScenarios() async throws {
    let session = try TerminalSession(files: Self.files, variables: ["CI_NODE_TOTAL": "1"])
    #expect(try await session.run("test", "--list").output.split(separator: "\n").count == 3)
  }

  @Test func writesAnnotationsAndAppendsTheGitHubJobSummary() async throws {
    let files = Self.files.merging(["/tmp/summary.md": "before"]) { $1 }
    let session = try TerminalSession(
      files: files,
      variables: [
        "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "/tmp/summary.md", "GITHUB_WORKSPACE": "/home/dev",
        "CI": "true", "AUTHFLOW_SHARD": "1/1",
      ])
    let result = try await session.run("test")
    #expect(result.status == .failed)
    #expect(result.error.contains("note: running shard 1/1, from AUTHFLOW_SHARD"))
    let annotation = "::error file=app/w.yaml,line=6,col=27,title=wrong::the path differs at entry 1"
    #expect(result.error.contains(annotation), "\(result.error)")
    let page = try #require(session.files.text("/tmp/summary.md"))
    #expect(page.hasPrefix("before\n### ❌ authflow: 1 failed, 2 passed"))
    #expect(page.contains("<summary>w.yaml: wrong</summary>"))
  }

  @Test func wrapsAFailureToTheWidthOfTheTerminal() async throws {
    for width in [60, 100, 200] {
      let console = BufferedConsole(terminals: [.output], width: width)
      let session = try TerminalSession(
        files: Self.files, variables: ["NO_COLOR": "1", "LANG": "C.UTF-8"], console: console)
      let output = try await session.run("test", "--filter", "wrong").output
      #expect(!output.contains("\u{1B}"))
      let commands = output.split(separator: "\n").filter { $0.hasPrefix("  rerun: ") || $0.hasPrefix("  watch: ") }
      #expect(commands.count == 2, "each command is on one line, so that users can copy it")
      let wide = output.split(separator: "\n").filter { $0.count > width && !commands.contains($0) }
      #expect(wide.isEmpty, "\(width): \(wide)")
    }
    let colored = BufferedConsole(terminals: [.output], width: 80)
    let session = try TerminalSession(files: Self.files, variables: ["TERM": "xterm"], console: colored)
    #expect(try await session.run("test", "--filter", "wrong").output.contains("\u{1B}["))
  }

  @Test func showsPreconditionsWithoutSecrets() async throws {
    let session = try TerminalSession(
      files: TerminalSession.files(
        steps: "- loadAccount\n- silent\n- interactive-fallback\n- callGraph: /me",
        """
        scenarios:
          busy:
            user: {username: megan@contoso.com, password: hunter-2-hunter, consent: [User.Read]}
            given:
              - signedIn: {user: megan@contoso.com, scopes: [User.Read, Mail.Read]}
              - wait: 2h
              - passwordChanged: {to: fresh-Secret-1}
              - fault: {at: GET /v1.0/me, response: {status: 503, retryAfter: 2s}, times: 1}
            before: {callGraph: [wait: 5m]}

        """))
    let output = try await session.run("run", "w.yaml", "--scenario", "busy").output
    for line in [
      "scenario: busy", "  user: megan@contoso.com, enters another password, consents to User.Read only",
      "  given: signedIn: {user: megan@contoso.com, scopes: [User.Read, Mail.Read]}", "  given: wait: 2h",
      "  given: passwordChanged: {to: ‹newPassword›}",
      "  given: fault: {at: GET /v1.0/me, response: {status: 503, retryAfter: 2s}, times: 1}",
      "  before callGraph: wait: 5m",
    ] { #expect(output.contains(line + "\n"), "\(line)") }
    #expect(!output.contains("fresh-Secret-1") && !output.contains("hunter-2"))
  }

  @Test func suggestsANameForAnUnknownScenario() async throws {
    let session = try TerminalSession(files: Self.files)
    let result = try await session.run("run", "w.yaml", "--scenario", "retruning")
    #expect(result.status == .usageError)
    #expect(result.error.contains("did you mean `returning`?"))
  }
}
