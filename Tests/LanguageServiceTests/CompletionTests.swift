import LanguageService
import Testing

@Suite struct CompletionTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var expected: [String]
    var absent: [String]

    init(_ name: String, _ text: String, _ expected: [String], absent: [String] = []) {
      self.name = name
      self.text = text
      self.expected = expected
      self.absent = absent
    }

    var testDescription: String { "\(name): \(text.suffix(60))" }
  }

  static let head = "authflow: 1\nsettings: AuthSettings.yaml\n"

  private static let files = [
    "AuthSettings.yaml": "AppId: 3f2a9c1e-7b4d-4e8a-9c6f-1d2e3f4a5b6c\nGraphScopes: [User.Read]\n",
    "sub/login.yaml": """
    authflow: 1
    inputs:
      top: {type: integer, required: true}
      quiet: {type: boolean, default: true}
    steps:
      - silent
      - id: login
        interactive:
        capture: {who: $.account.username}

    """,
    "directory.yaml": """
    directory: 1
    tenants:
      - name: Fabrikam
        domains: [fabrikam.com]
        users:
          - {username: ada@fabrikam.com, displayName: Ada}

    """,
    "run.recording.jsonl": "",
    "me.scenarios.yaml": "authflow: 1\nworkflow: me.yaml\nscenarios:\n  first run:\n",
  ]

  static let keys: [Sample] = [
    Sample("a.yaml", "auth¦", ["authflow", "steps", "settings"]),
    Sample("a.yaml", head + "¦", ["steps", "finally", "scenarios"], absent: ["authflow", "settings"]),
    Sample("a.yaml", head + "steps:\n  - ¦", ["silent", "interactive-fallback", "callGraph", "id", "use"]),
    Sample("a.yaml", head + "steps:\n  - sil¦\n  - interactive\n", ["silent", "callGraph"]),
    Sample("a.yaml", head + "finally:\n  - ¦", ["signout"]),
    Sample("a.yaml", head + "steps:\n  - parallel:\n      - ¦", ["silent", "callGraph"]),
    Sample(
      "a.yaml", head + "steps:\n  - silent:\n    ¦", ["on", "expect", "capture"], absent: ["interactive", "silent"]),
    Sample(
      "a.yaml", head + "steps:\n  - silent:\n      ¦", ["forceRefresh", "scopes", "authority"], absent: ["expect"]),
    Sample("a.yaml", head + "steps:\n  - silent: {forceRefresh: true, ¦}", ["scopes"], absent: ["forceRefresh"]),
    Sample("a.yaml", head + "steps:\n  - silent: {¦", ["scopes", "forceRefresh"]),
    Sample("a.yaml", head + "inputs:\n  top:\n    ¦", ["type", "default", "required"]),
    Sample("a.yaml", head + "steps: []\nscenarios:\n  one:\n    ¦", ["given", "user", "expect"]),
    Sample("a.yaml", head + "steps: []\nscenarios:\n  one:\n    user:\n      ¦", ["username", "mfa", "picks"]),
    Sample("a.yaml", "authflow: 1\nsettings:\n  ¦", ["AppId", "Authority", "GraphScopes"]),
    Sample("a.yaml", "authflow: 1\nsettings:\n  client_id: x\n  ¦", ["Authority"], absent: ["AppId"]),
    Sample("a.yaml", "authflow: 1\ndirectory:\n  tenants:\n    - ¦", ["name", "users", "domains"]),
    Sample("a.json", "{\"authflow\": 1, ¦}", ["steps", "settings"], absent: ["authflow"]),
    Sample("a.json", "{\"authflow\": 1, \"steps\": [{\"silent\": {\"¦", ["scopes", "forceRefresh"]),
    Sample("a.json", "{\"authflow\": 1, \"steps\": [{\"id\": \"x\", \"¦\"}]}", ["silent", "expect"], absent: ["id"]),
    Sample("me.scenarios.yaml", "authflow: 1\n¦", ["workflow", "scenarios"], absent: ["authflow", "steps"]),
    Sample(
      "AuthSettings.plist", plist("<key>AppId</key><string>x</string><key>¦</key>"), ["Authority", "GraphScopes"],
      absent: ["AppId"]),
    Sample("AuthSettings.plist", plist("<key>AppId</key><string>x</string>\n  ¦\n"), ["Authority"]),
    Sample("AuthSettings.plist", "<plist><dict><key>AppId</key><string>x</string><key>Auth¦", ["Authority"]),
    Sample("Info.plist", plist("<key>¦</key>"), ["CFBundleURLTypes", "LSApplicationQueriesSchemes"]),
    Sample("App.entitlements", plist("<key>¦</key>"), ["keychain-access-groups"]),
    Sample(
      "auth_config.json", "{\n  \"client_id\": \"x\",\n  ¦\n}", ["redirect_uri", "authorities"], absent: ["client_id"]),
    Sample(
      "auth_config.json", "{\"client_id\": \"x\", \"authorities\": [{\"¦\"}]}", ["type", "authority_url", "audience"]),
    Sample(
      "manifest.json", "{\"appId\": \"x\", \"signInAudience\": \"AzureADMyOrg\", \"¦\"}",
      ["requiredResourceAccess", "publicClient"]),
    Sample(
      "msal.json", "{\"auth\": {\"clientId\": \"x\", \"¦\"}}", ["authority", "redirectUri"], absent: ["clientId"]),
    Sample(
      "appsettings.json", "{\"AzureAd\": {\"Instance\": \"https://login.microsoftonline.com/\", \"¦\"}}",
      ["TenantId", "ClientId"], absent: ["Instance"]),
    Sample("appsettings.json", "{¦}", ["AzureAd"]),
    Sample(".authflow.yaml", "¦", ["rules", "ignore", "exclude"]),
    Sample(".authflow.yaml", "ignore:\n  - ¦", ["rule", "path", "reason"]),
    Sample("directory.yaml", "directory: 1\ntenants: []\n¦", ["apps", "lifetimes"], absent: ["tenants"]),
  ]

  static let values: [Sample] = [
    Sample("a.yaml", head + "platform: ¦", ["emulated", "live"]),
    Sample("a.yaml", head + "platform:¦", ["emulated", "live"]),
    Sample("a.yaml", head + "steps:\n  - interactive: {prompt: ¦}", ["login", "consent"]),
    Sample("a.yaml", head + "steps:\n  - silent: {forceRefresh: ¦", ["true", "false"]),
    Sample("a.yaml", head + "inputs:\n  top: {type: ¦}", ["string", "integer", "boolean"]),
    Sample(
      "a.yaml", head + "steps:\n  - silent:\n    on:\n      ¦", ["interactionRequired", "offline", "error"],
      absent: ["forbidden"]),
    Sample(
      "a.yaml", head + "steps:\n  - silent:\n    on: {interactionRequired: ¦}\n  - id: ask\n    interactive:\n",
      ["ask", "next", "end", "fail"], absent: ["silent"]),
    Sample(
      "a.yaml", head + "steps:\n  - use: sub/login.yaml\n    on:\n      ¦", ["interactionRequired", "userCanceled"]),
    Sample("a.yaml", head + "steps:\n  - callGraph: /me\n    retry: {on: [¦]}", ["throttled", "offline"]),
    Sample(
      "a.yaml", head + "steps:\n  - silent:\n    expect:\n      ¦", ["tokenSource", "outcome", "error.code"],
      absent: ["status"]),
    Sample("a.yaml", head + "steps:\n  - silent\n  - assert:\n      ¦", ["silent.tokenSource", "silent.outcome"]),
    Sample("a.yaml", head + "steps:\n  - silent:\n    expect: {tokenSource: ¦}", ["cache", "refreshToken"]),
    Sample(
      "a.yaml", head + "steps:\n  - silent\nscenarios:\n  one:\n    expect:\n      silent.tokenSource: ¦",
      ["cache", "refreshToken"]),
    Sample(
      "a.yaml", head + "steps:\n  - silent\nscenarios:\n  one:\n    expect:\n      sil¦",
      ["silent.tokenSource", "outcome", "path"]),
    Sample("a.yaml", head + "steps:\n  - silent:\n    expect: {error.code: ¦}", ["AADSTS50076", "AADSTS65001"]),
    Sample("a.yaml", head + "steps:\n  - silent:\n    expect: {error.msal: MSAL¦}", ["MSALErrorInteractionRequired"]),
    Sample(
      "a.yaml", head + "steps:\n  - silent\n  - callGraph: /me\n    when: {silent.¦",
      ["silent.outcome", "silent.error.code"]),
    Sample(
      "a.yaml", head + "steps:\n  - callGraph: /me\n    capture:\n      who: ¦", ["status", "$.displayName", "$"]),
    Sample(
      "a.yaml", head + "steps:\n  - callGraph: /me/events\n    capture: {who: \"$.value[0].su¦\"}",
      ["$.value[0].subject", "$.value[0].start"]),
    Sample("a.yaml", head + "steps:\n  - callGraph: {get: ¦}", ["/me", "/me/events"]),
    Sample("a.yaml", head + "steps:\n  - callGraph: /m¦", ["/me", "/me/messages"]),
    Sample(
      "a.yaml", head + "inputs:\n  top: {type: integer}\nsteps:\n  - callGraph: \"/me?$top=${¦\"",
      ["top", "env:", "secret:"]),
    Sample(
      "a.yaml", head + "steps:\n  - callGraph: /me\n    capture: {who: $.id}\n  - callGraph: /users/${w¦}", ["who"]),
    Sample("a.yaml", head + "steps:\n  - loadAccount: {username: \"${env:¦}\"}", ["AUTHFLOW_USER"], absent: ["env:"]),
    Sample(
      "a.yaml", head + "user: {password: \"${secret:P\"}\nsteps:\n  - loadAccount: {username: \"${secret:¦}\"}",
      ["AUTHFLOW_USER"]),
    Sample("a.yaml", head + "steps: []\nscenarios:\n  one:\n    given: [¦]", ["signedIn", "passwordChanged", "wait"]),
    Sample("a.yaml", head + "steps: []\nscenarios:\n  one:\n    given:\n      - ¦", ["signedIn", "fault", "offline"]),
    Sample("a.yaml", head + "steps:\n  - silent\nscenarios:\n  one:\n    before:\n      ¦", ["silent"]),
    Sample("a.yaml", head + "steps:\n  - simulate: [¦]", ["offline", "sessionsRevoked"]),
    Sample("a.yaml", head + "steps:\n  - simulate: [misbehaves: ¦]", ["wrong-issuer"]),
    Sample("a.yaml", head + "steps: []\nscenarios:\n  one:\n    given: [signedIn: ¦]", ["megan@contoso.com"]),
    Sample(
      "a.yaml", head + "directory: directory.yaml\nsteps: []\nscenarios:\n  one:\n    user: ¦", ["ada@fabrikam.com"],
      absent: ["megan@contoso.com"]),
    Sample("a.yaml", head + "steps: []\nscenarios:\n  one:\n    user: {picks: ¦}", ["megan@contoso.com", "another"]),
    Sample("a.yaml", head + "steps:\n  - silent: {scopes: [¦]}", ["User.Read", "Calendars.Read", "offline_access"]),
    Sample(
      "a.yaml", head + "steps: []\nscenarios:\n  one:\n    given: [fault: {at: token, response: {code: ¦}}]",
      ["AADSTS50076"]),
    Sample(
      "a.yaml", head + "steps:\n  - silent\nscenarios:\n  one:\n    expect: {path: [¦]}", ["silent.success", "..."]),
    Sample(
      "a.yaml", head + "steps:\n  - use: sub/login.yaml\nscenarios:\n  one:\n    expect: {path: [use/¦]}",
      ["use/silent.success"]),
    Sample(
      "a.yaml", head + "steps:\n  - silent\nscenarios:\n  one:\n    expect: {outcome: ¦}",
      ["success", "failed", "interactionRequired"]),
    Sample(
      "a.yaml", head + "inputs: {top: {type: boolean}}\nsteps: []\nscenarios:\n  one:\n    inputs:\n      ¦", ["top"]),
    Sample(
      "a.yaml", head + "inputs: {top: {type: boolean}}\nsteps: []\nscenarios:\n  one:\n    inputs: {top: ¦}",
      ["true", "false"]),
    Sample("a.yaml", head + "steps:\n  - use:\n      workflow: sub/login.yaml\n      with: {¦}", ["top", "quiet"]),
    Sample(
      "a.yaml", head + "clients: {one: a.plist, two: b.plist}\nsteps:\n  - silent:\n    client: ¦", ["one", "two"]),
    Sample("a.yaml", "authflow: 1\nsettings: ¦", ["AuthSettings.yaml", "sub/"]),
    Sample("a.yaml", head + "directory: ¦", ["contoso", "directory.yaml"]),
    Sample("a.yaml", head + "steps:\n  - use: sub/¦", ["sub/login.yaml"]),
    Sample("sub/b.yaml", "authflow: 1\nsettings: ../¦", ["../AuthSettings.yaml"], absent: ["../../"]),
    Sample("a.yaml", head + "scenarios: ¦", ["me.scenarios.yaml"]),
    Sample("b.scenarios.yaml", "authflow: 1\nworkflow: ¦\n", ["sub/", "AuthSettings.yaml"]),
    Sample(
      "AuthSettings.yaml", "AppId: x\nAuthority: ¦",
      ["https://login.microsoftonline.com/common", "https://login.microsoftonline.us/organizations"]),
    Sample("AuthSettings.yaml", "AppId: x\nTenantId: ¦", ["organizations", "common"]),
    Sample("AuthSettings.yaml", "AppId: x\nWebviewType: ¦", ["default"]),
    Sample("AuthSettings.yaml", "AppId: ¦\nAuthority: x\n", ["04b07795-8ddb-461a-bbee-02f9e1bf7b46"]),
    Sample(
      "AuthSettings.plist", plist("<key>AppId</key><string>x</string><key>Authority</key><string>¦</string>"),
      ["https://login.microsoftonline.com/common"]),
    Sample(
      "AuthSettings.plist", plist("<key>AppId</key><string>x</string><key>ValidateAuthority</key>¦"), ["true", "false"]),
    Sample(
      "AuthSettings.plist",
      plist("<key>AppId</key><string>x</string><key>GraphScopes</key><array><string>¦</string></array>"), ["User.Read"]),
    Sample(
      "Info.plist",
      plist(
        "<key>CFBundleIdentifier</key><string>com.x</string><key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key><array><string>¦</string></array></dict></array>"
      ), ["msauth.com.x"]),
    Sample(
      "App.entitlements", plist("<key>keychain-access-groups</key><array><string>¦</string></array>"),
      ["$(AppIdentifierPrefix)com.microsoft.adalcache"]),
    Sample(
      "auth_config.json", "{\"client_id\": \"x\", \"redirect_uri\": \"y\", \"account_mode\": \"¦\"}",
      ["SINGLE", "MULTIPLE"]),
    Sample("manifest.json", "{\"signInAudience\": \"¦\", \"appId\": \"x\"}", ["AzureADMyOrg"]),
    Sample(
      "manifest.json", "{\"requiredResourceAccess\": [{\"resourceAppId\": \"¦\"}]}",
      ["00000003-0000-0000-c000-000000000000"]),
    Sample(
      "manifest.json",
      "{\"requiredResourceAccess\": [{\"resourceAppId\": \"00000003-0000-0000-c000-000000000000\", \"resourceAccess\": [{\"id\": \"¦\"}]}]}",
      ["e1fe6dd8-ba31-4d61-89e7-88639da4683d"]),
    Sample("appsettings.json", "{\"AzureAd\": {\"TenantId\": \"¦\"}}", ["common", "organizations"]),
    Sample(".authflow.yaml", "rules:\n  ¦", ["authority-malformed"]),
    Sample(".authflow.yaml", "rules:\n  authority-malformed: ¦", ["off", "warning"]),
    Sample(".authflow.yaml", "ignore:\n  - rule: ¦", ["authority-malformed"]),
    Sample("AuthSettings.yaml", "AppId: x # authflow:ignore ¦", ["authority-malformed"]),
    Sample("auth_config.json", "{ // authflow:ignore a¦\n\"client_id\": \"x\"}", ["authority-malformed"]),
    Sample(
      "a.json", "{\"authflow\": 1, \"steps\": [{\"silent\": {}, \"on\": {\"interactionRequired\": \"¦\"}}]}",
      ["next", "end"]),
    Sample("a.json", "{\"authflow\": 1, \"platform\": ¦}", ["emulated", "live"]),
  ]

  static let moreValues: [Sample] = [
    Sample("a.yaml", head + "platform: {replay: ¦}", ["run.recording.jsonl", "sub/"], absent: ["AuthSettings.yaml"]),
    Sample("a.yaml", head + "steps:\n  - silent:\n    expect: {outcome: ¦}", ["interactionRequired", "success"]),
    Sample(
      "a.yaml", head + "steps:\n  - silent\n  - callGraph: /me\n    capture: {a: [silent.¦]}", ["silent.tokenSource"]),
    Sample("a.yaml", head + "steps:\n  - silent:\n    expect: {error: {¦}}", ["code", "msal", "contains"]),
    Sample("a.yaml", head + "steps:\n  - silent:\n    expect: {tokenSource: {oneOf: [¦]}}", ["cache"]),
    Sample("a.yaml", head + "steps: []\nscenarios:\n  one:\n    matrix:\n      - ¦", ["given", "expect"]),
    Sample(
      "a.yaml", head + "inputs: {top: {default: 5}}\nsteps: []\nscenarios:\n  one:\n    matrix: {¦}", ["top", "user"]),
    Sample(
      "a.yaml", head + "steps:\n  - silent:\n    on:\n      offline: end\n      ¦\n  - signout\n",
      ["interactionRequired"], absent: ["offline"]),
    Sample("a.yaml", head + "steps:\n  - silent\n  -¦", ["interactive"]),
    Sample("a.plist", plist("<key>authflow</key><integer>1</integer><key>steps</key><array>¦</array>"), ["silent"]),
    Sample(
      "a.plist",
      plist("<key>authflow</key><integer>1</integer><key>steps</key><array><dict><key>¦</key></dict></array>"),
      ["silent", "id", "callGraph"]),
    Sample(
      "a.plist",
      plist(
        "<key>authflow</key><integer>1</integer><key>steps</key><array><dict><key>silent</key><dict/><key>on</key>"
          + "<dict><key>¦</key></dict></dict></array>"), ["interactionRequired"]),
    Sample(
      "me.scenarios.yaml", "authflow: 1\nworkflow: sub/login.yaml\nscenarios:\n  a:\n    inputs: {¦}", ["top", "quiet"]),
    Sample(
      "me.scenarios.yaml", "authflow: 1\nworkflow: sub/login.yaml\nscenarios:\n  a:\n    expect:\n      path: [¦]",
      ["silent.success", "login.userCanceled"]),
    Sample("me.scenarios.yaml", "authflow: 1\nworkflow: sub/login.yaml\nscenarios:\n  a:\n    before: {¦}", ["login"]),
    Sample(
      "directory.yaml", "directory: 1\ntenants:\n  - users:\n      - {username: a@b.c}\n      - {manager: ¦}", ["a@b.c"]
    ),
    Sample("directory.yaml", "directory: 1\napps:\n  - permissions: [¦]", ["User.Read"]),
  ]

  @Test("proposes values for references, and values in property lists", arguments: moreValues)
  func proposesMoreValues(sample: Sample) throws { try check(sample) }

  private static func plist(_ content: String) -> String {
    "<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\n<dict>\n\(content)\n</dict>\n</plist>\n"
  }

  @Test("proposes the keys for the cursor position", arguments: keys)
  func proposesKeys(sample: Sample) throws { try check(sample) }

  @Test("proposes the values for the cursor position", arguments: values)
  func proposesValues(sample: Sample) throws { try check(sample) }

  private func check(_ sample: Sample) throws {
    let project = try CompletionProject(
      sample.name, sample.text, files: Self.files, environment: ["AUTHFLOW_USER": "secret value"])
    let labels = Set(project.labels)
    #expect(sample.expected.filter { !labels.contains($0) } == [], "\(labels.sorted().prefix(40))")
    #expect(sample.absent.filter { labels.contains($0) } == [])
  }

  @Test("proposes the members of the response from the last run")
  func proposesMembersOfLastRun() async throws {
    let project = try NavigationProject([
      "AuthSettings.yaml": NavigationProject.settings,
      "a.yaml": """
      authflow: 1
      settings: AuthSettings.yaml
      steps:
        - loadAccount
        - silent
        - callGraph: /me?$select=displayName
          capture: { name: $.disp§layName }
      scenarios:
        signed in:
          given: [signedIn: megan@contoso.com]

      """,
    ])
    let (document, offset) = try project.marked()
    #expect(project.snapshot.completions(in: document, at: offset).map(\.label).contains("$.jobTitle"))
    var results = ScenarioResults()
    let run = await project.snapshot.run("a.yaml", tool: "authflow 1.0")
    results.record(run.outcomes, ofFile: run.path, isComplete: run.isComplete)
    let labels = project.snapshot.completions(in: document, at: offset, results: results).map(\.label)
    #expect(labels.contains("$.displayName"))
    #expect(!labels.contains("$.jobTitle"))
  }
}
