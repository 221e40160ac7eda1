import Diagnostics
import Documents
import Lessons
import TestSupport
import Testing
import WorkflowModel

/// Tests walkthroughs of workflows.
@Suite struct WorkflowWalkthroughTests {
  static func workflow(_ text: String) throws -> Workflow {
    let (workflow, diagnostics) = WorkflowDecoder.read(DocumentReader.read(text, named: "w.yaml")) { path in
      DocumentReader.read("AppId: 6731de76-14a6-49ae-97bc-6eba6914391e\n", named: path)
    }
    #expect(!diagnostics.contains { $0.severity == .error }, "\(diagnostics)")
    return try #require(workflow)
  }

  static func walkthrough(_ steps: String) throws -> WorkflowWalkthrough {
    let indented = steps.split(separator: "\n").map { "  \($0)\n" }.joined()
    return WorkflowWalkthrough(try workflow("authflow: 1\nsettings: S.yaml\nsteps:\n\(indented)"))
  }

  @Test func describesEachStepWithItsBranches() throws {
    let walkthrough = WorkflowWalkthrough(
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
          first run: { description: No account is cached. }
          known:
            given: [signedIn: megan@contoso.com]
            expect: { path: [loadAccount.found, silent.success, ...] }
        """))
    #expect(walkthrough.title == "Mail")
    #expect(walkthrough.steps.map(\.id) == ["loadAccount", "silent", "interactive-fallback", "callGraph", "signout"])
    #expect(
      walkthrough.steps[0].branches.map(\.effect) == [
        "continues with silent", "falls back to interactive-fallback", "the workflow fails",
      ])
    #expect(walkthrough.steps[1].details == ["scopes: Mail.Read"])
    #expect(walkthrough.steps[1].branches.last?.isDefault == true)
    #expect(
      walkthrough.steps[2].branches.contains {
        $0.outcomes == ["userCanceled"] && $0.effect == "the workflow succeeds, because of `on` or `expect`"
      })
    let call = walkthrough.steps[3]
    #expect(call.details.contains("expects status is 200"))
    #expect(call.details.contains("captures first"))
    #expect(call.details.contains("up to 2 attempts"))
    #expect(call.internals.summary.contains("up to 2 attempts"))
    #expect(call.branches.contains { $0.effect == "runs silent again with the claims, and then repeats this call" })
    #expect(walkthrough.steps[4].isFinal)
    #expect(walkthrough.scenarios.map(\.name) == ["first run", "known"])
    #expect(walkthrough.scenarios[1].path == ["loadAccount.found", "silent.success", "..."])
    #expect(walkthrough.setup.contains { $0.contains("--set top=") })
    let found = try #require(walkthrough.steps[0].outcomes.first { $0.name == "found" })
    #expect(found.scenarios == ["known"] && found.effect == "continues with silent")
    let ambiguous = try #require(walkthrough.steps[0].outcomes.first { $0.name == "ambiguousAccount" })
    #expect(ambiguous.summary.contains("-42102") && ambiguous.scenarios.isEmpty)
  }

  @Test(
    arguments: [
      ("- silent", "searches the cache for an access token", nil),
      ("- silent: { forceRefresh: true }", "ignores cached access tokens", nil),
      ("- interactive", "redeems it for tokens", "second factor"),
      ("- interactive: { prompt: login }", "in a browser", "password page"),
      ("- interactive: { prompt: never }", "prompt=none", "no page"),
      ("- interactive: { prompt: selectAccount }", "in a browser", "account picker"),
      ("- loadAccount: { username: a@contoso.com }", "account with this username", nil),
      ("- loadAccount: { first: true }", "returns the first", nil),
      ("- signout: { signoutFromBrowser: true }", "ends the browser session", "sign-out page"),
      ("- signout: { wipeCacheForAllAccounts: true }", "removes the tokens of all accounts", nil),
      ("- deviceCode", "another device", "short code"), ("- wait: 2h", "clock", nil),
      ("- callGraph: /me\n  retry: none", "There are no retries.", nil),
    ] as [(String, String, String?)]) func internalsDependOnTheParameters(step: String, summary: String, pages: String?)
    throws
  {
    let internals = try #require(Self.walkthrough(step).steps.first).internals
    #expect(internals.summary.contains(summary), "\(internals.summary)")
    if let pages {
      #expect(internals.pages?.contains(pages) == true, "\(internals.pages ?? "nothing")")
    } else {
      #expect(internals.pages == nil)
    }
  }

  @Test func everyStepTypeHasInternals() throws {
    for kind in StepKind.all where kind.canBeBare {
      let internals = try #require(Self.walkthrough("- \(kind.key)").steps.first).internals
      #expect(internals.summary.hasSuffix("."), "\(kind.key)")
      for point in internals.details { #expect(point.hasSuffix("."), "\(point)") }
    }
  }

  @Test func omitsSecretHeaders() throws {
    let text = try Self.walkthrough(
      """
      - silent
      - callAPI: { url: "https://api.example/x", headers: { Authorization: Bearer hunter2, Prefer: x } }
      """
    ).json.text()
    #expect(!text.contains("hunter2"))
    #expect(text.contains("Prefer"))
  }
}
