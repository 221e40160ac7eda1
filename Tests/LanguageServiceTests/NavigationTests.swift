import Diagnostics
import Documents
import LanguageService
import Testing

@Suite struct NavigationTests {
  private static let login = """
    authflow: 1
    settings: AuthSettings.yaml
    inputs: { prompt: { type: string, default: login } }
    steps:
      - silent
      - interactive-fallback: { loginHint: "${prompt}" }
        capture: { who: $.account.username }
    """
  private static let main = """
    authflow: 1
    settings: AuthSettings.yaml
    steps:
      - id: login
        use: { workflow: login.yaml, with: { prompt: consent } }
      - id: call
        callGraph: { get: "/users/${who}" }
        when: { login/silent.outcome: success }
        on: { notFound: leave }
        expect: { "login/silent[1].tokenSource": cache }
      - { id: leave, signout: {} }
    scenarios: main.scenarios.yaml
    """
  private static let scenarios = """
    authflow: 1
    workflow: main.yaml
    scenarios:
      first:
        before: { login/silent: [offline], call: [offline] }
        user: lee@example.com
        directory: directory.yaml
        expect:
          path: [login.success, call.success, leave.success]
          call.status: 200
    """
  private static let directory = """
    directory: 1
    tenants:
      - name: Example
        users:
          - { username: Lee@example.com, password: Fake-Lee-1 }
          - { username: kim@example.com, manager: lee@example.com }
    """

  private static let files = [
    "AuthSettings.yaml": NavigationProject.settings, "login.yaml": login, "main.yaml": main,
    "main.scenarios.yaml": scenarios, "directory.yaml": directory,
  ]

  /// Places the cursor before the first occurrence of a string in a file.
  private static func project(_ file: String, before text: String) throws -> NavigationProject {
    var files = files
    let range = try #require(files[file]?.firstRange(of: text), "\(text)")
    files[file]?.insert("§", at: range.lowerBound)
    return try NavigationProject(files)
  }

  @Test(
    "goes to the declaration",
    arguments: [
      ("main.yaml", "leave }", ["main.yaml:11 leave"]),
      ("main.yaml", "login/silent.outcome", ["main.yaml:4 login"]),
      ("main.yaml", "silent.outcome", ["login.yaml:5 silent"]),
      ("main.yaml", "silent[1]", ["login.yaml:5 silent"]),
      ("main.yaml", "who}", ["login.yaml:7 who"]),
      ("main.yaml", "prompt: consent", ["login.yaml:3 prompt"]),
      ("main.yaml", "login.yaml", ["login.yaml:1 "]),
      ("main.yaml", "main.scenarios.yaml", ["main.scenarios.yaml:1 "]),
      ("login.yaml", "prompt}", ["login.yaml:3 prompt"]),
      ("main.scenarios.yaml", "silent: [offline]", ["login.yaml:5 silent"]),
      ("main.scenarios.yaml", "call.success", ["main.yaml:6 call"]),
      ("main.scenarios.yaml", "call.status", ["main.yaml:6 call"]),
      ("main.scenarios.yaml", "main.yaml", ["main.yaml:1 "]),
      ("main.scenarios.yaml", "lee@", ["directory.yaml:5 Lee@example.com"]),
      ("main.scenarios.yaml", "directory.yaml", ["directory.yaml:1 "]),
      ("directory.yaml", "lee@", ["directory.yaml:5 Lee@example.com"]),
    ] as [(String, String, [String])])
  func goesToDeclaration(file: String, text: String, expected: [String]) throws {
    let project = try Self.project(file, before: text)
    let (document, offset) = try project.marked()
    let found = project.snapshot.definitions(at: offset, in: document)
    #expect(NavigationProject.show(found?.targets ?? []) == expected)
  }

