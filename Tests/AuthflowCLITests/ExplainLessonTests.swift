import AuthflowCLI
import Documents
import Lessons
import TestSupport
import Testing

/// `authflow explain FILE` as a lesson, and `authflow explain STEP` in the code of an app.
@Suite struct ExplainLessonTests {
  @Test func aWorkflowIsALesson() async throws {
    let session = try TerminalSession(shipped: true)
    let short = try await session.run("explain", "Workflows/me.yaml")
    #expect(short.status == .success && short.error == "", "\(short.error)")
    #expect(short.output.contains("Inside: First the cache: an access token of this account"))
    #expect(short.output.contains("The user sees the service's pages"))
    #expect(short.output.contains("→ interactionRequired: falls back on interactive-fallback"))
    #expect(short.output.contains("What its scenarios show") && short.output.contains("--verbose"))
    let whole = try await session.run("explain", "Workflows/me.yaml", "--verbose")
    #expect(whole.status == .success)
    #expect(whole.output.count > 2 * short.output.count)
    #expect(whole.output.contains("bad_token removes the refresh token"))
    #expect(whole.output.contains("(-50002); falls back on interactive-fallback; shown by"))
    let json = try JSON(parsing: await session.run("explain", "Workflows/me.yaml", "--format", "json").output)
    let silent = json["workflow"]?["steps"]?[1]
    #expect(silent?["inside"]?["points"]?.count ?? 0 > 5)
    #expect(silent?["outcomes"]?.array?.contains { $0["name"] == "interactionRequired" } == true)
    #expect(json["workflow"]?["scenarios"]?[0]?["path"]?[0] == "loadAccount.notFound")
  }

  @Test func aStepIsShownInTheCodeOfAnApp() async throws {
    let result = try await TerminalSession().run("explain", "silent")
    #expect(result.output.contains("kind of step") && result.output.contains("silent in an app  Swift"))
    #expect(result.output.contains("case .interactionRequired:"))
    #expect(result.output.contains("--code kotlin"))
    for language in AppCode.Language.allCases {
      let one = try await TerminalSession().run("explain", "silent", "--code", language.rawValue)
      #expect(one.status == .success)
      #expect(one.output.hasPrefix("silent in an app  \(language.name), \(language.library)"))
      #expect(!one.output.contains("kind of step"))
    }
    let missing = try await TerminalSession().run("explain", "deviceCode", "--code", "swift")
    #expect(missing.status == .success && missing.output.contains("has no device code flow"))
    let fallback = try await TerminalSession().run("explain", "interactive-fallback", "--code", "java")
    #expect(fallback.output.contains("interactive-fallback in an app") && fallback.output.contains("tokenSilently"))
    let json = try JSON(parsing: await TerminalSession().run("explain", "silent", "--format", "json").output)
    #expect(json["code"]?.count == 5 && json["code"]?[4]?["language"] == "java")
  }

  @Test func whatIsNoStepHasNoCode() async throws {
    for words in [["explain", "AADSTS65001", "--code", "java"], ["explain", "wait", "--code", "swift"]] {
      let result = try await TerminalSession().run(words)
      #expect(result.status == .usageError)
      #expect(result.error.contains("name one of loadAccount"))
    }
    let language = try await TerminalSession().run("explain", "silent", "--code", "cobol")
    #expect(language.status == .usageError && language.error.contains("kotlin"))
    let other = try JSON(parsing: await TerminalSession().run("explain", "AADSTS65001", "--format", "json").output)
    #expect(other["code"] == nil)
  }
}
