import Diagnostics
import Documents
import Testing
import WorkflowRunner

/// Tests that a scenario overrides its workflow. Mappings are merged, but a path replaces the value. A matrix row
/// overrides its scenario in the same way.
@Suite struct OverrideTests {
  static let workflow = """
    authflow: 1
    settings: Settings.yaml
    inputs: {path: {type: string, default: /me}}
    directory:
      directory: 1
      tenants:
        - name: Contoso
          domains: [contoso.com]
          users:
            - {username: megan@contoso.com, password: Fake-1, displayName: Megan}
            - {username: alex@contoso.com, password: Fake-2, displayName: Alex}
    user: {username: megan@contoso.com, mfa: deny}
    steps:
      - interactive
      - callGraph: "${path}"
    """

  @Test(arguments: [
    // The workflow's app ID, redirect URI, and authority remain unchanged.
    (
      "settings: {GraphScopes: [User.Read]}",
      "{interactive.sent.scope: {not: {contains: Calendars.Read}}, interactive.scopes: {contains: User.Read}}"
    ),
    ("settings: {ClientCapabilities: [cp1]}", "{interactive.sent.scope: {contains: Calendars.Read}}"),
    ("settings: {graphscopes: [User.Read, Mail.Read]}", "{interactive.sent.scope: {contains: Mail.Read}}"),
    // A path to a file replaces all settings.
    (
      "settings: Other.yaml",
      "{interactive.sent.scope: {contains: Mail.Read}, interactive.sent.host: login.microsoftonline.com}"
    ),
    (
      "directory: {tenants: [{name: Contoso, users: [{username: megan@contoso.com, displayName: Meg}]}]}",
      "{callGraph.$.displayName: Meg}"
    ),
    (
      "directory: {tenants: [{name: Contoso, users: [{username: zoe@contoso.com, password: Fake-3, displayName: Zoe}]}]}\nuser: zoe@contoso.com",
      "{callGraph.$.displayName: Zoe}"
    ),
    ("user: alex@contoso.com\ndirectory: {lifetimes: {accessToken: 5m}}", "{callGraph.$.displayName: Alex}"),
    ("directory: contoso", "{callGraph.$.displayName: Megan Bowen}"),
    ("directory: users.yaml", "{callGraph.$.displayName: Another user}"),
    (
      "inputs: {path: '/me?$select=mail'}\ndirectory: contoso",
      "{callGraph.$.mail: megan@contoso.com, callGraph.$.displayName: {exists: false}}"
    ),
  ])
  func overridesTheWorkflow(_ scenario: String, _ expect: String) async throws {
    try await ScenarioHarness(
      scenario: "\(scenario)\nexpect: \(expect)", of: Self.workflow,
      files: [
        "Other.yaml": ScenarioHarness.settings.replacing("[User.Read, Calendars.Read]", with: "[User.Read, Mail.Read]"),
        "users.yaml":
          "directory: 1\ntenants: [{name: Other, domains: [contoso.com], users: [{username: megan@contoso.com, password: Fake-9, displayName: Another user}]}]\n",
      ]
    ).passes()
  }

  @Test func rowsOverrideTheScenario() async throws {
    let harness = ScenarioHarness(
      scenario: """
        settings: {GraphScopes: [User.Read, Mail.Read], ExtraQueryParameters: {dc: west}}
        directory: {tenants: [{name: Contoso, users: [{username: megan@contoso.com, jobTitle: Chief}]}]}
        matrix:
          - {description: unchanged, expect: {interactive.sent.scope: {contains: Mail.Read}, callGraph.$.jobTitle: Chief}}
          - description: other scopes
            settings: {GraphScopes: [User.Read]}
            directory: {tenants: [{name: Contoso, users: [{username: megan@contoso.com, displayName: Meg}]}]}
            expect:
              interactive.sent.scope: {not: {contains: Mail.Read}}
              callGraph.$.jobTitle: Chief
              callGraph.$.displayName: Meg
          - {description: another file, settings: Settings.yaml, expect: {interactive.sent.scope: {contains: Calendars.Read}}}
        """, of: Self.workflow)
    for row in ["unchanged", "other scopes", "another file"] { try await harness.passes("s (\(row))") }
  }

  @Test func userBehaviorMergesKeyByKey() async throws {
    try await ScenarioHarness(
      scenario: """
        user: {consent: decline}
        expect: {outcome: userCanceled, interactive.error.code: AADSTS65004}
        """, of: Self.workflow
    ).passes()
  }

  @Test func reportsErrorsOnceAtTheirLocation() {
    let diagnostics = ScenarioHarness(
      scenario: "settings: {GraphScope: [User.Read]}\ndirectory: {tenant: []}", of: Self.workflow
    ).diagnostics()
    let unknown = diagnostics.filter { $0.rule == "unknown-key" }
    #expect(
      unknown.map { unknown in unknown.place.span.map { unknown.place.source.text(in: $0) } } == [
        "GraphScope", "tenant",
      ])
    #expect(unknown.last?.help?.contains("tenants") == true && unknown.last?.severity == .error)
    // Findings in the workflow's own settings are not repeated for each scenario.
    let repeated = ScenarioHarness(
      "authflow: 1\nsettings: {AppId: \(ScenarioHarness.app), GraphScopes: [User.Read], GraphScope: red}\nsteps: [listAccounts]\n"
        + "scenarios: {s: {settings: {GraphScopes: [Mail.Read]}}, t: {settings: {GraphScopes: [Mail.Read]}}}\n"
    ).diagnostics()
    #expect(repeated.filter { $0.message.contains("GraphScope") }.count == 1, "\(repeated.map(\.message))")
  }
}
