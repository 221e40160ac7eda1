import AuthflowCLI
import Effects
import SimulatedWorld
import Testing

/// Values from `.env` files, and secrets from files and commands.
@Suite struct SettingsOptionsTests {
  private static let settings = """
    AppId: $(APP_ID)
    GraphScopes: [User.Read]
    BundleId: com.contoso.graphtutorial

    """

  private static let user = """
    user: { username: "${env:WHO}", password: "${secret:PASSWORD}" }

    """

  private static let steps = """
    - interactive
    - callGraph: /me
    """

  private static func session(
    _ files: [String: String], variables: [String: String] = [:], programOutputs: [String: String] = [:]
  ) throws -> TerminalSession {
    try TerminalSession(
      files: TerminalSession.files(steps: steps, settings: settings, user).merging(files) { $1 },
      variables: variables, programs: StubProgramLauncher(answers: programOutputs))
  }

  private static let variables = "APP_ID=6731de76-14a6-49ae-97bc-6eba6914391e\nWHO=megan@contoso.com\n"

  @Test func readsVariablesAndSecretsFromAFile() async throws {
    let session = try Self.session([".env": Self.variables + "PASSWORD='Fake-Megan-1'\n"])
    let result = try await session.run("run", "w.yaml", "--env-file", ".env", "-v")
    #expect(result.status == .success, "\(result.error)\(result.output)")
    #expect(!result.output.contains("Fake-Megan-1"))
  }

  @Test func environmentVariablesAndLaterFilesOverrideEarlierFiles() async throws {
    let session = try Self.session(
      [".env": Self.variables + "PASSWORD=wrong\n", "own.env": "WHO=nobody@contoso.com\nPASSWORD=Fake-Megan-1\n"],
      variables: ["WHO": "megan@contoso.com"])
    let result = try await session.run("run", "w.yaml", "--env-file", ".env", "--env-file", "own.env")
    #expect(result.status == .success, "\(result.error)\(result.output)")
  }

  @Test(arguments: ["PASSWORD=file:/run/secrets/megan", "PASSWORD=command:pass show megan"])
  func readsASecretFromAFileOrCommand(source: String) async throws {
    let session = try Self.session(
      [".env": Self.variables, "/run/secrets/megan": "Fake-Megan-1\n"], variables: ["PASSWORD": "wrong"],
      programOutputs: ["pass show megan": "Fake-Megan-1\r\n"])
    let result = try await session.run(
      "run", "w.yaml", "--env-file", ".env", "--secret", source, "--trace", "t.jsonl")
    #expect(result.status == .success, "\(result.error)\(result.output)")
    #expect(
      !String(decoding: try session.files.read("t.jsonl", limit: 1 << 24), as: UTF8.self).contains("Fake-Megan-1"))
  }

  @Test(arguments: [
    ("PASSWORD=file:/run/secrets/missing", "/run/secrets/missing", ExitStatus.environmentFailure),
    ("PASSWORD=file:empty", "secret `PASSWORD` is empty", .environmentFailure),
    ("PASSWORD=command:false", "127", .environmentFailure),
    ("PASSWORD=Fake-Megan-1", "malformed option `--secret`", .usageError),
    ("PASSWORD", "environment variable `PASSWORD` is not set", .usageError),
    ("a b=file:x", "malformed option", .usageError), ("PASSWORD=file:", "malformed option", .usageError),
  ]) func reportsAMissingSecretWithoutPrintingSecrets(source: String, text: String, status: ExitStatus) async throws {
    let session = try Self.session([".env": Self.variables, "empty": "\n"])
    let result = try await session.run("run", "w.yaml", "--env-file", ".env", "--secret", source)
    #expect(result.status == status && result.error.contains(text), "\(result.error)")
    #expect(!result.error.contains("Fake-Megan-1") && result.output.isEmpty)
  }

  @Test func reportsTheLocationOfASyntaxErrorInAFile() async throws {
    let session = try Self.session([".env": Self.variables + "PASSWORD 'Fake-Megan-1'\n"])
    let result = try await session.run("run", "w.yaml", "--env-file", ".env")
    #expect(result.status == .usageError)
    #expect(result.error.contains(".env:3:1: error:") && result.error.contains("[env-syntax]"), "\(result.error)")
    #expect(!result.error.contains("Fake-Megan-1"))
    #expect(try await session.run("run", "w.yaml", "--env-file", "none.env").status == .usageError)
  }
}
