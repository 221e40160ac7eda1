import Diagnostics
import LanguageService
import Testing

@Suite struct CompletionInsertionTests {
  private static let head = CompletionTests.head

  @Test(
    "inserts text that is valid in the document",
    arguments: [
      ("a.yaml", "auth¦", "authflow", "authflow: "),
      ("a.yaml", "authflow: 1\nplatform:¦", "live", "authflow: 1\nplatform: live"),
      ("a.yaml", "authflow: 1\nplatform: \"l¦\"", "live", "authflow: 1\nplatform: \"live\""),
      ("a.yaml", "authflow: 1\nsteps:\n  - sil¦", "silent", "authflow: 1\nsteps:\n  - silent"),
      ("a.yaml", "authflow: 1\nsteps:\n  - id: x\n    sil¦", "silent", "authflow: 1\nsteps:\n  - id: x\n    silent: "),
      (
        "a.yaml", "authflow: 1\nsteps:\n  - silent: {}\n    ca¦: x", "capture",
        "authflow: 1\nsteps:\n  - silent: {}\n    capture: x"
      ),
      ("a.yaml", "authflow: 1\nsteps:\n  - callGraph: ¦", "/me", "authflow: 1\nsteps:\n  - callGraph: /me"),
      (
        "a.yaml", "authflow: 1\ninputs: {top: {}}\nsteps:\n  - callGraph: /me?x=${t¦", "top",
        "authflow: 1\ninputs: {top: {}}\nsteps:\n  - callGraph: /me?x=${top}"
      ),
      (
        "a.yaml", "authflow: 1\ninputs: {top: {}}\nsteps:\n  - callGraph: /me?x=${t¦}&y", "top",
        "authflow: 1\ninputs: {top: {}}\nsteps:\n  - callGraph: /me?x=${top}&y"
      ),
      ("a.json", "{\"authflow\": 1, ¦}", "steps", "{\"authflow\": 1, \"steps\": }"),
      ("a.json", "{\"authflow\": 1, \"st¦\"}", "steps", "{\"authflow\": 1, \"steps\": }"),
      ("a.json", "{\"authflow\": 1, \"st¦\": []}", "steps", "{\"authflow\": 1, \"steps\": []}"),
      ("a.json", "{\"authflow\": 1, \"platform\": \"¦\"}", "live", "{\"authflow\": 1, \"platform\": \"live\"}"),
      (
        "a.json", "{\"authflow\": 1, \"steps\": [{\"silent\": {\"forceRefresh\": ¦}}]}", "true",
        "{\"authflow\": 1, \"steps\": [{\"silent\": {\"forceRefresh\": true}}]}"
      ),
      (
        "AuthSettings.plist", "<plist><dict><key>Auth¦</key></dict></plist>", "Authority",
        "<plist><dict><key>Authority</key></dict></plist>"
      ),
      (
        "AuthSettings.plist", "<plist><dict>¦</dict></plist>", "ValidateAuthority",
        "<plist><dict><key>ValidateAuthority</key><true/></dict></plist>"
      ),
      (
        "AuthSettings.plist", "<plist><dict><key>ValidateAuthority</key>¦</dict></plist>", "false",
        "<plist><dict><key>ValidateAuthority</key><false/></dict></plist>"
      ),
      ("a.yaml", "authflow: 1\nsettings: # authf¦", "authflow:ignore", "authflow: 1\nsettings: # authflow:ignore "),
    ])
  func insertsText(name: String, marked: String, label: String, expected: String) throws {
    #expect(try CompletionProject(name, marked).inserting(label) == expected)
  }

  @Test("quotes values that YAML would otherwise interpret differently")
  func quotesValues() throws {
    let flow = "authflow: 1\nsteps:\n  - callGraph: /me/events\n    capture: {x: ¦}"
    #expect(try CompletionProject("a.yaml", flow).inserting("$.value").hasSuffix("{x: $.value}"))
    let nested = "authflow: 1\nsteps:\n  - callGraph: /me/events\n    capture: {x: $.value¦}"
    #expect(try CompletionProject("a.yaml", nested).inserting("$.value").hasSuffix("{x: $.value}"))
    let marked = "authflow: 1\nsettings: {AppId: x, KeychainGroup: ¦}"
    let group = try CompletionProject("a.yaml", marked).inserting("com.microsoft.adalcache")
    #expect(group.hasSuffix("KeychainGroup: com.microsoft.adalcache}"))
  }

  @Test("lists required keys first")
  func listsRequiredKeysFirst() throws {
    let items = try CompletionProject("a.scenarios.yaml", "authflow: 1\n¦").items
    let required = items.filter { $0.rank == 10 }.map(\.label)
    #expect(required == ["workflow", "scenarios"])
    #expect(items.contains { $0.label == "description" && $0.rank > 10 })
  }

  @Test("describes keys with their types and defaults")
  func describesKeys() throws {
    let items = try CompletionProject("a.yaml", Self.head + "¦").items
    let platform = try #require(items.first { $0.label == "platform" })
    #expect(platform.documentation?.contains("Default: `emulated`") == true)
    let directory = try #require(items.first { $0.label == "directory" })
    #expect(directory.detail?.contains("default contoso") == true)
  }

  @Test("never shows the values of environment variables")
  func hidesValues() throws {
    let project = try CompletionProject(
      "a.yaml", Self.head + "user: ${secret:¦}", environment: ["PASSWORD": "hidden-value"])
    let items = project.items
    #expect(items.map(\.label).contains("PASSWORD"))
    #expect(!items.contains { "\($0)".contains("hidden-value") })
  }
}