  @Test("finds all references to a step in a used workflow")
  func findsReferencesAcrossFiles() throws {
    let project = try Self.project("login.yaml", before: "silent")
    let (document, offset) = try project.marked()
    let found = NavigationProject.show(
      project.snapshot.references(at: offset, in: document, includingDeclarations: true))
    #expect(
      Set(found) == [
        "login.yaml:5 silent", "main.yaml:8 silent", "main.yaml:10 silent", "main.scenarios.yaml:5 silent",
      ])
    let references = project.snapshot.references(at: offset, in: document, includingDeclarations: false)
    #expect(references.count == 3)
  }

  @Test("finds all references to a username, regardless of case")
  func findsReferencesToUsers() throws {
    let project = try Self.project("directory.yaml", before: "Lee@")
    let (document, offset) = try project.marked()
    let found = project.snapshot.references(at: offset, in: document, includingDeclarations: true)
    #expect(
      Set(NavigationProject.show(found)) == [
        "directory.yaml:5 Lee@example.com", "directory.yaml:6 lee@example.com", "main.scenarios.yaml:6 lee@example.com",
      ])
  }

  @Test("highlights the declaration and the references in the document")
  func highlights() throws {
    let project = try Self.project("main.yaml", before: "leave }")
    let (document, offset) = try project.marked()
    let highlights = project.snapshot.highlights(at: offset, in: document)
    #expect(highlights.map(\.isDeclaration) == [false, true])
  }

  @Test("links to files and schemas")
  func links() throws {
    let project = try NavigationProject([
      "AuthSettings.yaml": NavigationProject.settings,
      "a.json":
        #"{"$schema": "https://example.com/s.json", "authflow": 1, "settings": "AuthSettings.yaml", "directory": "missing.yaml", "steps": ["silent"]}"#,
    ])
    let links = project.snapshot.links(in: try project.document("a.json"))
    #expect(links.compactMap(\.path) == ["/project/AuthSettings.yaml"])
    #expect(links.compactMap(\.url) == ["https://example.com/s.json"])
  }

  @Test("searches for symbols, best matches first")
  func searchesForSymbols() throws {
    let project = try NavigationProject(Self.files)
    #expect(project.snapshot.symbols(matching: "call").first?.name == "call")
    #expect(project.snapshot.symbols(matching: "lgn").map(\.name) == ["login"])
    #expect(project.snapshot.symbols(matching: "LEE").first?.name == "lee@example.com")
    #expect(project.snapshot.symbols(matching: "").count > 5)
  }

  @Test(
    "finds names in every syntax and in malformed text",
    arguments: [
      (
        "a.json",
        #"{"authflow": 1, "steps": [{"id": "a", "silent": {}, "on": {"offline": "§b"}}, {"id": "b", "signout": {}}"#,
        "b"
      ),
      ("a.yaml", "authflow: 1\nsteps:\n  - id: b\n    silent:\n  - { signout: {}, on: { offline: §b }, expct: }", "b"),
      (
        "cut.yaml",
        """
        authflow: 1
        steps:
          - silent: { scopes: [User.Read
            on: { offline: §b }
          - { callGraph: "/me
          - id: b
            signout:
        """, "b"
      ),
      ("root.yaml", "{ authflow: 1, steps: [{ id: b, silent: }, { signout: {}, on: { offline: §b", "b"),
      (
        "a.plist",
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>authflow</key><integer>1</integer><key>steps</key><array>
        <dict><key>id</key><string>b</string><key>silent</key><dict/></dict>
        <dict><key>signout</key><dict/><key>on</key><dict><key>offline</key><string>§b</string></dict></dict>
        </array></dict></plist>
        """, "b"
      ),
      (
        "b.yaml",
        "authflow: 1\nclients: { 'my \"app\".1': A.plist }\nsteps:\n  - silent:\n    client: '§my \"app\".1'\n",
        "my \"app\".1"
      ),
    ])
  func findsNames(file: String, text: String, name: String) throws {
    let project = try NavigationProject([file: text])
    let (document, offset) = try project.marked()
    let found = project.snapshot.definitions(at: offset, in: document)
    #expect(found?.targets.map { $0.source.text(in: $0.span) } == [name])
  }
}
