import AuthflowCLI
import Documents
import Lessons
import TestSupport
import Testing

/// `authflow explain` for a workflow, and for the app code of a step.
@Suite struct ExplainLessonTests {
  @Test func explainsTheStepsAndScenariosOfAWorkflow() async throws {
    let session = try TerminalSession(shipped: true)
    let summary = try await session.run("explain", "Workflows/me.yaml")
    #expect(summary.status == .success && summary.error == "", "\(summary.error)")
    #expect(summary.output.contains("Behavior: MSAL searches the cache for an access token"))
    #expect(summary.output.contains("The user sees the required pages"))
    #expect(summary.output.contains("→ interactionRequired: falls back to interactive-fallback"))
    #expect(summary.output.contains("Scenarios\n") && summary.output.contains("--verbose"))
    let full = try await session.run("explain", "Workflows/me.yaml", "--verbose")
    #expect(full.status == .success)
    #expect(full.output.count > 2 * summary.output.count)
    #expect(full.output.contains("After bad_token, MSAL deletes the refresh token"))
    #expect(full.output.contains("(-50002); falls back to interactive-fallback; shown by"))
    let json = try JSON(parsing: await session.run("explain", "Workflows/me.yaml", "--format", "json").output)
    let silent = json["workflow"]?["steps"]?[1]
    #expect(silent?["internals"]?["details"]?.count ?? 0 > 5)
    #expect(silent?["outcomes"]?.array?.contains { $0["name"] == "interactionRequired" } == true)
    #expect(json["workflow"]?["scenarios"]?[0]?["path"]?[0] == "loadAccount.notFound")
  }

  @Test func printsAppCodeForAStep() async throws {
    let result = try await TerminalSession().run("explain", "silent")
    #expect(result.output.contains("step type") && result.output.contains("App code for silent  Swift"))
    #expect(result.output.contains("case .interactionRequired:"))
    #expect(result.output.contains("--code kotlin"))
    for language in AppCode.Language.allCases {
      let code = try await TerminalSession().run("explain", "silent", "--code", language.rawValue)
      #expect(code.status == .success)
      #expect(code.output.hasPrefix("App code for silent  \(language.name), \(language.library)"))
      #expect(!code.output.contains("step type"))
    }
    let missing = try await TerminalSession().run("explain", "deviceCode", "--code", "swift")
    #expect(missing.status == .success && missing.output.contains("does not support the device code flow"))
    let fallback = try await TerminalSession().run("explain", "interactive-fallback", "--code", "java")
    #expect(fallback.output.contains("App code for interactive-fallback") && fallback.output.contains("tokenSilently"))
    let json = try JSON(parsing: await TerminalSession().run("explain", "silent", "--format", "json").output)
    #expect(json["code"]?.count == 5 && json["code"]?[4]?["language"] == "java")
  }

  @Test func rejectsTheCodeOptionForTopicsWithoutAppCode() async throws {
    for arguments in [["explain", "AADSTS65001", "--code", "java"], ["explain", "wait", "--code", "swift"]] {
      let result = try await TerminalSession().run(arguments)
      #expect(result.status == .usageError)
      #expect(result.error.contains("use one of loadAccount"))
    }
    let language = try await TerminalSession().run("explain", "silent", "--code", "cobol")
    #expect(language.status == .usageError && language.error.contains("kotlin"))
    let other = try JSON(parsing: await TerminalSession().run("explain", "AADSTS65001", "--format", "json").output)
    #expect(other["code"] == nil)
  }
}
