import Diagnostics
import Documents
import Lessons
import TestSupport
import Testing
import WorkflowModel

/// A workflow told as a lesson.
@Suite struct WorkflowWalkthroughTests {
  static func workflow(_ text: String) throws -> Workflow {
    let (workflow, diagnostics) = WorkflowDecoder.read(DocumentReader.read(text, named: "w.yaml")) { path in
      DocumentReader.read("AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\n", named: path)
    }
    #expect(!diagnostics.contains { $0.severity == .error }, "\(diagnostics)")
    return try #require(workflow)
  }

  static func lesson(_ steps: String) throws -> WorkflowWalkthrough {
    let indented = steps.split(separator: "\n").map { "  \($0)\n" }.joined()
    return WorkflowWalkthrough(try workflow("authflow: 1\nsettings: S.yaml\nsteps:\n\(indented)"))
  }

  @Test func eachStepIsToldWithItsWays() throws {
    let lesson = WorkflowWalkthrough(
      try Self.workflow(
        """
        authflow: 1
        name: Mail
        settings: S.yaml
        inputs: { top: { type: integer, default: 5 } }
        steps:
          - loadAccount
          - silent: { scopes: [Mail.Read] }
          - interactive-fallback:
            on: { userCanceled: end }
          - callGraph: /me/messages
            expect: { status: 200 }
            capture: { first: "$.value[0].subject" }
            retry: { attempts: 2 }
        finally: [ signout ]
        scenarios:
          first run: { description: Nobody is known. }
          known:
            given: [signedIn: megan@contoso.com]
            expect: { path: [loadAccount.found, silent.success, ...] }
        """))
    #expect(lesson.title == "Mail")
    #expect(lesson.steps.map(\.id) == ["loadAccount", "silent", "interactive-fallback", "callGraph", "signout"])
    #expect(
      lesson.steps[0].ways.map(\.leads) == ["on to silent", "falls back on interactive-fallback", "the workflow fails"])
    #expect(lesson.steps[1].details == ["scopes: Mail.Read"])
    #expect(lesson.steps[1].ways.last?.isRest == true)
    #expect(lesson.steps[2].ways.contains { $0.outcomes == ["userCanceled"] && $0.leads.contains("success, as `on`") })
    let call = lesson.steps[3]
    #expect(call.details.contains("expects status is 200"))
    #expect(call.details.contains("remembers first"))
    #expect(call.details.contains("tries up to 2 times"))
    #expect(call.inside.brief.contains("up to 2 times in all"))
    #expect(call.ways.contains { $0.leads == "asks silent again with the claims, then makes this call once more" })
    #expect(lesson.steps[4].isFinal)
    #expect(lesson.scenarios.map(\.name) == ["first run", "known"])
    #expect(lesson.scenarios[1].path == ["loadAccount.found", "silent.success", "..."])
    #expect(lesson.circumstances.contains { $0.contains("--set top=") })
    let found = try #require(lesson.steps[0].outcomes.first { $0.name == "found" })
    #expect(found.shownBy == ["known"] && found.leads == "on to silent")
    let ambiguous = try #require(lesson.steps[0].outcomes.first { $0.name == "ambiguousAccount" })
    #expect(ambiguous.words.contains("-42102") && ambiguous.shownBy.isEmpty)
  }

  /// What MSAL does inside depends on what the step says.
  @Test(
    arguments: [
      ("- silent", "First the cache", nil), ("- silent: { forceRefresh: true }", "passed over", nil),
      ("- interactive", "exchanges it for tokens", "second factor"),
      ("- interactive: { prompt: login }", "in a browser", "password page"),
      ("- interactive: { prompt: never }", "prompt=none", "no page at all"),
      ("- interactive: { prompt: selectAccount }", "in a browser", "list of accounts"),
      ("- loadAccount: { username: a@contoso.com }", "account of this name", nil),
      ("- loadAccount: { first: true }", "takes the first", nil),
      ("- signout: { signoutFromBrowser: true }", "browser's session", "sign-out page"),
      ("- signout: { wipeCacheForAllAccounts: true }", "empties the cache", nil),
      ("- deviceCode", "another device", "short code"), ("- wait: 2h", "clock", nil),
      ("- callGraph: /me\n  retry: none", "Nothing is tried again", nil),
    ] as [(String, String, String?)]) func theInsideFollowsTheParameters(step: String, brief: String, sees: String?)
    throws
  {
    let inside = try #require(Self.lesson(step).steps.first).inside
    #expect(inside.brief.contains(brief), "\(inside.brief)")
    if let sees {
      #expect(inside.sees?.contains(sees) == true, "\(inside.sees ?? "nothing")")
    } else {
      #expect(inside.sees == nil)
    }
  }

  @Test func everyKindOfStepHasAnInside() throws {
    for kind in StepKind.all where kind.standsAlone {
      let inside = try #require(Self.lesson("- \(kind.key)").steps.first).inside
      #expect(inside.brief.hasSuffix("."), "\(kind.key)")
      for point in inside.points { #expect(point.hasSuffix("."), "\(point)") }
    }
  }

  /// Headers and passwords in a workflow are the writer's own business.
  @Test func whatIsASecretByItsNameIsNotRepeated() throws {
    let text = try Self.lesson(
      """
      - silent
      - callAPI: { url: "https://api.example/x", headers: { Authorization: Bearer hunter2, Prefer: x } }
      """
    ).json.text()
    #expect(!text.contains("hunter2"))
    #expect(text.contains("Prefer"))
  }
}
