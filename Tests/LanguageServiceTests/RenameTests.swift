import Documents
import LanguageService
import Testing

@Suite struct RenameTests {
  private static func project(_ main: String, _ scenarios: String? = nil, login: String? = nil) throws
    -> NavigationProject
  {
    var files = ["AuthSettings.yaml": NavigationProject.settings, "main.yaml": main]
    files["main.scenarios.yaml"] = scenarios
    files["login.yaml"] = login
    return try NavigationProject(files)
  }

  private static let login = """
    authflow: 1
    settings: AuthSettings.yaml
    steps:
      - silent
      - interactive-fallback
      - callGraph: /me
        capture: { who: $.displayName }

    """
  private static let main = """
    authflow: 1
    settings: AuthSettings.yaml
    steps:
      - { id: sign-in, use: login.yaml }
      - callGraph: /me
        expect: { sign-in/silent.outcome: success, $.displayName: "${who}" }
        on: { notFound: sign-in }
    scenarios: main.scenarios.yaml

    """
  private static let scenarios = """
    authflow: 1
    workflow: main.yaml
    scenarios:
      returning user:
        given: [signedIn: megan@contoso.com]
        before: { "sign-in/silent": [wait: 2h] }
        expect:
          path: [sign-in.success, callGraph.success]
          sign-in/silent.tokenSource: refreshToken

    """

  private static func marked(_ text: String, _ part: String) throws -> String {
    var text = text
    text.insert("§", at: try #require(text.firstRange(of: part)).lowerBound)
    return text
  }

  @Test("renames a step in the workflow and its scenarios")
  func renamesStep() throws {
    let project = try Self.project(try Self.marked(Self.main, "sign-in,"), Self.scenarios, login: Self.login)
    let (texts, error) = try project.rename(to: "enter")
    #expect(error == nil)
    #expect(texts["main.yaml"] == Self.main.replacing("sign-in", with: "enter"))
    #expect(texts["main.scenarios.yaml"] == Self.scenarios.replacing("sign-in", with: "enter"))
    #expect(texts.count == 2)
  }

  @Test("adds an ID to a step in a used workflow")
  func addsID() throws {
    let project = try Self.project(Self.main, Self.scenarios, login: try Self.marked(Self.login, "silent"))
    let (texts, error) = try project.rename(to: "quiet")
    #expect(error == nil)
    #expect(texts["login.yaml"]?.contains("- { id: quiet, silent: {} }") == true, "\(texts)")
    #expect(texts["main.yaml"] == Self.main.replacing("sign-in/silent", with: "sign-in/quiet"))
    #expect(texts["main.scenarios.yaml"] == Self.scenarios.replacing("sign-in/silent", with: "sign-in/quiet"))
  }

  @Test("adds an ID to a step with parameters")
  func addsIDToMapping() throws {
    let project = try Self.project(try Self.marked(Self.main, "callGraph"), Self.scenarios, login: Self.login)
    let (texts, error) = try project.rename(to: "call")
    #expect(error == nil)
    #expect(texts["main.yaml"]?.contains("  - id: call\n    callGraph: /me\n") == true, "\(texts)")
    #expect(texts["main.scenarios.yaml"]?.contains("call.success") == true)
  }

  @Test("renames a capture in the workflows that use it")
  func renamesCapture() throws {
    let project = try Self.project(try Self.marked(Self.main, "who}"), Self.scenarios, login: Self.login)
    let (texts, error) = try project.rename(to: "name")
    #expect(error == nil)
    #expect(texts["main.yaml"] == Self.main.replacing("${who}", with: "${name}"))
    #expect(texts["login.yaml"] == Self.login.replacing("who:", with: "name:"))
  }

  @Test("quotes names if necessary")
  func quotesNames() throws {
    let text = """
      authflow: 1
      clients: { §first: AuthSettings.yaml, second: AuthSettings.yaml }
      steps:
        - interactive
        - silent:
          client: first

      """
    let (texts, error) = try Self.project(text).rename(to: "a, b: c")
    #expect(error == nil)
    #expect(
      texts["main.yaml"]?.contains("client: \"a, b: c\"") == true
        || texts["main.yaml"]?.contains("client: 'a, b: c'") == true, "\(texts)")
    let scenario = try Self.project(Self.main, try Self.marked(Self.scenarios, "returning"), login: Self.login)
    #expect(try scenario.rename(to: "user: back").texts["main.scenarios.yaml"]?.contains("user: back\":") == true)
  }

  @Test("renames users in a directory file")
  func renamesUsers() throws {
    let project = try NavigationProject([
      "AuthSettings.yaml": NavigationProject.settings,
      "directory.yaml": """
      directory: 1
      registersOnTheFly: true
      tenants:
        - name: Example
          users:
            - { username: §lee@example.com, password: Fake-Lee-1 }
            - { username: kim@example.com, manager: lee@example.com }

      """,
      "main.yaml": """
      authflow: 1
      settings: AuthSettings.yaml
      directory: directory.yaml
      steps:
        - interactive: { loginHint: lee@example.com }
          user: lee@example.com
        - callGraph: /users/lee@example.com

      """,
    ])
    let (texts, error) = try project.rename(to: "lea@example.com")
    #expect(error == nil)
    #expect(texts["directory.yaml"]?.contains("lee@") == false)
    #expect(texts["main.yaml"]?.contains("lee@") == false)
    #expect(texts["main.yaml"]?.contains("/users/lea@example.com") == true)
  }

  @Test(
    "rejects invalid names",
    arguments: [
      ("sign-in,", "", "empty name"), ("sign-in,", "a b", "invalid step ID `a b`: use letters, digits, `-`, and `_`"),
      ("sign-in,", "end", "reserved step ID `end`"), ("sign-in,", "callGraph", "`callGraph` is already a step"),
      ("sign-in,", "who", "`who` is already a capture or an input"),
      ("who}", "a.b", "invalid name `a.b`: use letters, digits, `-`, and `_`"),
      ("who}", "status", "reserved name `status`"), ("who}", "callGraph", "`callGraph` is already a step"),
      ("login.yaml", "x.yaml", "cannot rename files: rename `login.yaml` and change the paths"),
      ("1", "x", "no step, variable, client, scenario, or account here"),
    ])
  func rejectsNames(part: String, name: String, message: String) throws {
    let project = try Self.project(try Self.marked(Self.main, part), Self.scenarios, login: Self.login)
    #expect(try project.rename(to: name).error == message)
  }

  @Test("rejects a rename of built-in users")
  func rejectsBuiltInUsers() throws {
    let project = try Self.project(Self.main, try Self.marked(Self.scenarios, "megan"), login: Self.login)
    #expect(
      try project.rename(to: "a@contoso.com").error
        == "cannot rename `megan@contoso.com`: the user is in the built-in directory")
  }

  @Test("rejects a rename if a file with the name has syntax errors")
  func rejectsMalformedFiles() throws {
    let project = try Self.project(
      try Self.marked(Self.main, "sign-in,"), Self.scenarios + "    other: [sign-in", login: Self.login)
    #expect(try project.rename(to: "enter").error == "cannot rename `sign-in`: `main.scenarios.yaml` has syntax errors")
  }
}
