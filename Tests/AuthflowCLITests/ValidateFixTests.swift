import AuthflowCLI
import Effects
import SimulatedWorld
import TestSupport
import Testing

/// Mending in place, and the diff of what would be mended.
@Suite struct ValidateFixTests {
  /// White space around the client id is what every version mends.
  static let bad = "# keep me\nAppId: \" 6731de76-14a6-49ae-97bc-6eba6914391e\"   # mine\nGraphScopes: [User.Read]\n"
  static let good = "# keep me\nAppId: \"6731de76-14a6-49ae-97bc-6eba6914391e\"   # mine\nGraphScopes: [User.Read]\n"

  @Test func aFileIsMendedInPlace() async throws {
    let session = try TerminalSession(files: ["a b/x.yaml": Self.bad])
    let result = try await session.run("validate", "a b", "--fix")
    #expect(result.status == .success, "\(result.error)")
    #expect(session.files.text("a b/x.yaml") == Self.good)
    #expect(result.output.hasPrefix("mended a b/x.yaml: "))
    #expect(result.output.contains("1 file checked: 0 errors, 0 warnings"))
    let again = try await session.run("validate", "a b", "--fix")
    #expect(again.output.hasPrefix("1 file checked"))
  }

  @Test func aDryRunPrintsADiffAndWritesNothing() async throws {
    let session = try TerminalSession(files: ["a/x.yaml": Self.bad])
    let result = try await session.run("validate", "a", "--fix", "--dry-run")
    #expect(session.files.text("a/x.yaml") == Self.bad)
    #expect(
      result.output == """
        --- a/a/x.yaml
        +++ b/a/x.yaml
        @@ -1,3 +1,3 @@
         # keep me
        -AppId: " 6731de76-14a6-49ae-97bc-6eba6914391e"   # mine
        +AppId: "6731de76-14a6-49ae-97bc-6eba6914391e"   # mine
         GraphScopes: [User.Read]

        """)
    #expect(result.error.contains("would mend a/x.yaml: "))
  }

  @Test func theDiffHidesSecrets() async throws {
    let session = try TerminalSession(files: ["x.yaml": Self.bad + "ClientSecret: s3cr3t-s3cr3t\n"])
    let result = try await session.run("validate", "x.yaml", "--fix", "--dry-run")
    #expect(!result.output.contains("s3cr3t") && !result.error.contains("s3cr3t"))
    #expect(result.output.contains("ClientSecret: •"))
    #expect(result.error.contains("hides a secret"))
  }

  /// Whatever a frame would not show, the diff does not show either.
  @Test func theDiffHidesWhatIsNoSecretByItsLine() async throws {
    let text =
      Self.bad
      + "FunctionKey: Zm9vYmFyYmF6cXV1eA\nTokenUrl: https://contoso.azurewebsites.net/api/token?code=c2FtcGxlLWtleS1ub3QtcmVhbA\n"
    let session = try TerminalSession(files: ["x.yaml": text])
    let result = try await session.run("validate", "x.yaml", "--fix", "--dry-run")
    #expect(result.output.contains("+AppId: \"6731") && result.output.contains(" FunctionKey: •"))
    #expect(!result.output.contains("Zm9v") && !result.output.contains("c2Ft"))
    #expect(result.error.contains("hides a secret"))
    #expect(!result.error.contains("Zm9v") && !result.error.contains("c2Ft"))
  }

  @Test func filesThatLinksLeadToAreNotFoundInAFolder() async throws {
    let session = try TerminalSession(files: ["other/x.yaml": Self.bad, "a/y.yaml": Self.bad])
    session.files.link("a/x.yaml", to: "other/x.yaml")
    let result = try await session.run("validate", "a", "--fix")
    #expect(session.files.text("other/x.yaml") == Self.bad)
    #expect(session.files.text("a/y.yaml") == Self.good)
    #expect(result.output.contains("1 file checked"))
    // Somebody who names the link means what it leads to.
    _ = try await session.run("validate", "a/x.yaml", "--fix")
    #expect(session.files.text("other/x.yaml") == Self.good)
  }

  @Test func whatWasWrittenCountsWhereTheRestWasNot() async throws {
    let session = try TerminalSession(files: ["a/x.yaml": Self.bad, "a/y.yaml": Self.bad])
    session.files.refuseWriting("a/y.yaml")
    let result = try await session.run("validate", "a", "--fix")
    #expect(result.status == .environmentFailure)
    #expect(session.files.text("a/x.yaml") == Self.good && session.files.text("a/y.yaml") == Self.bad)
    let told = result.output + result.error
    #expect(told.contains("a/y.yaml:2:") && !told.contains("a/x.yaml:2:"))
  }

  @Test func whatTheConfigurationTurnsOffIsNotBroken() async throws {
    let session = try TerminalSession(files: ["x.yaml": Self.bad, ".authflow.yaml": "rules: {yaml-syntax: off}\n"])
    let result = try await session.run("validate", "x.yaml", "--fix")
    #expect(session.files.text("x.yaml") == Self.good)
    #expect(result.status == .success)
  }

  @Test func aDiskThatRefusesIsTold() async throws {
    let session = try TerminalSession(files: ["x.yaml": Self.bad])
    session.files.setCapacity(10)
    let result = try await session.run("validate", "x.yaml", "--fix")
    #expect(result.status == .environmentFailure)
    #expect(result.error.contains("error: x.yaml: "))
    #expect(session.files.text("x.yaml") == Self.bad)
  }

  @Test func whatRemainsIsToldAndFails() async throws {
    let text = Self.bad.replacing("[User.Read]", with: "[]")
    let session = try TerminalSession(files: ["x.yaml": text])
    let result = try await session.run("validate", "x.yaml", "--fix")
    #expect(session.files.text("x.yaml")?.contains("\"6731") == true)
    #expect((result.output + result.error).contains("[scopes-empty]"))
    #expect(result.status == .failed)
  }
}
