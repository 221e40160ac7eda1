import Diagnostics
import Testing

/// Tests scope rule findings that the rules' examples do not cover.
@Suite struct ScopesRuleTests {
  static let cases: [(String, [String])] = [
    (#"["User.Read", "https://graph.microsoft.com/user.read"]"#, ["scope-duplicate"]),
    (#"["User.Read", "Mail.Read", "Mail.Read", "User.Read"]"#, ["scope-duplicate", "scope-duplicate"]),
    (#"["api://6731de76-14a6-49ae-97bc-6eba6914391e/read", "api://6731de76-14a6-49ae-97bc-6eba6914391e/Read"]"#, []),
    (#"["https://graph.microsoft.com/.default"]"#, []),
    (#"["https://graph.microsoft.com//.default"]"#, []),
    (#"["Files.ReadWrite.AppFolder", "email"]"#, []),
    (#"["User.Raed", "Calenders.Read"]"#, ["permission-unknown", "permission-unknown"]),
    (#"["${SCOPE}"]"#, ["unresolved-variable"]),
    (#"["User.Read.All"]"#, ["permission-needs-admin"]),
  ]

  @Test(arguments: cases) func checksScopes(list: String, expected: [String]) {
    let text = SettingsRuleTests.json(#""GraphScopes": \#(list)"#)
    #expect(SettingsRuleTests.findings(text).map(\.rule) == expected)
  }

  @Test func removesADuplicateScopeFromAWorkflow() throws {
    let text = """
      authflow: 1
      settings: { AppId: \(SettingsRuleTests.id) }
      steps:
        - loadAccount
        - silent
        - interactive-fallback:
            scopes:
              - User.Read
              - openid
              - User.Read # once more

      """
    let expected = text.replacing("        - openid\n        - User.Read # once more\n", with: "")
    #expect(try SettingsRuleTests.fixed(text, named: "w.yaml") == expected)
  }
}
