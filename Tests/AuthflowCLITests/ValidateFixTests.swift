import AuthflowCLI
import Effects
import SimulatedWorld
import TestSupport
import Testing

/// `authflow validate --fix`, and its diff with `--dry-run`.
@Suite struct ValidateFixTests {
  /// Settings with whitespace in the client ID. `--fix` can correct this error.
  static let unfixed = "# note\nAppId: \" 6731de76-14a6-49ae-97bc-6eba6914391e\"   # mine\nGraphScopes: [User.Read]\n"
  static let fixed = "# note\nAppId: \"6731de76-14a6-49ae-97bc-6eba6914391e\"   # mine\nGraphScopes: [User.Read]\n"

  @Test func fixesAFile() async throws {
    let session = try TerminalSession(files: ["a b/x.yaml": Self.unfixed])
    let result = try await session.run("validate", "a b", "--fix")
    #expect(result.status == .success, "\(result.error)")
    #expect(session.files.text("a b/x.yaml") == Self.fixed)
    #expect(result.output.hasPrefix("fixed a b/x.yaml: "))
    #expect(result.output.contains("1 file checked: 0 errors, 0 warnings"))
    let second = try await session.run("validate", "a b", "--fix")
    #expect(second.output.hasPrefix("1 file checked"))
  }

  @Test func aDryRunPrintsADiffWithoutChangingTheFile() async throws {
    let session = try TerminalSession(files: ["a/x.yaml": Self.unfixed])
    let result = try await session.run("validate", "a", "--fix", "--dry-run")
    #expect(session.files.text("a/x.yaml") == Self.unfixed)
    #expect(
      result.output == """
        --- a/a/x.yaml
        +++ b/a/x.yaml
        @@ -1,3 +1,3 @@
         # note
        -AppId: " 6731de76-14a6-49ae-97bc-6eba6914391e"   # mine
        +AppId: "6731de76-14a6-49ae-97bc-6eba6914391e"   # mine
         GraphScopes: [User.Read]

        """)
    #expect(result.error.contains("would fix a/x.yaml: "))
  }

  @Test func theDiffMasksSecrets() async throws {
    let session = try TerminalSession(files: ["x.yaml": Self.unfixed + "ClientSecret: s3cr3t-s3cr3t\n"])
    let result = try await session.run("validate", "x.yaml", "--fix", "--dry-run")
    #expect(!result.output.contains("s3cr3t") && !result.error.contains("s3cr3t"))
    #expect(result.output.contains("ClientSecret: •"))
    #expect(result.error.contains("masks a secret"))
  }

  /// The diff masks the same values as the excerpts of diagnostics.
  @Test func theDiffMasksValuesThatResembleSecrets() async throws {
    let text =
      Self.unfixed
      + "FunctionKey: Zm9vYmFyYmF6cXV1eA\nTokenUrl: https://contoso.azurewebsites.net/api/token?code=c2FtcGxlLWtleS1ub3QtcmVhbA\n"
    let session = try TerminalSession(files: ["x.yaml": text])
    let result = try await session.run("validate", "x.yaml", "--fix", "--dry-run")
    #expect(result.output.contains("+AppId: \"6731") && result.output.contains(" FunctionKey: •"))
    #expect(!result.output.contains("Zm9v") && !result.output.contains("c2Ft"))
    #expect(result.error.contains("masks a secret"))
    #expect(!result.error.contains("Zm9v") && !result.error.contains("c2Ft"))
  }

  @Test func doesNotFollowLinksInFolders() async throws {
    let session = try TerminalSession(files: ["other/x.yaml": Self.unfixed, "a/y.yaml": Self.unfixed])
    session.files.link("a/x.yaml", to: "other/x.yaml")
    let result = try await session.run("validate", "a", "--fix")
    #expect(session.files.text("other/x.yaml") == Self.unfixed)
    #expect(session.files.text("a/y.yaml") == Self.fixed)
    #expect(result.output.contains("1 file checked"))
    // If a path on the command line is a link, authflow follows the link.
    _ = try await session.run("validate", "a/x.yaml", "--fix")
    #expect(session.files.text("other/x.yaml") == Self.fixed)
  }

  @Test func reportsFindingsInFilesThatCannotBeWritten() async throws {
    let session = try TerminalSession(files: ["a/x.yaml": Self.unfixed, "a/y.yaml": Self.unfixed])
    session.files.refuseWriting("a/y.yaml")
    let result = try await session.run("validate", "a", "--fix")
    #expect(result.status == .environmentFailure)
    #expect(session.files.text("a/x.yaml") == Self.fixed && session.files.text("a/y.yaml") == Self.unfixed)
    let output = result.output + result.error
    #expect(output.contains("a/y.yaml:2:") && !output.contains("a/x.yaml:2:"))
  }

  @Test func aDisabledRuleDoesNotPreventOtherFixes() async throws {
    let session = try TerminalSession(files: ["x.yaml": Self.unfixed, ".authflow.yaml": "rules: {yaml-syntax: off}\n"])
    let result = try await session.run("validate", "x.yaml", "--fix")
    #expect(session.files.text("x.yaml") == Self.fixed)
    #expect(result.status == .success)
  }

  @Test func reportsAFullDisk() async throws {
    let session = try TerminalSession(files: ["x.yaml": Self.unfixed])
    session.files.setCapacity(10)
    let result = try await session.run("validate", "x.yaml", "--fix")
    #expect(result.status == .environmentFailure)
    #expect(result.error.contains("error: x.yaml: "))
    #expect(session.files.text("x.yaml") == Self.unfixed)
  }

  @Test func reportsErrorsThatRemainAfterFixes() async throws {
    let text = Self.unfixed.replacing("[User.Read]", with: "[]")
    let session = try TerminalSession(files: ["x.yaml": text])
    let result = try await session.run("validate", "x.yaml", "--fix")
    #expect(session.files.text("x.yaml")?.contains("\"6731") == true)
    #expect((result.output + result.error).contains("[scopes-empty]"))
    #expect(result.status == .failed)
  }
}
