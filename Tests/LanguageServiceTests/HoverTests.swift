import Diagnostics
import Documents
import LanguageService
import Testing

@Suite struct HoverTests {
  private static let head = CompletionTests.head

  private static let files = [
    "AuthSettings.yaml": "AppId: 3f2a9c1e-7b4d-4e8a-9c6f-1d2e3f4a5b6c\nGraphScopes: [User.Read]\n"
  ]

  @Test(
    "describes keys and values",
    arguments: [
      ("a.yaml", head + "plat¦form: live", ["platform", "Default: `emulated`"]),
      ("a.yaml", head + "steps:\n  - sil¦ent", ["step type", "interactionRequired", "fallback"]),
      ("a.yaml", head + "steps:\n  - sil¦ent: {forceRefresh: true}", ["step type"]),
      ("a.yaml", head + "steps:\n  - silent: {force¦Refresh: true}", ["forceRefresh", "boolean", "Default: `false`"]),
      ("a.yaml", head + "steps:\n  - silent:\n    on: {interaction¦Required: end}", ["outcome", "-50002"]),
      (
        "a.yaml", head + "steps:\n  - silent:\n    on: {interactionRequired: as¦k}\n  - id: ask\n    interactive:\n",
        ["step of type `interactive`"]
      ),
      (
        "a.yaml", head + "steps:\n  - id: ask¦\n    interactive:\n    on: {userCanceled: end}\n",
        ["`userCanceled` → `end`"]
      ),
      (
        "a.yaml", head + "steps:\n  - silent:\n    expect: {token¦Source: cache}",
        ["Source of the token", "`refreshToken`"]
      ),
      ("a.yaml", head + "steps:\n  - silent\n  - assert: {silent.err¦or.code: AADSTS50076}", ["of step `silent`"]),
      (
        "a.yaml", head + "steps:\n  - silent:\n    expect: {error.code: AADSTS50¦076}",
        ["AADSTS50076", "sign-in error"]
      ),
      (
        "a.yaml", head + "steps:\n  - silent:\n    expect: {error.msal: MSALError¦InteractionRequired}",
        ["MSALErrorInteractionRequired"]
      ),
      ("a.yaml", head + "steps: []\nscenarios:\n  one:\n    given: [signed¦In]", ["simulated event"]),
      (
        "a.yaml", head + "steps: []\nscenarios:\n  one:\n    given: [signedIn: megan@cont¦oso.com]",
        ["Megan Bowen", "user in the directory"]
      ),
      ("a.yaml", head + "steps: []\nscenarios:\n  one:\n    given: [wait: 9¦1d]", ["91 days"]),
      ("a.yaml", head + "steps: []\nscenarios:\n  o¦ne:\n    description: Some text", ["scenario", "Some text"]),
      (
        "a.yaml", head + "steps: [silent]\nscenarios:\n  one:\n    expect: {path: [silent.suc¦cess]}",
        ["`success` of step `silent`"]
      ),
      (
        "a.yaml", head + "inputs: {top: {type: integer, default: 5}}\nsteps:\n  - callGraph: \"/me?$top=${to¦p}\"",
        ["input, integer", "Default: `5`"]
      ),
      (
        "a.yaml", head + "steps:\n  - callGraph: /me\n    capture: {who: $.id}\n  - callGraph: /users/${w¦ho}",
        ["Captured by step `callGraph`", "`$.id`"]
      ),
      ("a.yaml", head + "steps:\n  - callGraph: /me?x=${secret:PASS¦}", ["masked"]),
      ("a.yaml", "authflow: 1\nsettings: Auth¦Settings.yaml", ["App registration settings"]),
      ("a.yaml", "authflow: 1\nsettings: no¦ne.yaml", ["does not exist"]),
      ("AuthSettings.yaml", "AppId: x\nGraphScopes: [Calendars.Re¦ad]", ["any user", "read `Calendars`"]),
      ("AuthSettings.yaml", "AppId: x\nGraphScopes: [Directory.Read¦.All]", ["only an administrator"]),
      (
        "AuthSettings.yaml", "AppId: x\nAuthority: https://login.microsoft¦online.com/common",
        ["cloud: public", "personal accounts"]
      ),
      ("AuthSettings.yaml", "AppId: 04b07795-8ddb-461a-bbee-¦02f9e1bf7b46", ["Microsoft Azure CLI"]),
      (
        "manifest.json",
        "{\"requiredResourceAccess\": [{\"resourceAppId\": \"00000003-0000-0000¦-c000-000000000000\"}]}",
        ["Microsoft Graph"]
      ),
      (".authflow.yaml", "rules:\n  authority-mal¦formed: off", ["authority-malformed"]),
      ("AuthSettings.yaml", "AppId: x # authflow:ignore authority-mal¦formed: reason", ["authority-malformed"]),
      (
        "AuthSettings.plist", "<plist><dict><key>Auth¦ority</key><string>x</string></dict></plist>",
        ["URL of the authority"]
      ),
    ])
  func describes(name: String, marked: String, expected: [String]) throws {
    let project = try CompletionProject(name, marked, files: Self.files)
    let hover = try #require(project.hover, "\(name): \(marked)")
    for text in expected { #expect(hover.markdown.contains(text), "\(hover.markdown)") }
  }

  @Test("returns the span of the key, the value, or the placeholder")
  func returnsSpans() throws {
    func text(_ marked: String) throws -> String {
      let project = try CompletionProject("a.yaml", marked, files: Self.files)
      return project.document.source.text(in: try #require(project.hover).span)
    }
    #expect(try text(Self.head + "plat¦form: live") == "platform")
    let template = Self.head + "inputs: {top: {}}\nsteps:\n  - callGraph: \"/me?a=${t¦op}&b=${top}\""
    #expect(try text(template) == "${top}")
  }

  @Test("escapes Markdown from files")
  func escapesMarkdown() throws {
    let marked = Self.head + "steps: []\nscenarios:\n  o¦ne:\n    description: '[x](http://x) <b> `a`'"
    let hover = try #require(try CompletionProject("a.yaml", marked).hover)
    #expect(hover.markdown.contains("\\[x\\]\\(http://x\\) \\<b\\> \\`a\\`"), "\(hover.markdown)")
  }

  @Test("shows the value from the last run of the scenario")
  func showsLastValue() async throws {
    let project = try NavigationProject([
      "AuthSettings.yaml": NavigationProject.settings,
      "a.yaml": """
      authflow: 1
      settings: AuthSettings.yaml
      steps: [loadAccount, silent]
      scenarios:
        two hours later:
          given: [signedIn: megan@contoso.com, wait: 2h]
          expect: { silent.token§Source: cache }

      """,
    ])
    let (document, offset) = try project.marked()
    var results = ScenarioResults()
    let run = await project.snapshot.run("a.yaml", tool: "authflow 1.0")
    results.record(run.outcomes, ofFile: run.path, isComplete: run.isComplete)
    let hover = try #require(project.snapshot.hover(in: document, at: offset, results: results))
    #expect(hover.markdown.contains("In the last run: `\"refreshToken\"`."), "\(hover.markdown)")
  }

  @Test("shows the values of conditions, captures, and variables from the last run")
  func showsLastValuesOfExpressions() async throws {
    let expected = [
      "$.display§Name": "In the last run: `\"Megan Bowen\"`.", "na§me: Megan": "In the last run: `\"Megan Bowen\"`.",
      "silent.to§kenSource": "In the last run: `\"cache\"`.",
    ]
    for (place, value) in expected {
      let workflow = """
        authflow: 1
        settings: AuthSettings.yaml
        steps:
          - loadAccount
          - silent
          - callGraph: /me
            capture: { name: $.displayName }
            when: { silent.tokenSource: cache }
          - assert: { name: Megan Bowen }
        scenarios:
          signed in:
            given: [signedIn: megan@contoso.com]

        """
      let project = try NavigationProject([
        "AuthSettings.yaml": NavigationProject.settings,
        "a.yaml": workflow.replacing(place.replacing("§", with: ""), with: place),
      ])
      let (document, offset) = try project.marked()
      var results = ScenarioResults()
      let run = await project.snapshot.run("a.yaml", tool: "authflow 1.0")
      #expect(run.passed, "\(run)")
      results.record(run.outcomes, ofFile: run.path, isComplete: run.isComplete)
      let hover = try #require(project.snapshot.hover(in: document, at: offset, results: results))
      #expect(hover.markdown.contains(value), "\(hover.markdown)")
    }
  }

  @Test("returns nothing for unknown text and comments")
  func returnsNothing() throws {
    #expect(try CompletionProject("a.yaml", Self.head + "unkn¦own: 1").hover == nil)
    #expect(try CompletionProject("a.yaml", "# com¦ment\nauthflow: 1").hover == nil)
  }
}
